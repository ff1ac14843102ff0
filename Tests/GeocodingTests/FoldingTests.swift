import Testing

@testable import Geocoding

struct FoldingTests {
    @Test(arguments: [
        ("  ＳＴＲＡẞＥ\t12a. ", "strasse 12a"),
        ("“St. James’s” #4", "st james's 4"),
        ("10–12", "10-12"),
        ("5½ Elm & Oak / rear", "5 1/2 elm & oak / rear"),
        ("92² 9₂ ①", "92^2 9^2 ^1"),
        ("Łódź, ÅGATAN", "łódź ågatan"),
        ("١٢ ۱۲ １２", "12 12 12"),
        ("İIıi", "iiii"),
        ("ΟΔΟΣ οδος οδοσ", "οδοσ οδοσ οδοσ"),
        ("a\u{200B}\u{FEFF}\u{AD}b", "ab"),
        ("\u{A8}", "\u{308}"),
        ("a_b\u{0}c", "a b c"),
        ("", ""),
        (" . ", ""),
    ])
    func `the canonical form drops differences that mean no other place`(text: String, canonical: String) {
        #expect(Folding.canonical(text).unicodeScalars.elementsEqual(canonical.unicodeScalars))
    }

    @Test(arguments: [
        ("Saint-Étienne", "saint etienne"),
        ("Łódź", "lodz"),
        ("L’Île-d’Yeu", "lile dyeu"),
        ("Tromsø / Romsa", "tromso romsa"),
        ("Ærø, Œuvre", "aero oeuvre"),
        ("Þórshöfn", "thorshofn"),
        ("Diyarbakır", "diyarbakir"),
        ("Thừa Thiên Huế", "thua thien hue"),
        ("Йошкар-Ола", "иошкар ола"),
        ("ガード", "ガード"),
        ("पुणे", "पुणे"),
        ("서울", "서울"),
    ])
    func `the loose form drops accents and keeps sounds`(text: String, loose: String) {
        #expect(Folding.loose(text).unicodeScalars.elementsEqual(loose.unicodeScalars))
    }

    @Test func `bytes fold like strings, and are appended to the buffer`() {
        var folded = Array("x".utf8)
        Array("Łódź".utf8).withUnsafeBufferPointer { Folding.loose($0, into: &folded) }
        Array("Łódź\u{301}".utf8).withUnsafeBufferPointer { Folding.loose($0, into: &folded) }
        #expect(String(decoding: folded, as: UTF8.self) == "xlodzlodz")
    }

    @Test(arguments: [
        [0x61, 0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0xFF], [0x80],
    ])
    func `invalid bytes fold like the replacement character`(bytes: [UInt8]) {
        var folded: [UInt8] = []
        bytes.withUnsafeBufferPointer { Folding.loose($0, into: &folded) }
        #expect(String(decoding: folded, as: UTF8.self) == Folding.loose(String(decoding: bytes, as: UTF8.self)))
    }

    @Test func `the table agrees with the reference on all its scalars and a sample of the rest`() {
        let sample = stride(from: UInt32(0x3100), through: 0x10_FFFF, by: 101)
        for scalar in (Array(0..<0x3100) + sample + Array(0xFF00...0xFFFF)).compactMap(Unicode.Scalar.init) {
            // Between letters that the scalar may combine with, and at the end, where a space would be removed.
            let text = "E\(scalar)i\(scalar)"
            expectAgreement(on: text)
        }
    }

    @Test func `the table agrees with the reference on random text, and folding twice changes nothing`() {
        var random = SplitMix(state: 42)
        for _ in 0..<10_000 {
            let text = String.random(using: &random)
            expectAgreement(on: text)
            let canonical = Folding.canonical(text)
            let loose = Folding.loose(text)
            #expect(Folding.canonical(canonical).utf8.elementsEqual(canonical.utf8), "\(text.scalarList)")
            #expect(Folding.loose(loose).utf8.elementsEqual(loose.utf8), "\(text.scalarList)")
            #expect(Folding.loose(canonical).utf8.elementsEqual(loose.utf8), "\(text.scalarList)")
        }
    }

    private func expectAgreement(on text: String) {
        // Compared before the expectation, which takes a hundred times as long.
        if !Folding.canonical(text).utf8.elementsEqual(Folding.canonicalByScalars(text).utf8) {
            Issue.record("canonical: \(text.scalarList)")
        }
        if !Folding.loose(text).utf8.elementsEqual(Folding.looseByScalars(text).utf8) {
            Issue.record("loose: \(text.scalarList)")
        }
    }
}

extension String {
    /// Up to a dozen scalars, mostly of common alphabets, some from anywhere.
    fileprivate static func random(using random: inout SplitMix) -> String {
        let blocks: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x00...0x24F, 0x2B0...0x3FF, 0x400...0x6FF, 0x900...0xDFF, 0x1100...0x11FF, 0x1E00...0x206F,
            0x3000...0x30FF, 0x4E00...0x4FFF, 0xAC00...0xAFFF, 0xFB00...0xFFFF, 0x300...0x345, 0...0x10_FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let block = blocks[Int.random(in: 0..<blocks.count, using: &random)]
            let scalar = Unicode.Scalar(UInt32.random(in: block, using: &random))
            text.unicodeScalars.append(scalar ?? "?")
        }
        return text
    }

    /// The text as numbers, for a failure's message.
    fileprivate var scalarList: String {
        unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}

/// A generator that makes the same text in every run: https://prng.di.unimi.it/splitmix64.c
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
