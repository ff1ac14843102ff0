/// How much of a place an address asks for, by the fields that say something.
///
/// It decides which answers are weak: coarser than what was asked. A town found for a street is right as a town, and is
/// counted apart from the streets.
package enum AskedDetail: Sendable, CaseIterable {
    /// A street, or the house in it.
    case street
    /// A town, by its name or its postcode.
    case town
    /// Nothing finer than a region.
    case region

    package init(hasStreet: Bool, hasTown: Bool) {
        self = hasStreet ? .street : hasTown ? .town : .region
    }

    package init(_ address: Address) {
        self.init(
            hasStreet: !Address(street: address.street).isEmpty,
            hasTown: !Address(city: address.city, postcode: address.postcode).isEmpty)
    }

    /// Whether an answer of this precision is weak.
    package func isWeak(_ precision: Precision) -> Bool {
        switch self {
        case .street: precision > .street
        case .town: precision > .city
        case .region: false
        }
    }
}
