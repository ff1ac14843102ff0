package import Geocoding

/// The way of a question along its chain through providers that are in this process. It needs no queue, no limit and no
/// worker, and stores nothing.
package struct LocalWalk: Sendable {
    /// The places so far, the best first. Those of an answer that a person should review are among them.
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
                var query = question.rung(terms)?.query
                query?.order = chain.lineOrder
                let found = try await look(query, subject.coordinate)
                turn = question.turn(after: found, from: lane, terms)
                if case .found(let candidates) = found {
                    let graded = question.grade(
                        candidates.compactMap(\.checked), from: lane, terms, query == nil ? nil : question.step)
                    places += graded.filter { !places.contains($0) }
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
        if let answer { places = [answer] + places.filter { $0 != answer } }
        if !isOver { answer = places.first.flatMap { $0.areaConfidence >= located ? $0 : nil } }
    }
}
