/// The text of an address that is hashed, recipe `v2`: the version, then street, city, region, postcode and country,
/// each folded, separated by U+001F.
///
/// The fold replaces U+001F within a field by a space, so one field can't look like two.
struct HashedText {
    private(set) var utf8 = Array("v2".utf8)

    init(_ address: Address) {
        utf8.reserveCapacity(256)
        // The country is folded first, because the others depend on it.
        var folded: [UInt8] = []
        Folding.canonical(address.country, into: &folded)
        let country = folded.isEmpty ? nil : Country(folded: folded)

        appendField { Self.append(street: address.street, in: country, to: &$0) }
        appendField { Folding.canonical(address.city, into: &$0) }
        appendField { Self.append(region: address.region, in: country, to: &$0) }
        appendField { Self.append(postcode: address.postcode, in: country, to: &$0) }
        appendField { $0 += country?.foldedCode ?? folded }
    }

    private mutating func appendField(_ append: (inout [UInt8]) -> Void) {
        utf8.append(0x1F)
        append(&utf8)
    }

    /// Appends the code of a region that has one, otherwise its name.
    private static func append(region: String, in country: Country?, to utf8: inout [UInt8]) {
        let start = utf8.count
        Folding.canonical(region, into: &utf8)
        if let country, let code = Region.code(folded: utf8[start...], in: country) {
            utf8.replaceSubrange(start..., with: code)
        }
    }

    /// Appends the postcode as a key, see ``PostcodeKey``.
    private static func append(postcode: String, in country: Country?, to utf8: inout [UInt8]) {
        let start = utf8.count
        Folding.canonical(postcode, into: &utf8)
        PostcodeKey.strip(&utf8, from: start, in: country?.code)
    }

    private static func append(street: String, in country: Country?, to utf8: inout [UInt8]) {
        let start = utf8.count
        Folding.canonical(street, into: &utf8)
        NumberSigns.drop(from: &utf8, since: start, in: country?.code)
    }
}

/// A word of up to 32 bytes, for lookups without creating a string.
package struct ShortText: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    package init?(_ utf8: ArraySlice<UInt8>) {
        guard utf8.count <= 32 else { return nil }
        for (place, byte) in utf8.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8) }
    }
}
