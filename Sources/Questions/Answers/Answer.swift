import Geocoding
package import Postgres

/// The end of a question: its place, or the reason why it has none.
struct Answer: Sendable {
    let status: GeocodeStatus
    /// The place of a located question; nil for the others.
    var place: Place?
    /// The places found for a question that is not located, the best first.
    var candidates: [Place] = []
    /// The lane that answered last, or `pin`.
    var provider: String?
    var step: LadderStep?
    var reason: String?
    /// For how many days it may be kept; nil for ever.
    var days: Int?
    /// After how many days it is asked again, because a provider of the chain did not look; nil if all did.
    var daysToAskAgain: Int?
    /// A provider of the chain did not look; `reason` names it.
    private(set) var isProvisional = false
    /// A person decided it, so it does not expire.
    var isPinned = false
    /// The question for which the place was found, if that is another spelling.
    var source: Int?

    init(_ status: GeocodeStatus, from provider: String?) {
        self.status = status
        self.provider = provider
    }

    init(located place: Place) {
        self.init(.located, from: place.provider)
        self.place = place
        step = place.step
        days = place.days
    }

    /// Returns nil if the question goes on.
    init?(after turn: Turn, of question: Question, from provider: String) {
        switch turn {
        case .located(let place): self.init(located: place)
        case .needsReview(let candidates):
            self.init(.needsReview, from: provider)
            reason = Doubt.words(for: candidates, of: question.subject, isChoice: true)
            keep(candidates)
        case .notFound(let candidates):
            self.init(.notFound, from: provider)
            reason = Doubt.words(for: candidates, of: question.subject, isChoice: false)
            keep(candidates, days: question.chain.keepNotFound)
        case .failed(let reason):
            self.init(.failed, from: provider)
            self.reason = reason
            days = question.chain.keepFailed
        case .provisional(let end, let failure):
            self.init(after: end, of: question, from: provider)
            isProvisional = true
            reason = [place.map { $0.weakness } ?? reason, failure].compactMap(\.self).joined(separator: "; ")
            // A place stays while it is asked again. Candidates are asked again when they expire.
            if place == nil {
                days = min(days ?? .max, question.chain.keepFailed)
            } else {
                daysToAskAgain = question.chain.keepFailed
            }
        case .goesOn: return nil
        }
    }

    /// The provider of a candidate may permit fewer days.
    private mutating func keep(_ candidates: [Place], days: Int? = nil) {
        self.candidates = candidates
        self.days = (candidates.map(\.days) + [days]).compactMap(\.self).min()
    }

    /// True if every provider of the chain that should have been called has looked.
    var isWhole: Bool { status != .failed && !isProvisional }

    fileprivate var areaConfidence: Double? { place?.areaConfidence ?? candidates.first?.areaConfidence }
    fileprivate var isLent: Bool { place?.isLent ?? candidates.contains(where: \.isLent) }
}

/// The columns of an answer. Statements that read, write, copy or compare answers are built from these lists.
extension Answer {
    /// The columns of its place.
    fileprivate static let ofPlace = [
        "latitude", "longitude", "precision", "placemark", "provider", "step", "confidence", "is_weak",
    ]
    /// The columns that another spelling copies.
    private static let copied =
        ["status"] + ofPlace + ["geocoded_at", "expires_at", "is_lent", "shared_from", "reason", "ask_again_at"]
    /// The columns that it does not copy. The API's role may not read the candidates of other accounts.
    private static let own = ["candidates", "pinned_at"]

    static let copiedColumns = list(copied) { $0 }

    /// The columns without the point and its names, which are private.
    static let facts = list(copied.filter { !["latitude", "longitude", "placemark"].contains($0) }) { $0 }

    /// `status = answer.status, latitude = answer.latitude, …`. `values` replaces some of the values.
    static func assignments(from alias: String = "answer", replacing values: [String: String] = [:]) -> SQL {
        list(copied + own) { "\($0) = \(values[$0] ?? "\(alias).\($0)")" }
    }

    /// `answer.status, answer.latitude, …`, in the order of ``copiedColumns``.
    static func copies(from alias: String = "answer", replacing values: [String: String]) -> SQL {
        list(copied) { values[$0] ?? "\(alias).\($0)" }
    }

    /// `(was.status, was.latitude, …)`
    static func row(of alias: String) -> SQL { "(\(part: list(copied + own) { "\(alias).\($0)" }))" }

    /// Removes the answer. A question without an answer waits.
    static let removal = list(copied + own) { "\($0) = DEFAULT" }

    /// Deletes the place and the candidates. The provider and the time of the answer stay, for statistics.
    static let deletion = list((copied + own).filter { !kept.contains($0) }) { "\($0) = DEFAULT" }

    private static let kept = ["status", "provider", "step", "geocoded_at", "shared_from", "pinned_at"]

    /// The answer of a row as a JSON object.
    static let json: SQL = "jsonb_build_object(\(part: list(copied + own + ["follows"]) { "'\($0)', \($0)" }))"

    fileprivate static func list(_ names: [String], _ part: (String) -> String) -> SQL {
        SQL(stringLiteral: names.map(part).joined(separator: ", "))
    }

    /// The answers as a table, each with the id of its question.
    static func table(_ answers: [(id: Int, answer: Answer)]) -> SQL {
        let all = answers.map(\.answer)
        let places = all.map(\.place)
        return """
            SELECT *, now() AS geocoded_at, now() + days * interval '1 day' AS expires_at,
                   now() + days_to_ask_again * interval '1 day' AS ask_again_at,
                   CASE WHEN is_pinned THEN now() END AS pinned_at
            FROM unnest(
                \(answers.map(\.id)), \(all.map(\.status.rawValue))::geocode_status[],
                \(places.map { $0?.placemark.coordinate.latitude }), \(places.map { $0?.placemark.coordinate.longitude }),
                \(places.map { $0?.precision.rawValue }), \(places.map { $0?.placemark.namesAsJSON })::jsonb[],
                \(all.map(\.provider)), \(all.map { $0.step?.rawValue }), \(all.map(\.areaConfidence)),
                \(places.map { $0?.isWeak ?? false }), \(all.map { $0.candidates.isEmpty ? nil : $0.candidates.json })::jsonb[],
                \(all.map(\.reason)), \(all.map(\.days)), \(all.map(\.daysToAskAgain)), \(all.map(\.isLent)),
                \(all.map(\.isPinned)), \(all.map(\.source))
            ) AS answers (
                id, status, latitude, longitude, precision, placemark, provider, step, confidence, is_weak, candidates,
                reason, days, days_to_ask_again, is_lent, is_pinned, shared_from)
            """
    }
}

extension Place {
    /// The columns that ``init(_:)`` reads.
    package static let columns = Answer.list(Answer.ofPlace) { $0 }

    /// ``confidence`` of a row of `geocodes`, or of a part of it with this name; null without a place.
    package static func confidence(of row: String) -> SQL {
        let cases = Precision.pointFactors.map { precision, isWeak, factor in
            "WHEN \(row).precision = '\(precision.rawValue)' AND \(row).is_weak = \(isWeak) THEN \(factor)"
        }
        return SQL(
            stringLiteral: "(\(row).confidence * CASE WHEN \(row).precision IS NULL THEN NULL "
                + "\(cases.joined(separator: " ")) ELSE 1 END)::real")
    }

    /// Returns the place of a row; nil if it has none.
    package init?(_ row: Row) throws {
        guard let latitude = try row.readIfPresent("latitude", as: Double.self),
            let coordinate = Coordinate(latitude: latitude, longitude: try row.read("longitude")),
            let precision = Precision(rawValue: try row.read("precision"))
        else { return nil }
        self.init(
            placemark: try Placemark(at: coordinate, names: row.readIfPresent("placemark")), precision: precision,
            areaConfidence: try row.readIfPresent("confidence") ?? 0, isWeak: try row.read("is_weak"),
            provider: try row.readIfPresent("provider") ?? "",
            step: try row.readIfPresent("step").flatMap(LadderStep.init(rawValue:)))
    }
}
