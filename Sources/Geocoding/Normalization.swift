import CWords

/// Unicode's normalization forms: https://www.unicode.org/reports/tr15/
///
/// Foundation has them too, but a server would contain 40 MB of ICU for that, and its version of Unicode would decide
/// about stored hashes.
package enum Normalization {
    /// The form NFD: each letter and its marks apart.
    static func decomposed(_ text: some StringProtocol) -> String {
        Tables.text(of: Tables.shared.decomposed(text, isCompatible: false))
    }

    /// The form NFC: each letter and its marks together, where Unicode has such a letter. It is the one form of all
    /// names by which something is found: Swift takes `é` in both forms for equal, PostgreSQL does not.
    package static func composed(_ text: some StringProtocol) -> String {
        // ASCII is the same in every form.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return String(text) }
        return Tables.text(of: Tables.shared.composed(Tables.shared.decomposed(text, isCompatible: false)))
    }

    /// The form NFKC: as NFC, and with plain letters for their other forms, such as `ﬁ` or `Ａ`.
    static func compatiblyComposed(_ text: some StringProtocol) -> String {
        Tables.text(of: Tables.shared.composed(Tables.shared.decomposed(text, isCompatible: true)))
    }
}

private struct Tables: Sendable {
    static let shared = Tables()

    private var canonical: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    private var compatible: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    private var composites: [Pair: Unicode.Scalar] = [:]

    private struct Pair: Hashable {
        var first: Unicode.Scalar
        var second: Unicode.Scalar
    }

    private init() {
        for line in words_decompositions().lines {
            // The sign between the two sides is the first byte that is not part of a hexadecimal number.
            guard let sign = line.firstIndex(where: { Self.digit($0) == nil }) else { continue }
            let scalar = Self.scalars(line[..<sign])[0]
            let parts = Self.scalars(line[line.index(after: sign)...])
            switch line[sign] {
            case UInt8(ascii: "+"):
                composites[Pair(first: parts[0], second: parts[1])] = scalar
                canonical[scalar] = parts
            case UInt8(ascii: "="): canonical[scalar] = parts
            default: compatible[scalar] = parts
            }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
        default: nil
        }
    }

    private static func scalars(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [Unicode.Scalar] {
        text.split(separator: UInt8(ascii: " ")).compactMap { number in
            Unicode.Scalar(number.reduce(0) { $0 << 4 | (digit($1) ?? 0) })
        }
    }

    /// A scalar with its canonical combining class, which is the order of marks. It is 0 for letters.
    struct Part {
        var scalar: Unicode.Scalar
        var order: UInt8

        init(_ scalar: Unicode.Scalar) {
            self.scalar = scalar
            // The first mark is U+0300.
            order = scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
        }
    }

    func decomposed(_ text: some StringProtocol, isCompatible: Bool) -> [Part] {
        var parts: [Part] = []
        parts.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { append(scalar, isCompatible: isCompatible, to: &parts) }
        // The marks of a letter come in their order. Marks with the same order stay as they are.
        var start = 0
        while start < parts.count {
            let end = parts[start...].firstIndex { $0.order == 0 } ?? parts.count
            if !zip(parts[start..<end], parts[start..<end].dropFirst()).allSatisfy({ $0.order <= $1.order }) {
                let sorted = parts[start..<end].enumerated().sorted {
                    ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
                }
                parts.replaceSubrange(start..<end, with: sorted.map(\.element))
            }
            start = end + 1
        }
        return parts
    }

    private func append(_ scalar: Unicode.Scalar, isCompatible: Bool, to parts: inout [Part]) {
        // The first scalar that has parts is U+00A0.
        if scalar.value < 0xA0 {
            parts.append(Part(scalar))
        } else if let syllable = Hangul(syllable: scalar) {
            parts += syllable.parts.map(Part.init)
        } else if let inner = (isCompatible ? compatible[scalar] : nil) ?? canonical[scalar] {
            for part in inner { append(part, isCompatible: isCompatible, to: &parts) }
        } else {
            parts.append(Part(scalar))
        }
    }

    /// Composes a decomposed text: each mark joins its letter, unless a mark of the same or a higher order is between
    /// them.
    func composed(_ parts: [Part]) -> [Part] {
        var whole: [Part] = []
        whole.reserveCapacity(parts.count)
        var starter: Int?
        for part in parts {
            if let starter, starter == whole.count - 1 || whole[whole.count - 1].order < part.order,
                let composite = composite(whole[starter].scalar, part.scalar)
            {
                whole[starter].scalar = composite
                continue
            }
            if part.order == 0 { starter = whole.count }
            whole.append(part)
        }
        return whole
    }

    static func text(of parts: [Part]) -> String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(parts.count * 2)
        for part in parts { if let encoded = UTF8.encode(part.scalar) { utf8.append(contentsOf: encoded) } }
        return String(decoding: utf8, as: UTF8.self)
    }

    private func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        second.value < 0x300 ? nil : Hangul.composite(first, second) ?? composites[Pair(first: first, second: second)]
    }
}

/// A Hangul syllable, which is computed from its letters: section 3.12 of the Unicode Standard.
private struct Hangul {
    private static let syllables: UInt32 = 0xAC00
    private static let initials: UInt32 = 0x1100
    private static let vowels: UInt32 = 0x1161
    /// One less than the first final letter.
    private static let finals: UInt32 = 0x11A7
    private static let (initialCount, vowelCount, finalCount): (UInt32, UInt32, UInt32) = (19, 21, 28)
    private static let count = initialCount * vowelCount * finalCount

    let parts: [Unicode.Scalar]

    init?(syllable: Unicode.Scalar) {
        guard case let index = syllable.value &- Self.syllables, index < Self.count else { return nil }
        let (rest, final) = index.quotientAndRemainder(dividingBy: Self.finalCount)
        let (initial, vowel) = rest.quotientAndRemainder(dividingBy: Self.vowelCount)
        let values = [Self.initials + initial, Self.vowels + vowel] + (final == 0 ? [] : [Self.finals + final])
        parts = values.compactMap(Unicode.Scalar.init)
    }

    static func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        let (initial, vowel) = (first.value &- initials, second.value &- vowels)
        if initial < initialCount, vowel < vowelCount {
            return Unicode.Scalar(syllables + (initial * vowelCount + vowel) * finalCount)
        }
        let (syllable, final) = (first.value &- syllables, second.value &- finals)
        guard syllable < count, syllable % finalCount == 0, final > 0, final < finalCount else { return nil }
        return Unicode.Scalar(first.value + final)
    }
}
