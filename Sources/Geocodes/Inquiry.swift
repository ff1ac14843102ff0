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
    /// The question that this one asks again; nil for one that is asked for itself.
    package let shadowOf: Int?

    package init(
        id: Int, subject: Subject, chain: Chain, link: Int = 0, step: LadderStep? = nil,
        candidates: [GradedCandidate]? = nil, failure: String? = nil, shadowOf: Int? = nil
    ) {
        self.id = id
        self.subject = subject
        self.chain = chain
        self.link = link
        self.step = step
        self.candidates = candidates
        self.failure = failure
        self.shadowOf = shadowOf
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
    private func ladder(_ terms: ProviderTerms, _ mending: (any AddressMending)?) -> QueryLadder? {
        guard let address = question(terms, mending) else { return nil }
        return QueryLadder(for: address, forms: terms.forms, finest: terms.finest, steps: permitted(terms))
    }

    /// The way in which the address is put to a provider now; nil for a coordinate.
    package func rung(_ terms: ProviderTerms, mending: (any AddressMending)? = nil) -> QueryLadder.Rung? {
        guard let address = question(terms, mending) else { return nil }
        let first = QueryLadder.firstRung(
            for: address, forms: terms.forms, finest: terms.finest, steps: permitted(terms))
        guard let step, step != first.step else { return first }
        return ladder(terms, mending)?.rungs.first { $0.step == step } ?? first
    }

    /// The address to ask for, mended for whoever takes it by the letter. Who knows no streets reads it as it is.
    private func question(_ terms: ProviderTerms, _ mending: (any AddressMending)?) -> Address? {
        guard case .address(let address) = subject else { return nil }
        guard let mending, terms.finest <= .street else { return address }
        return mending.mended(address)
    }

    private func permitted(_ terms: ProviderTerms) -> Set<LadderStep> {
        chain.links[link].steps.map(Set.init) ?? terms.steps
    }

    /// What comes after an answer. `mending` is the one with which it was asked for.
    package func turn(
        after answer: Answer, from provider: String, _ terms: ProviderTerms, mending: (any AddressMending)? = nil
    ) -> Turn {
        let rung = rung(terms, mending: mending)
        let known: [GradedCandidate]?
        var graded: [GradedCandidate] = []
        switch answer {
        case .found(let found):
            graded = grade(found.compactMap(\.checked), from: provider, terms, rung?.step)
                .merged(with: [], located: chain.located)
            known = candidates.map { $0.merged(with: graded, located: chain.located) } ?? graded
        case .notFound: known = candidates ?? []
        case .refused: known = candidates
        }
        if let known, let best = known.first, isGoodEnough(best), !known.isTie { return .located(best) }
        let lead = graded.filter(isLead).max { $0.confidence < $1.confidence }
        let result = answer.summary(graded)
        // Asked in other words the provider may find something finer; what it has found already it would find again.
        if let rung, let ladder = ladder(terms, mending), let next = next(after: rung, on: ladder, lead, known) {
            return .goesOn(
                Turn.Onward(
                    lane: chain.links[link].lane, link: link, step: next.step, candidates: known, failure: failure,
                    because: result))
        }
        return leave(with: known, failure: failure, because: result)
    }

    /// Who has found something worth a look is asked again only for another number of its street.
    private func next(
        after rung: QueryLadder.Rung, on ladder: QueryLadder, _ lead: GradedCandidate?, _ known: [GradedCandidate]?
    ) -> QueryLadder.Rung? {
        guard let lead else { return ladder.next(after: rung.step, finerThan: finest(of: known)) }
        return lead.isWeak ? ladder.next(after: rung.step, isStreetKnown: true) : nil
    }

    /// What comes after a provider that could not be asked, for good or for too long.
    package func turn(afterFailure reason: String) -> Turn {
        leave(with: candidates, failure: failure ?? reason, because: "could not be called: \(reason)")
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
        // A weak answer, however sure, is worse than any confidence that a link asks for.
        let worth = best.map { $0.isWeak ? 0 : $0.confidence }
        if let next = chain.link(from: link + 1, country: country, best: worth) {
            return .goesOn(
                Turn.Onward(
                    lane: chain.links[next].lane, link: next, step: nil, candidates: known, failure: failure,
                    because: result))
        }
        if let answer = known?.answer(located: chain.located) { return .located(answer) }
        if let best, let known, best.confidence >= chain.review { return .needsReview(known) }
        // A provider that failed has not answered "not found".
        if let failure { return .failed(reason: failure) }
        guard let known else { return .failed(reason: result) }
        return .notFound(known)
    }

    private func isBelieved(_ candidate: GradedCandidate) -> Bool { candidate.confidence >= chain.located }

    /// Whether it ends the question: as fine as was asked for, or as this link requires.
    private func isGoodEnough(_ candidate: GradedCandidate) -> Bool {
        isBelieved(candidate) && chain.links[link].stopAt.map { candidate.precision <= $0 } ?? !candidate.isWeak
    }

    /// Whether it is what was asked for, or a street for a house: then it is all that this provider knows.
    private func isLead(_ candidate: GradedCandidate) -> Bool {
        candidate.confidence >= chain.review && (!candidate.isWeak || candidate.precision <= .street)
    }

    /// The finest answer that is believed already, and that another must surpass; nil if there is none.
    private func finest(of known: [GradedCandidate]?) -> Precision? {
        known?.filter(isBelieved).map(\.precision).min()
    }

    private func grade(
        _ candidates: [Candidate], from provider: String, _ terms: ProviderTerms, _ step: LadderStep?
    ) -> [GradedCandidate] {
        let asked: AskedAddress? = if case .address(let address) = subject { AskedAddress(address) } else { nil }
        return candidates.map { candidate in
            GradedCandidate(
                placemark: candidate.placemark, precision: candidate.precision,
                // An answer to a coordinate has nothing to be graded against.
                confidence: asked?.confidence(in: candidate) ?? candidate.score ?? 1,
                isWeak: asked?.isWeak(candidate.precision) ?? false, provider: provider, step: step,
                storage: terms.storage)
        }
    }

    private var country: String? { subject.country }
}

extension Answer {
    /// What came of a call, in a few words that hold nothing of the address. `candidates` are those found, the best first.
    fileprivate func summary(_ candidates: [GradedCandidate]) -> String {
        switch self {
        case .found: candidates.first?.summary ?? "found nothing"
        case .notFound: "knows no such place"
        case .refused(let reason): "refused: \(reason)"
        }
    }
}
