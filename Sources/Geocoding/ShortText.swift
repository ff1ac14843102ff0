/// A word of up to 32 bytes, for lookups without creating a string.
package struct ShortText: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    package init?(_ utf8: ArraySlice<UInt8>) {
        guard utf8.count <= 32 else { return nil }
        for (place, byte) in utf8.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8) }
    }
}
