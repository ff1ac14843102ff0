/// A fold that uses a table if each scalar of the text folds by itself.
///
/// That is the case for text without combining marks, in the alphabets, kana, ideographs and syllables listed below:
/// nearly all addresses, at a few nanoseconds a letter. Other text goes through `Folding+scalars.swift`, about a
/// hundred times slower. The table is built by the same code, so the two can't disagree about a letter.
struct FoldingTable: Sendable {
    static let canonical = Self(of: Folding.canonicalByScalars)
    static let loose = Self(of: Folding.looseByScalars)

    private let entries: [Entry]
    private let byScalars: @Sendable (String) -> String

    private init(of byScalars: @escaping @Sendable (String) -> String) {
        var entries = [Entry](repeating: .unknown, count: 0x1_0000)
        for range in Self.tabulated {
            for scalar in range.lazy.compactMap(Unicode.Scalar.init) {
                entries[Int(scalar.value)] = Self.entry(for: scalar, byScalars)
            }
        }
        for range in Self.unchanging {
            for scalar in range.lazy.compactMap(Unicode.Scalar.init) {
                entries[Int(scalar.value)] = Entry(String(scalar).utf8) ?? .unknown
            }
        }
        self.entries = entries
        self.byScalars = byScalars
    }

    /// Latin to Arabic; Vietnamese, old Greek and the dashes and quotes; kana; full-width forms.
    private static let tabulated: [Range<UInt32>] = [0..<0x700, 0x1E00..<0x2070, 0x3000..<0x3100, 0xFF00..<0xFF60]

    /// Ideographs and Hangul syllables: they have no case, and compose with nothing in the table.
    private static let unchanging: [Range<UInt32>] = [0x3400..<0x4DC0, 0x4E00..<0xA000, 0xAC00..<0xD7A4]

    /// Returns the fold of `scalar` between two digits, which neither combine with it nor are changed by it.
    private static func entry(for scalar: Unicode.Scalar, _ byScalars: (String) -> String) -> Entry {
        let folded = byScalars("0\(scalar)0").unicodeScalars.dropFirst().dropLast()
        if folded.elementsEqual([" "]) { return .space }
        let dependsOnNeighbours = folded.first.map(isMark) ?? false || folded.contains(" ")
        return dependsOnNeighbours ? .unknown : Entry(String(folded).utf8) ?? .unknown
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension FoldingTable {
    /// Appends the fold of `text` to `output`.
    func fold(_ text: String, into output: inout [UInt8]) {
        var text = text
        text.withUTF8 { fold($0, into: &output) }
    }

    /// Appends the fold of `utf8` to `output`. Bytes that are not UTF-8 count as U+FFFD.
    func fold(_ utf8: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        let start = output.count
        if !foldByTable(utf8, into: &output) {
            output.removeSubrange(start...)
            output.append(contentsOf: byScalars(String(decoding: utf8, as: UTF8.self)).utf8)
        }
    }

    /// Returns false, with half the result in `output`, as soon as a scalar is not in the table.
    private func foldByTable(_ utf8: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) -> Bool {
        let start = output.count
        var owesSpace = false
        var position = 0
        while position < utf8.count {
            let entry = nextEntry(in: utf8, at: &position)
            if entry == .unknown { return false }
            if entry == .space {
                owesSpace = output.count > start
                continue
            }
            if entry == .nothing { continue }
            if owesSpace { output.append(UInt8(ascii: " ")) }
            owesSpace = false
            entry.append(to: &output)
        }
        return true
    }

    /// Returns the entry of the scalar at `position`, and advances `position`. Unknown if the scalar has no entry or is
    /// not well-formed.
    @inline(__always)
    private func nextEntry(in utf8: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Entry {
        let lead = UInt32(utf8[position])
        position += 1
        if lead < 0x80 { return entries[Int(lead)] }

        let length = lead < 0xE0 ? 1 : 2
        guard lead >= 0xC2, lead < 0xF0, position + length <= utf8.count else { return .unknown }
        var scalar = lead < 0xE0 ? lead & 0x1F : lead & 0x0F
        for _ in 0..<length {
            let byte = UInt32(utf8[position])
            guard byte & 0xC0 == 0x80 else { return .unknown }
            scalar = scalar << 6 | byte & 0x3F
            position += 1
        }
        let isOverlong = length == 2 && scalar < 0x800
        return isOverlong ? .unknown : entries[Int(scalar)]
    }
}

extension FoldingTable {
    /// Up to three bytes of UTF-8 in the lower bits and their number above, or a special value.
    struct Entry: Equatable {
        /// Not in the table.
        static let unknown = Self(bits: 0xFF00_0000)
        static let space = Self(bits: 0xFE00_0000)
        static let nothing = Self(bits: 0)

        private let bits: UInt32

        private init(bits: UInt32) {
            self.bits = bits
        }

        /// Returns nil if the bytes don't fit.
        init?(_ utf8: String.UTF8View) {
            guard utf8.count <= 3 else { return nil }
            bits = utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } | UInt32(utf8.count) << 24
        }

        @inline(__always)
        func append(to output: inout [UInt8]) {
            var bytes = bits
            for _ in 0..<bits >> 24 {
                output.append(UInt8(truncatingIfNeeded: bytes))
                bytes >>= 8
            }
        }
    }
}
