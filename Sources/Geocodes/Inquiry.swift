package import Geocoding

/// A question on its way along its chain.
package struct Inquiry: Identifiable, Sendable {
    package enum Subject: Hashable, Sendable {
        case address(Address)
        case coordinate(Coordinate)
    }

    package let id: Int
    package let subject: Subject
    package let chain: Chain
    /// Which link is asked now.
    package let link: Int
    /// How the address is put to it; nil for the first way there is.
    package let step: LadderStep?
    /// The best so far; nil when nobody has looked yet.
    package let candidates: [GradedCandidate]?
    /// Why somebody who should have looked could not.
    package let failure: String?

    package init(
        id: Int, subject: Subject, chain: Chain, link: Int = 0, step: LadderStep? = nil,
        candidates: [GradedCandidate]? = nil, failure: String? = nil
    ) {
        self.id = id
        self.subject = subject
        self.chain = chain
        self.link = link
        self.step = step
        self.candidates = candidates
        self.failure = failure
    }
}

/// What becomes of a question after a call.
package enum Turn: Hashable, Sendable {
    case located(GradedCandidate)
    /// Somebody should look at these, the best first.
    case needsReview([GradedCandidate])
    /// Who was asked looked, and knows no such place; what was found is too poor to be meant.
    case notFound([GradedCandidate])
    case failed(reason: String)
    case goesOn(Onward)

    /// Where a question goes next, and what it takes along.
    package struct Onward: Hashable, Sendable {
        package let lane: String
        package let link: Int
        package let step: LadderStep?
        package let candidates: [GradedCandidate]?
        package let failure: String?
        /// What came of the call, in a few words that hold nothing of the address; nil when there was none.
        package let because: String?
    }
}

extension Inquiry {
    /// The ways in which the address is put to a provider, in their order; nil for a coordinate.
    private func ladder(_ terms: ProviderTerms) -> QueryLadder? {
        guard case .address(let address) = subject else { return nil }
        return QueryLadder(for: address, forms: terms.forms, steps: permitted)
    }

    /// The way in which the address is put to a provider now; nil for a coordinate.
    package func rung(_ terms: ProviderTerms) -> QueryLadder.Rung? {
        guard case .address(let address) = subject else { return nil }
        let first = QueryLadder.firstRung(for: address, forms: terms.forms, steps: permitted)
        guard let step, step != first.step else { return first }
        return ladder(terms)?.rungs.first { $0.step == step } ?? first
    }

    private var permitted: Set<LadderStep> { chain.links[link].steps.map(Set.init) ?? Self.allSteps }
    private static let allSteps = Set(LadderStep.allCases)

    /// What comes after an answer.
    package func turn(after answer: Answer, from provider: String, _ terms: ProviderTerms) -> Turn {
        let rung = rung(terms)
        let known: [GradedCandidate]?
        let result: String
        var isLead = false
        switch answer {
        case .found(let found):
            let graded = found.compactMap(\.checked).map { grade($0, from: provider, terms, rung?.step) }
            isLead = graded.contains { $0.confidence >= chain.review }
            known = (candidates ?? []).merged(with: graded)
            result = [GradedCandidate]().merged(with: graded).first.map(\.summary) ?? "found nothing"
        case .notFound: (known, result) = (candidates ?? [], "knows no such place")
        case .refused(let reason): (known, result) = (candidates, "refused: \(reason)")
        }
        if let known, let best = known.first, isGoodEnough(best), !known.isTie { return .located(best) }
        // Asked in other words the provider may find something; what it has found already it would find again.
        if !isLead, let rung, let next = ladder(terms)?.next(after: rung.step) {
            return .goesOn(
                Turn.Onward(
                    lane: chain.links[link].lane, link: link, step: next.step, candidates: known, failure: failure,
                    because: result))
        }
        return leave(with: known, failure: failure, because: result)
    }

    /// What comes after a provider that could not be asked, for good or for too long.
    package func turn(afterFailure reason: String) -> Turn {
        leave(with: candidates, failure: failure ?? reason, because: "could not be asked: \(reason)")
    }

    /// The same question, to the same provider.
    package var asItIs: Turn.Onward {
        Turn.Onward(
            lane: chain.links[link].lane, link: link, step: step, candidates: candidates, failure: failure,
            because: nil)
    }

    /// Goes to the next link, or ends with the best there is.
    private func leave(with known: [GradedCandidate]?, failure: String?, because result: String) -> Turn {
        let best = known?.first
        if let next = chain.link(from: link + 1, country: country, best: best?.confidence) {
            return .goesOn(
                Turn.Onward(
                    lane: chain.links[next].lane, link: next, step: nil, candidates: known, failure: failure,
                    because: result))
        }
        if let best, best.confidence >= chain.located, known?.isTie != true { return .located(best) }
        if let best, let known, best.confidence >= chain.review { return .needsReview(known) }
        // Who could not look has not said that there is nothing.
        if let failure { return .failed(reason: failure) }
        guard let known else { return .failed(reason: result) }
        return .notFound(known)
    }

    private func isGoodEnough(_ candidate: GradedCandidate) -> Bool {
        candidate.confidence >= chain.located && chain.links[link].stopAt.map { candidate.precision <= $0 } ?? true
    }

    private func grade(
        _ candidate: Candidate, from provider: String, _ terms: ProviderTerms, _ step: LadderStep?
    ) -> GradedCandidate {
        let confidence =
            switch subject {
            case .address(let address): Confidence(of: candidate, for: address).value
            // Whatever is there is there.
            case .coordinate: candidate.score ?? 1
            }
        return GradedCandidate(
            placemark: candidate.placemark, precision: candidate.precision, confidence: confidence, provider: provider,
            step: step, storage: terms.storage)
    }

    private var country: String? { subject.country }
}
