import Foundation
import Testing

@testable import Geocoding

@Suite struct NormalizationTests {
    /// The forms NFD, NFC and NFKC of texts, from `unicodedata` of Python 3.11.
    private static let expected: [(text: String, decomposed: String, composed: String, compatible: String)] = [
        ("a\u{301}\u{316}", "a\u{316}\u{301}", "\u{E1}\u{316}", "\u{E1}\u{316}"),
        ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}", "\u{1E9B}\u{323}", "\u{1E69}"),
        ("\u{344}", "\u{308}\u{301}", "\u{308}\u{301}", "\u{308}\u{301}"),
        ("\u{AC00}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "\u{AC01}"),
        ("\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "\u{AC01}"),
        (
            "\u{1100}\u{1161}\u{301}\u{11A8}", "\u{1100}\u{1161}\u{301}\u{11A8}", "\u{AC00}\u{301}\u{11A8}",
            "\u{AC00}\u{301}\u{11A8}"
        ),
        ("o\u{308}\u{304}", "o\u{308}\u{304}", "\u{22B}", "\u{22B}"),
        ("o\u{304}\u{308}", "o\u{304}\u{308}", "\u{14D}\u{308}", "\u{14D}\u{308}"),
        ("\u{FF76}\u{FF9E}", "\u{FF76}\u{FF9E}", "\u{FF76}\u{FF9E}", "\u{30AC}"),
        // Foundation leaves these marks in the wrong order.
        ("\u{301}\u{FF9E}\u{316}", "\u{301}\u{FF9E}\u{316}", "\u{301}\u{FF9E}\u{316}", "\u{3099}\u{316}\u{301}"),
        ("\u{1FDE}\u{5A5}", "\u{1FFE}\u{5A5}\u{301}", "\u{1FDE}\u{5A5}", " \u{5A5}\u{314}\u{301}"),
        ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
        ("\u{BC6}\u{BBE}", "\u{BC6}\u{BBE}", "\u{BCA}", "\u{BCA}"),
        ("\u{110A5}\u{110BA}", "\u{110A5}\u{110BA}", "\u{110AB}", "\u{110AB}"),
        ("a\u{301}\u{301}", "a\u{301}\u{301}", "\u{E1}\u{301}", "\u{E1}\u{301}"),
        ("A\u{30A}\u{301}", "A\u{30A}\u{301}", "\u{1FA}", "\u{1FA}"),
        ("\u{F73}\u{F71}", "\u{F71}\u{F71}\u{F72}", "\u{F71}\u{F71}\u{F72}", "\u{F71}\u{F71}\u{F72}"),
    ]

    @Test(arguments: expected.indices)
    func `letters, marks and syllables have the forms of the standard`(index: Int) {
        let expected = Self.expected[index]
        #expect(Self.scalars(Normalization.decomposed(expected.text)) == Self.scalars(expected.decomposed))
        #expect(Self.scalars(Normalization.composed(expected.text)) == Self.scalars(expected.composed))
        #expect(Self.scalars(Normalization.compatiblyComposed(expected.text)) == Self.scalars(expected.compatible))
    }

    @Test func `each scalar has the forms that Foundation gives it`() {
        let blocks: [Range<UInt32>] = [0x80..<0x3400, 0xF900..<0x10000, 0x11080..<0x11100, 0x1D100..<0x1D800]
        var different: [String] = []
        for scalar in blocks.joined().compactMap(Unicode.Scalar.init)
        where scalar.properties.generalCategory != .unassigned {
            let text = String(scalar)
            let isSame =
                Self.scalars(Normalization.decomposed(text)) == Self.scalars(text.decomposedStringWithCanonicalMapping)
                && Self.scalars(Normalization.compatiblyComposed(text))
                    == Self.scalars(text.precomposedStringWithCompatibilityMapping)
            if !isSame { different.append(String(scalar.value, radix: 16)) }
        }
        #expect(different.isEmpty)
    }

    @Test func `thousands of marks of a letter are sorted`() {
        let marks = String(repeating: "\u{301}\u{316}", count: 20_000)
        let decomposed = Self.scalars(Normalization.decomposed("a" + marks))
        #expect(decomposed.count == 40_001)
        #expect(decomposed[1] == 0x316 && decomposed[20_001] == 0x301)
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
}
