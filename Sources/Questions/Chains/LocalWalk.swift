package import Geocoding

/// The way of a question along its chain through providers that are in this process. It needs no queue, no limit and no
/// worker, and stores nothing.
package struct LocalWalk: Sendable {
    /// The places so far that have what was asked, the best first: also other towns of the same name.
    package private(set) var places: [Place] = []
    /// True if the question ended here. Otherwise its next provider is outside.
    package private(set) var isOver = false
    /// The answer, if it is sure enough.
    package private(set) var answer: Place?

    /// Asks one question of a provider.
    package typealias Look = @Sendable (Query?, Coordinate?) async throws -> Geocoding.Answer

    /// `provider` returns the terms of a lane whose provider is here, and how to ask it.
    package init(
        _ subject: Question.Subject, along chain: Chain, mending: (any AddressMending)?,
        _ provider: (String) -> (terms: ProviderTerms, look: Look)?
    ) async throws {
        var question = Question(id: 0, subject: subject, chain: chain, link: chain.start(of: subject))
        while let (terms, look) = provider(chain.links[question.link].lane) {
            let lane = chain.links[question.link].lane
            if let mending { question.mend(by: mending, for: terms) }
            let turn: Turn
            if question.isOutside(terms.countries) {
                turn = question.turn(outsideOf: lane)
            } else {
                let rung = question.rung(terms)
                var query = rung?.query
                query?.order = chain.lineOrder
                let found: Geocoding.Answer
                // A worker will try again.
                do { found = try await look(query, subject.coordinate) } catch is ProviderError { break }
                turn = question.turn(after: found, from: lane, terms)
                if case .found(let candidates) = found {
                    let fitting = candidates.compactMap(\.checked).filter { question.fits($0, from: chain.review) }
                    let graded = question.grade(fitting, from: lane, terms, rung?.step)
                    places += graded.filter { !places.contains(where: $0.isSighting) }
                }
            }
            switch turn {
            case .goesOn(let next):
                question = Question(
                    id: 0, subject: subject, chain: chain, link: next.link, step: next.step,
                    candidates: next.candidates, failure: next.failure)
                continue
            case .located(let place), .provisional(.located(let place), _): answer = place
            case .needsReview, .provisional(.needsReview, _): break
            default: places = []
            }
            isOver = true
            break
        }
        let located = chain.located
        places = places.enumerated().sorted { one, other in
            one.element.isBetter(than: other.element, located: located)
                || one.offset < other.offset && !other.element.isBetter(than: one.element, located: located)
        }.map(\.element)
        if let answer { places = [answer] + places.filter { !$0.isSighting(of: answer) } }
        if !isOver { answer = places.first.flatMap { $0.areaConfidence >= located ? $0 : nil } }
    }
}

extension Question {
    /// True if the candidate has what was asked, however few people mean it by its name.
    fileprivate func fits(_ candidate: Candidate, from least: Double) -> Bool {
        guard let address = subject.address else { return true }
        var candidate = candidate
        candidate.share = 1
        return ComparableAddress(address).confidence(in: candidate) >= least
    }
}
