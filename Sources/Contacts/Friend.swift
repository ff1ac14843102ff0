package import Geocoding

/// A contact as a source gives it.
package struct Friend: Hashable, Sendable {
    /// How the source calls them; the same key means the same friend.
    package var sourceKey: String
    package var name: String
    package var addresses: [LabelledAddress]

    package init(sourceKey: String, name: String, addresses: [LabelledAddress]) {
        self.sourceKey = sourceKey
        self.name = name
        self.addresses = addresses
    }
}

/// An address and what the contact calls it: home, work.
package struct LabelledAddress: Hashable, Sendable {
    package var label: String
    package var address: Address

    package init(label: String, address: Address) {
        self.label = label
        self.address = address
    }
}
