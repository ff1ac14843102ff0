/// The queries for one address, to send one after another until an answer is good enough.
///
/// Each is a call that may cost money, so no two of them send the same text, and settings may forbid any step.
public struct QueryLadder: Hashable, Sendable {
    public struct Rung: Hashable, Sendable {
        public let step: LadderStep
        public let query: Query
    }

    /// In the order in which to send them. Never empty.
    public let rungs: [Rung]
    private let order: [LadderStep]

    /// The ladder for a provider that takes queries in `forms`.
    ///
    /// If `steps` leaves no step, the first query that the provider takes is used anyway, because an address without a
    /// call would wait for ever. A provider without streets, by `finest`, is called only once: a street with fewer
    /// parts makes no difference to it.
    public init(
        for address: Address, forms: Set<Query.Form>, finest: Precision = .rooftop,
        steps: Set<LadderStep> = Set(LadderStep.allCases)
    ) {
        let all =
            finest > .street
            ? [Rung(step: .structured, query: Query(address, form: .structured))]
            : Self.rungs(for: address, forms: forms)
        let permitted = all.filter { steps.contains($0.step) }
        order = Self.order(forms)
        rungs = permitted.isEmpty ? Array(all.prefix(1)) : permitted
    }

    /// Returns only the first rung of such a ladder: most addresses need no other.
    public static func firstRung(
        for address: Address, forms: Set<Query.Form>, finest: Precision = .rooftop,
        steps: Set<LadderStep> = Set(LadderStep.allCases)
    ) -> Rung {
        if forms.contains(.structured), steps.contains(.structured) {
            let address = finest > .street ? address : address.tidied
            return Rung(step: .structured, query: Query(address, form: .structured))
        }
        return QueryLadder(for: address, forms: forms, finest: finest, steps: steps).rungs[0]
    }

    /// Returns the next query if the answer at `step` was not good enough; nil at the end.
    ///
    /// If a place finer than `held` is wanted, steps that can't bring it are skipped. A provider that found the street
    /// but not the house would find the street again: only another house number may bring more.
    public func next(
        after step: LadderStep, finerThan held: Precision? = nil, isStreetKnown: Bool = false
    ) -> Rung? {
        let later = order.drop { $0 != step }.dropFirst()
        return rungs.first { rung in
            let isFiner = held.map { rung.step.finest < $0 } ?? true
            return later.contains(rung.step) && isFiner && (!isStreetKnown || rung.step == .plainNumber)
        }
    }

    /// Providers that take only one line get the free form first.
    private static func order(_ forms: Set<Query.Form>) -> [LadderStep] {
        guard relaxedForm(forms) == .freeForm else { return LadderStep.allCases }
        return [.freeForm] + LadderStep.allCases.filter { $0 != .freeForm }
    }

    private static func relaxedForm(_ forms: Set<Query.Form>) -> Query.Form {
        forms.contains(.freeForm) && !forms.contains(.structured) ? .freeForm : .structured
    }

    private static func rungs(for written: Address, forms: Set<Query.Form>) -> [Rung] {
        let relaxed = relaxedForm(forms)
        let tidied = written.tidied
        var rungs: [Rung] = []
        var asked: Set<AskedQuery> = []
        for step in order(forms) {
            let query: Query
            switch step {
            case .structured where relaxed == .structured: query = Query(tidied, form: .structured)
            case .freeForm where forms.contains(.freeForm):
                // Providers that take nothing else also get the tidied address.
                query = Query(relaxed == .freeForm ? tidied : written, form: .freeForm)
            case .structured, .freeForm: continue
            case .withoutUnit, .plainNumber, .withoutTown, .withoutHouseNumber, .withoutStreet:
                guard let address = tidied.relaxed(to: step) else { continue }
                query = Query(address, form: relaxed)
            }
            if asked.insert(AskedQuery(query)).inserted { rungs.append(Rung(step: step, query: query)) }
        }
        return rungs
    }
}

/// A query without the differences of spelling that no provider notices.
private struct AskedQuery: Hashable {
    let text: [UInt8]
    let form: Query.Form

    init(_ query: Query) {
        text = HashedText(query.address).utf8
        form = query.form
    }
}

extension Address {
    /// Returns the address with fewer parts. Returns nil if the rest does not identify a town, or if nothing is left
    /// out.
    fileprivate func relaxed(to step: LadderStep) -> Address? {
        let parts = AddressParts(self)
        var address = self
        switch step {
        case .structured, .freeForm: break
        case .withoutUnit: address.street = parts.streetLine
        case .plainNumber:
            guard let plain = withPlainNumber else { return nil }
            address = plain
        case .withoutTown:
            guard !parts.street.isEmpty, !city.isEmpty else { return nil }
            (address.city, address.region) = ("", "")
            if postcode.isEmpty { return nil }
        case .withoutHouseNumber: address.street = parts.street
        case .withoutStreet: address.street = ""
        }
        let isPlace = !Address(street: address.street, city: address.city, postcode: postcode).isEmpty
        return isPlace ? address : nil
    }
}
