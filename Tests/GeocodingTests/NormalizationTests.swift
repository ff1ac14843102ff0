import Foundation
import Testing

@testable import Geocoding

@Suite struct NormalizationTests {
    @Test func `each scalar has the forms that Foundation gives it`() {
        var different: [String] = []
        for value in UInt32(0x80)...0x2FFFF {
            // Syllables of Hangul and ideographs in regular blocks need no more than a sample.
            if (0xAC00..<0xD7A4).contains(value) || (0x3400..<0xA000).contains(value), value % 97 != 0 { continue }
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
            if !Self.agree(String(scalar)) { different.append(String(value, radix: 16)) }
        }
        #expect(different.isEmpty)
    }

    @Test func `texts of marks, letters and syllables have the forms that Foundation gives them`() {
        var random = SplitMix(state: 28)
        let ranges: [ClosedRange<UInt32>] = [
            0x41...0x5A, 0xC0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x591...0x5C7, 0x64B...0x65F, 0x900...0x97F,
            0xDC0...0xDFF, 0x1100...0x11FF, 0x1E00...0x1FFF, 0x3040...0x30FF, 0xAC00...0xACFF, 0xFB00...0xFB4F,
            0xFF61...0xFF9F, 0x110A5...0x110BA, 0x1D400...0x1D4FF,
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let value = UInt32.random(in: ranges.randomElement(using: &random) ?? ranges[0], using: &random)
                if let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned {
                    text.unicodeScalars.append(scalar)
                }
            }
            #expect(Self.agree(text), "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }

    @Test func `a letter with ten thousand marks is normalized in less than quadratic time`() {
        let marks = String(repeating: "\u{301}\u{316}", count: 20_000)
        let decomposed = Normalization.decomposed("a" + marks).unicodeScalars
        #expect(decomposed.count == 40_001)
        #expect(Array(decomposed)[1] == "\u{316}")
    }

    private static func agree(_ text: String) -> Bool {
        func same(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
        return same(Normalization.decomposed(text), text.decomposedStringWithCanonicalMapping)
            && same(Normalization.composed(text), text.precomposedStringWithCanonicalMapping)
            && same(Normalization.compatiblyComposed(text), text.precomposedStringWithCompatibilityMapping)
    }
}
