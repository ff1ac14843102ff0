package import Geocoding
package import Questions
import Queue

extension StoredChain: Shaped {
    package static let shape = Shape<StoredChain>("Chain", "The ordered lanes of a question, and its thresholds.") {
        Member("name", example: "default") { $0.name }
        Member("links") { $0.plan.links }
        Member("located", "An answer with this area confidence ends the question.", example: 0.6) { $0.plan.located }
            .bounds(0, 1)
        Member("review", "An answer with this area confidence is shown to a person.", example: 0.2) { $0.plan.review }
            .bounds(0, 1)
        Member("keep_not_found_days", example: 90) { $0.plan.keepNotFound }.bounds(1)
        Member("keep_failed_days", example: 7) { $0.plan.keepFailed }.bounds(1)
        Member("shares_houses", "Units of a house share one answer.") { $0.plan.sharesHouses }
        Member("pause_seconds", "The least time between two calls for one question.", example: 0) {
            $0.plan.pauseSeconds
        }.bounds(0)
        Member("line_order", "The order of an address that is sent on one line.") { $0.plan.lineOrder }
    }
}

extension Chain.Link: Shaped {
    package static let shape = Shape<Chain.Link>("ChainLink", "A lane of a chain, and its conditions.") {
        Member("lane", example: "gazetteer") { $0.lane }
        Member("countries", "Null for all.") { $0.countries }
        Member("below", "Only while the best area confidence is less.") { $0.below }.bounds(0, 1)
        Member("stop", "A coarser answer does not end the question.") { $0.stopAt }
        Member("steps", "The steps that may be paid for; null for all.") { $0.steps }
    }
}

extension Precision: JSONRepresentable {}
extension LadderStep: JSONRepresentable {}
extension Query.LineOrder: JSONRepresentable {}

extension ChainReport: Shaped {
    package static let shape = Shape<ChainReport>("ChainReport", "What each lane of a chain found, and its cost.") {
        Member("chain", example: "default") { $0.chain }
        Member("questions", "How many questions it counts: those with a stored answer.", example: 120) { $0.questions }
        Member("links") { $0.links }
    }
}

extension ChainReport.Link: Shaped {
    package static let shape = Shape<ChainReport.Link>("ChainReportLink", "What a lane found, and its cost.") {
        Member("lane", example: "gazetteer") { $0.lane }
        Member("asked", "The questions for which the lane was called.", example: 120) { $0.asked }
        Member("resolved", "Of these, located as finely as asked.", example: 20) { $0.resolved }
        Member("weak", "Of these, located more coarsely.", example: 60) { $0.weak }
        Member("share", "Both, of `asked`.", example: 0.66) { $0.share }.bounds(0, 1)
        Member("calls", "One for each question and each step.", example: 150) { $0.calls }
        Member("cost", "By the lane's present price, with full requests.") { $0.cost }.bounds(0)
        Member("currency") { $0.price?.currency }
    }
}

extension CacheStats: Shaped {
    package static let shape = Shape<CacheStats>("CacheCount", "The stored answers of a provider with one status.") {
        Member("provider", "Null if no provider answered.", example: "nominatim") {
            $0.provider.isEmpty ? nil : $0.provider
        }
        Member("status", example: .located) { $0.status }
        Member("answers", example: 120) { $0.answers }
        Member("shared", "Copied from another spelling or unit, without a call.", example: 3) { $0.shared }
        Member("pinned", "Decided by a person.", example: 1) { $0.pinned }
        Member("expiring", example: 0) { $0.expiring }
        Member("oldest_seconds", example: .seconds(86_400)) { $0.oldest }
    }
}

extension StoredAnswer: Shaped {
    package static let shape = Shape<StoredAnswer>("KeptAnswer", "A stored answer, without its address and its place.")
    {
        Member("id", "Of the question.", example: 7) { $0.id }.bounds(1)
        Member("status", example: .located) { $0.status }
        Member("provider", example: "nominatim") { $0.provider }
        Member("precision", example: .rooftop) { $0.precision }
        Member("confidence", confidenceHelp, example: 0.96) { $0.confidence }.bounds(0, 1)
        Member("area_confidence", areaConfidenceHelp, example: 0.96) { $0.areaConfidence }.bounds(0, 1)
        Member("is_weak", "Coarser than the question.") { $0.isWeak }
        Member("is_pinned", "A person decided it.") { $0.isPinned }
        Member("is_shared", "Copied from another spelling, without a call.") { $0.isShared }
        Member("is_lent", "The provider permits to keep it for a while only.") { $0.isLent }
        Member("reason", "Why there is no place.") { $0.reason }
        Member("answered_at") { $0.answeredAt.map { Moment($0) } }
        Member("expires_at") { $0.expiresAt.map { Moment($0) } }
    }
}

extension GeocodeStatus: JSONRepresentable {}
