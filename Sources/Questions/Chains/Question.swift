package import Geocoding

/// A question on its way along its chain.
package struct Question: Identifiable, Sendable {
    package enum Subject: Hashable, Sendable {
        case address(Address)
        case coordinate(Coordinate)
    }

    package let id: Int
    package let subject: Subject
    package let chain: Chain
    /// The present link.
    package let link: Int
    /// The step by which the address is put to its provider; nil for the first step.
    package let step: LadderStep?
    /// The best places so far; nil if no provider has answered yet.
    package let candidates: [Place]?
    /// Names the first provider of the chain that did not look, and why; nil if all have looked so far.
    package let failure: String?
    /// The question that this shadow asks again; nil for a question that is not a shadow.
    let shadowOf: Int?
    /// The address without its typos, which is sent instead of the original; nil before ``mend(by:for:)``.
    private var mended: Address?

    package init(
        id: Int, subject: Subject, chain: Chain, link: Int = 0, step: LadderStep? = nil,
        candidates: [Place]? = nil, failure: String? = nil, shadowOf: Int? = nil
    ) {
        (self.id, self.subject, self.chain, self.link, self.step) = (id, subject, chain, link, step)
        (self.candidates, self.failure, self.shadowOf) = (candidates, failure, shadowOf)
    }
}

extension Question.Subject {
    /// Nil for a coordinate.
    package var address: Address? { if case .address(let address) = self { address } else { nil } }
    /// Nil for an address.
    package var coordinate: Coordinate? { if case .coordinate(let coordinate) = self { coordinate } else { nil } }
    /// The code of the country in an address, if it is a known one.
    var country: String? { address.flatMap { Country($0.country)?.code } }
}

/// The next state of a question after a call.
package enum Turn: Hashable, Sendable {
    case located(Place)
    /// A person should choose among these, the best first.
    case needsReview([Place])
    /// The provider found no such place, or only places too poor to be the right one.
    case notFound([Place])
    case failed(reason: String)
    /// It is located or needs review, but a provider of the chain did not look. So it is asked again later. `failure`
    /// names the provider.
    indirect case provisional(Turn, failure: String)
    case goesOn(Onward)

    /// The next link or step of a question, and its state so far.
    package struct Onward: Hashable, Sendable {
        package let lane: String
        package let link: Int
        package let step: LadderStep?
        package let candidates: [Place]?
        package let failure: String?
        /// The result of the call, in a few words that contain nothing of the address; nil if there was no call.
        package let because: String?

        package init(
            lane: String, link: Int, step: LadderStep?, candidates: [Place]?, failure: String?, because: String?
        ) {
            (self.lane, self.link, self.step) = (lane, link, step)
            (self.candidates, self.failure, self.because) = (candidates, failure, because)
        }
    }
}

extension Question {
    /// Returns the steps by which the address is put to a provider, in order; nil for a coordinate.
    private func ladder(_ terms: ProviderTerms) -> QueryLadder? {
        guard let address = mended ?? subject.address else { return nil }
        return QueryLadder(for: address, forms: terms.forms, finest: terms.finest, steps: permitted(terms))
    }

    /// Returns the present step for a provider; nil for a coordinate.
    package func rung(_ terms: ProviderTerms) -> QueryLadder.Rung? {
        guard let address = mended ?? subject.address else { return nil }
        let first = QueryLadder.firstRung(
            for: address, forms: terms.forms, finest: terms.finest, steps: permitted(terms))
        guard let step, step != first.step else { return first }
        return ladder(terms)?.rungs.first { $0.step == step } ?? first
    }

    /// Corrects typos in the address, if the provider knows streets. This takes milliseconds for some addresses, which
    /// must not be lost between a slot and its call.
    package mutating func mend(by mending: any AddressMending, for terms: ProviderTerms) {
        if terms.finest <= .street { mended = subject.address.map(mending.mended) }
    }

    private func permitted(_ terms: ProviderTerms) -> Set<LadderStep> {
        chain.links[link].steps.map(Set.init) ?? terms.steps
    }

    /// Returns the state after an answer.
    package func turn(after answer: Geocoding.Answer, from provider: String, _ terms: ProviderTerms) -> Turn {
        let rung = rung(terms)
        let known: [Place]?
        var graded: [Place] = []
        var failure = failure
        switch answer {
        case .found(let found):
            graded = grade(found.compactMap(\.checked), from: provider, terms, rung?.step)
                .merged(with: [], located: chain.located)
            known = candidates.map { $0.merged(with: graded, located: chain.located) } ?? graded
        case .notFound: known = candidates ?? []
        case .refused(let reason):
            known = candidates
            // Another step of this provider may have found something.
            if known?.contains(where: { $0.provider == provider }) != true {
                failure = failure ?? Self.words(for: reason, of: provider)
            }
        }
        if let known, let best = known.first, isGoodEnough(best), !known.isTie { return .located(best) }
        let lead = graded.filter(isLead).max { $0.areaConfidence < $1.areaConfidence }
        let result = answer.summary(graded)
        // With another step the provider may find a finer place, but it would find again what it has already found.
        if let rung, let ladder = ladder(terms), let next = next(after: rung, on: ladder, lead, known) {
            return goOn(to: link, next.step, with: known, failure: self.failure, because: result)
        }
        return leave(with: known, failure: failure, because: result)
    }

    /// After a place good enough to review, the only further step is one with another house number of its street.
    private func next(
        after rung: QueryLadder.Rung, on ladder: QueryLadder, _ lead: Place?, _ known: [Place]?
    ) -> QueryLadder.Rung? {
        guard let lead else { return ladder.next(after: rung.step, finerThan: finest(of: known)) }
        return lead.isWeak ? ladder.next(after: rung.step, isStreetKnown: true) : nil
    }

    /// Returns the state after a provider that could not be called, for good or for too long.
    package func turn(afterFailure reason: String) -> Turn {
        leave(
            with: candidates, failure: failure ?? Self.words(for: reason, of: chain.links[link].lane),
            because: "could not be called: \(reason)")
    }

    /// Returns the state after a provider that was not called, because the address is in a country that it does not
    /// cover.
    package func turn(outsideOf provider: String) -> Turn {
        leave(with: candidates, failure: failure, because: "refused: \(provider) does not cover that country")
    }

    /// `nominatim did not look: it answered 500`
    private static func words(for reason: String, of provider: String) -> String {
        let start = provider + " "
        return "\(provider) did not look: " + (reason.hasPrefix(start) ? "it \(reason.dropFirst(start.count))" : reason)
    }

    /// Stays as it is: the same question to the same provider.
    var asItIs: Turn { goOn(to: link, step, with: candidates, failure: failure, because: nil) }

    private func goOn(
        to link: Int, _ step: LadderStep? = nil, with known: [Place]?, failure: String?, because result: String?
    ) -> Turn {
        .goesOn(
            Turn.Onward(
                lane: chain.links[link].lane, link: link, step: step, candidates: known, failure: failure,
                because: result))
    }

    /// Goes to the next link, or ends with the best place.
    private func leave(with known: [Place]?, failure: String?, because result: String) -> Turn {
        let best = known?.first
        // A weak answer, however sure, counts as worse than any confidence that a link requires.
        let worth = best.map { $0.isWeak ? 0 : $0.areaConfidence }
        if let next = chain.link(from: link + 1, country: subject.country, best: worth) {
            return goOn(to: next, with: known, failure: failure, because: result)
        }
        let end: Turn? =
            if let answer = known?.answer(located: chain.located) {
                .located(answer)
            } else if let best, let known, best.areaConfidence >= chain.review {
                .needsReview(known)
            } else {
                nil
            }
        if let end { return failure.map { .provisional(end, failure: $0) } ?? end }
        // A provider that failed has not answered "not found".
        if let failure { return .failed(reason: failure) }
        guard let known else { return .failed(reason: result) }
        return .notFound(known)
    }

    private func isBelieved(_ candidate: Place) -> Bool { candidate.areaConfidence >= chain.located }

    /// True if it ends the question: as fine as the question, or as fine as this link requires.
    private func isGoodEnough(_ candidate: Place) -> Bool {
        isBelieved(candidate) && chain.links[link].stopAt.map { candidate.precision <= $0 } ?? !candidate.isWeak
    }

    /// True if it is what was asked, or a street for a house: then the provider knows nothing finer.
    private func isLead(_ candidate: Place) -> Bool {
        candidate.areaConfidence >= chain.review && (!candidate.isWeak || candidate.precision <= .street)
    }

    /// The finest answer that is believed already, which another must surpass; nil if there is none.
    private func finest(of known: [Place]?) -> Precision? {
        known?.filter(isBelieved).map(\.precision).min()
    }

    func grade(
        _ candidates: [Candidate], from provider: String, _ terms: ProviderTerms, _ step: LadderStep?
    ) -> [Place] {
        let asked = subject.address.map { ComparableAddress($0) }
        return candidates.map { candidate in
            Place(
                placemark: candidate.placemark, precision: candidate.precision,
                // An answer to a coordinate can't be compared with an address.
                areaConfidence: asked?.confidence(in: candidate) ?? candidate.score ?? 1,
                isWeak: asked?.isWeak(candidate.precision) ?? false, provider: provider, step: step,
                storage: terms.storage)
        }
    }
}

extension Geocoding.Answer {
    /// Describes the result of a call in a few words that contain nothing of the address. `candidates` are the places
    /// found, the best first.
    fileprivate func summary(_ candidates: [Place]) -> String {
        switch self {
        case .found: candidates.first?.summary ?? "found nothing"
        case .notFound: "knows no such place"
        case .refused(let reason): "refused: \(reason)"
        }
    }
}
