package import Geocoding
import Towns

/// A contact as its source describes it.
package struct Friend: Hashable, Sendable {
    /// The source's key of the friend; the same key means the same friend.
    package var sourceKey: String
    /// The name to show.
    package var name: String
    /// The parts of the name, blank if the source has only the whole name.
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

/// An address with its label: home, work.
package struct LabelledAddress: Hashable, Sendable {
    package var label: String
    package var address: Address
    /// The contact's own position, if it has one: it becomes a pin, and no provider is called.
    package var position: Coordinate?

    package init(label: String, address: Address, position: Coordinate? = nil) {
        self.label = label
        self.address = address
        self.position = position
    }

    /// The part of the address from which the position is far away, such as the town; nil if there is none.
    package var distantPart: Precision? {
        position.flatMap { Gazetteer.shared.part(of: address, farFrom: $0) }
    }
}
