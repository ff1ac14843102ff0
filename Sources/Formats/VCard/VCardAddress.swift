import Geocoding

/// An ADR of a card, or a LABEL that replaces one.
struct VCardAddress {
    let property: VCardProperty
    /// The name of the group that connects it with other lines, or blank.
    var group: String { property.name.group }
    var types: [String] { property.types }
    var label = ""
    var address: Address
    var position: Coordinate?

    /// Reads the 7 components of all versions and the 18 of RFC 9554. The latter contain the street and the details
    /// twice, so that older programs understand them: https://www.rfc-editor.org/rfc/rfc9554#section-2.1
    init(_ property: VCardProperty, _ encoding: TextEncoding) throws(UnusableContact) {
        self.property = property
        var parts = try property.components(encoding)
        parts += Array(repeating: "", count: max(0, 18 - parts.count))
        let street = parts[2].isEmpty ? Self.join([parts[11], parts[10]], by: " ") : parts[2]
        let inside = parts[1].isEmpty ? Self.join([parts[12], parts[9], parts[8], parts[7]], by: ", ") : parts[1]
        let city = parts[3].isEmpty ? Self.join([parts[14], parts[15]], by: ", ") : parts[3]
        address = Address(
            street: Self.join([street, inside, parts[0]], by: "\n"), city: city, region: parts[4], postcode: parts[5],
            country: parts[6])
        if !address.hasPlace, let text = property.parameter("LABEL", encoding)?.tidied, !text.isEmpty {
            address = Address(line: try property.checked(text), beside: address)
        }
    }

    /// Parses an address that the card has only as printed text.
    init(label property: VCardProperty, _ text: String) {
        self.property = property
        address = Address(line: text, beside: Address())
    }

    /// A smaller number means a stronger preference; nil if the card does not prefer this address.
    var preference: Int? {
        let number = property.values(of: "PREF").first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        return types.contains("pref") ? 1 : number
    }

    /// The types that a person would use to distinguish addresses.
    var kinds: Set<String> { Set(types).subtracting(Self.remarks) }

    /// The label of the address according to its types.
    var typeLabel: String { types.first { !Self.remarks.contains($0) } ?? "" }

    private static let remarks: Set = ["pref", "postal", "parcel", "dom", "intl"]

    private static func join(_ parts: [String], by separator: String) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: separator)
    }
}
