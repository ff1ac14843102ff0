/// The queries to ask about one address, one after the other, until an answer is good enough.
///
/// Each is a call that somebody pays for, so no two of them ask for the same, and settings may forbid any step.
public struct QueryLadder: Hashable, Sendable {
    public struct Rung: Hashable, Sendable {
        public let step: LadderStep
        public let query: Query
    }

    /// In the order in which to ask. Never empty.
    public let rungs: [Rung]

    /// The ladder for a provider that takes queries in `forms`.
    ///
    /// Where `steps` leaves nothing, the first query that the provider takes is asked all the same: an address that
    /// nobody asks about would wait for ever. Who knows no streets, by `finest`, is asked once: less of a street is the
    /// same to it.
    public init(
        for address: Address, forms: Set<Query.Form>, finest: Precision = .rooftop,
        steps: Set<LadderStep> = Set(LadderStep.allCases)
    ) {
        let all = Self.rungs(for: address, forms: forms)
        let permitted = all.filter { steps.contains($0.step) }
        rungs = permitted.isEmpty || finest > .street ? Array((permitted + all).prefix(1)) : permitted
    }

    /// The first rung of such a ladder, without all the others: most addresses are settled by it.
    public static func firstRung(
        for address: Address, forms: Set<Query.Form>, steps: Set<LadderStep> = Set(LadderStep.allCases)
    ) -> Rung {
        if forms.contains(.structured), steps.contains(.structured) {
            return Rung(step: .structured, query: Query(address, form: .structured))
        }
        return QueryLadder(for: address, forms: forms, steps: steps).rungs[0]
    }

    /// What to ask when the answer at `step` was not good enough, and something finer than `held` is wanted; nil at the
    /// end.
    public func next(after step: LadderStep, finerThan held: Precision? = nil) -> Rung? {
        rungs.first { rung in rung.step > step && held.map { rung.step.finest < $0 } ?? true }
    }

    private static func rungs(for address: Address, forms: Set<Query.Form>) -> [Rung] {
        let relaxed: Query.Form = forms.contains(.freeForm) && !forms.contains(.structured) ? .freeForm : .structured
        var rungs: [Rung] = []
        var asked: Set<AskedQuery> = []
        for step in LadderStep.allCases {
            let query: Query
            switch step {
            case .structured where relaxed == .structured: query = Query(address, form: .structured)
            case .freeForm where forms.contains(.freeForm): query = Query(address, form: .freeForm)
            case .structured, .freeForm: continue
            case .withoutUnit, .withoutHouseNumber, .withoutStreet:
                guard let address = address.relaxed(to: step) else { continue }
                query = Query(address, form: relaxed)
            }
            if asked.insert(AskedQuery(query)).inserted { rungs.append(Rung(step: step, query: query)) }
        }
        return rungs
    }
}

/// A query without the differences of spelling that no provider minds.
private struct AskedQuery: Hashable {
    let text: [UInt8]
    let form: Query.Form

    init(_ query: Query) {
        text = HashedText(query.address).utf8
        form = query.form
    }
}

extension Address {
    /// The address with less in its street. Nil where nothing that is left tells one town from another.
    fileprivate func relaxed(to step: LadderStep) -> Address? {
        let parts = AddressParts(self)
        var address = self
        switch step {
        case .structured, .freeForm: break
        case .withoutUnit: address.street = parts.streetLine
        case .withoutHouseNumber: address.street = parts.street
        case .withoutStreet: address.street = ""
        }
        let isPlace = !Address(street: address.street, city: city, postcode: postcode).isEmpty
        return isPlace ? address : nil
    }
}
