/// An address as it is hashed, recipe `v1`: the version, then street, city, region, postcode and country, each folded,
/// with U+001F between them.
///
/// The fold makes a space of any U+001F within a field, so no field can pass for two.
struct HashedText {
    private(set) var utf8 = Array("v1".utf8)

    init(_ address: Address) {
        utf8.reserveCapacity(256)
        // First, for the others depend on it.
        var folded: [UInt8] = []
        Folding.canonical(address.country, into: &folded)
        let country = folded.isEmpty ? nil : Country(folded: folded)

        appendField { Folding.canonical(address.street, into: &$0) }
        appendField { Folding.canonical(address.city, into: &$0) }
        appendField { Self.append(region: address.region, in: country, to: &$0) }
        appendField { Self.append(postcode: address.postcode, in: country, to: &$0) }
        appendField { $0 += country?.foldedCode ?? folded }
    }

    private mutating func appendField(_ append: (inout [UInt8]) -> Void) {
        utf8.append(0x1F)
        append(&utf8)
    }

    /// The code for a region that has one, else its name.
    private static func append(region: String, in country: Country?, to utf8: inout [UInt8]) {
        let start = utf8.count
        Folding.canonical(region, into: &utf8)
        if let country, let code = Region.code(folded: utf8[start...], in: country) {
            utf8.replaceSubrange(start..., with: code)
        }
    }

    /// Without spaces, and for the United States without the four digits that name a side of the street.
    private static func append(postcode: String, in country: Country?, to utf8: inout [UInt8]) {
        let start = utf8.count
        Folding.canonical(postcode, into: &utf8)
        utf8[start...].removeAll { $0 == UInt8(ascii: " ") }
        if country?.code == "US", isLongZIPCode(utf8[start...]) { utf8.removeSubrange((start + 5)...) }
    }

    /// `12345-6789` or `123456789`.
    private static func isLongZIPCode(_ utf8: ArraySlice<UInt8>) -> Bool {
        let rest = utf8.dropFirst(5).drop { $0 == UInt8(ascii: "-") }
        let digits = utf8.prefix(5) + rest
        return digits.count == 9 && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
