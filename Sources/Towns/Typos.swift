/// The spellings that are one typo away from a name: one letter left out, added, replaced, or swapped with its
/// neighbour.
///
/// There are some six hundred for any name of ten letters, so a wrong name takes no longer to search than a correct
/// one.
enum Typos {
    /// Calls `body` with each spelling, in folded form. Some come more than once, and so does the name itself.
    static func forEach(of key: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let letters = String(decoding: key, as: UTF8.self).unicodeScalars.map { Array(String($0).utf8) }
        let alphabet = alphabet(of: letters)
        var spelling: [UInt8] = []
        func hand(_ parts: ArraySlice<[UInt8]>...) {
            spelling.removeAll(keepingCapacity: true)
            for part in parts { for letter in part { spelling += letter } }
            spelling.withUnsafeBufferPointer(body)
        }
        for index in letters.indices {
            let (before, after) = (letters[..<index], letters[(index + 1)...])
            hand(before, after)
            if let next = after.first, next != letters[index] {
                hand(before, [next, letters[index]], after.dropFirst())
            }
            for letter in alphabet where letter != letters[index] { hand(before, [letter], after) }
            for letter in alphabet { hand(before, [letter], letters[index...]) }
        }
        for letter in alphabet { hand(letters[...], [letter]) }
    }

    /// The letters of the script of a name; none for scripts with thousands of characters.
    private static func alphabet(of letters: [[UInt8]]) -> [[UInt8]] {
        guard let other = letters.first(where: { $0.count > 1 }) else { return latin }
        switch other[0] {
        case 0xD0...0xD2: return cyrillic
        case 0xCE, 0xCF: return greek
        default: return letters.contains { $0.count == 1 && $0[0] > 0x60 } ? latin : []
        }
    }

    private static let latin = scalars(0x61...0x7A) + [[UInt8(ascii: " ")]]
    private static let cyrillic = scalars(0x430...0x44F) + scalars(0x454...0x457) + [[UInt8(ascii: " ")]]
    private static let greek = scalars(0x3B1...0x3C9) + [[UInt8(ascii: " ")]]

    private static func scalars(_ range: ClosedRange<UInt32>) -> [[UInt8]] {
        range.compactMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
    }
}
