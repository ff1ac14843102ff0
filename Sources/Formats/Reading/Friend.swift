package import Geocoding

/// A contact as a source gives it.
package struct Friend: Hashable, Sendable {
    /// How the source calls them; the same key means the same friend.
    package var sourceKey: String
    /// What to show.
    package var name: String
    /// The parts of the name, blank where the source does not tell them apart.
    package var firstName: String
    package var lastName: String
    package var nickname: String
    package var addresses: [LabelledAddress]

    package init(
        sourceKey: String, name: String, firstName: String = "", lastName: String = "", nickname: String = "",
        addresses: [LabelledAddress]
    ) {
        self.sourceKey = sourceKey
        self.name = name
        self.firstName = firstName
        self.lastName = lastName
        self.nickname = nickname
        self.addresses = addresses
    }
}

/// An address and what the contact calls it: home, work.
package struct LabelledAddress: Hashable, Sendable {
    package var label: String
    package var address: Address
    /// The contact's own position, if it has one: a pin, and no provider is called.
    package var position: Coordinate?

    package init(label: String, address: Address, position: Coordinate? = nil) {
        self.label = label
        self.address = address
        self.position = position
    }
}
