/// The folds by definition, scalar by scalar. `FoldingTable` is built from these and replaces them where it can.
extension Folding {
    /// The canonical form: NFKC, then each scalar folded, repeated until nothing changes.
    ///
    /// A second round is needed if a fold makes a new pair for NFKC (`ΐ` folds in three pieces), or if a letter needs
    /// two folds (`ẞ` → `ß` → `ss`). Among a million random texts none needed more than four rounds.
    static func canonicalByScalars(_ text: String) -> String {
        var text = separatingNumbers(in: replacingSpacingAcutes(in: text))
        for _ in 0..<8 {
            let folded = foldingScalars(of: Normalization.compatiblyComposed(cappingMarks(of: text)))
            // Not `==`, which treats other Unicode forms as equal.
            if folded.utf8.elementsEqual(text.utf8) { break }
            text = folded
        }
        return text
    }

    /// The loose form, from the canonical one.
    static func looseByScalars(_ text: String) -> String {
        var scalars = SpacedScalars()
        for scalar in Normalization.decomposed(canonicalByScalars(text)).unicodeScalars {
            switch scalar {
            case " ", "-", "/": scalars.appendSpace()
            case "'": break
            case "ø": scalars.append("o")
            case "ł": scalars.append("l")
            case "đ", "ð": scalars.append("d")
            case "ħ": scalars.append("h")
            case "ŧ": scalars.append("t")
            case "æ": scalars.append(contentsOf: "ae")
            case "œ": scalars.append(contentsOf: "oe")
            case "þ": scalars.append(contentsOf: "th")
            case _ where isDiacritic(scalar): break
            default: scalars.append(scalar)
            }
        }
        return Normalization.composed(String(scalars.text))
    }

    private static func foldingScalars(of text: String) -> String {
        var scalars = SpacedScalars()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where isApostrophe(scalar): scalars.append("'")
            case _ where scalar == "/" || scalar == "&": scalars.append(scalar)
            case .dashPunctuation: scalars.append("-")
            case .mathSymbol where scalar == "\u{2212}": scalars.append("-")
            case .connectorPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
                .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
                scalars.appendSpace()
            case .decimalNumber: scalars.append(contentsOf: String(Int(scalar.properties.numericValue ?? 0)))
            case .uppercaseLetter, .lowercaseLetter: scalars.append(caseFolding: scalar)
            case _ where scalar.properties.isDefaultIgnorableCodePoint: break
            default: scalars.append(caseFolding: scalar)
            }
        }
        return String(scalars.text)
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "`", "\u{2B9}", "\u{2BB}", "\u{2BC}", "\u{2BD}", "\u{55A}", "\u{2018}"..."\u{201B}", "\u{2032}",
            "\u{2035}":
            // All except the low quotation mark in the middle of the range.
            scalar != "\u{201A}"
        default: false
        }
    }

    /// True for marks on a letter that only change its sound: Latin, Greek, Cyrillic, Hebrew, Arabic.
    ///
    /// In Unicode the vowel signs of India and South-East Asia and the voicing marks of kana are marks too, but a name
    /// without them is a different name.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .nonspacingMark else { return false }
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x670, 0x6D6...0x6ED: return true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: return true
        default: return false
        }
    }

    /// NFKC would convert a free-standing acute accent, often typed as an apostrophe, to a space with a mark.
    private static func replacingSpacingAcutes(in text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\u{B4}" || $0 == "\u{1FFD}" }) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar == "\u{B4}" || scalar == "\u{1FFD}" ? "'" : scalar)
        }
        return String(scalars)
    }

    /// NFKC would convert `92²` to `922`, and `5½` to `51⁄2`.
    private static func separatingNumbers(in text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .otherNumber }) else {
            return text
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let plain = Normalization.compatiblyComposed(String(scalar))
            if scalar.properties.generalCategory != .otherNumber || plain.unicodeScalars.elementsEqual([scalar]) {
                scalars.append(scalar)
            } else if plain.unicodeScalars.contains("\u{2044}") {
                scalars.append(contentsOf: " \(plain.replacing("\u{2044}", with: "/"))".unicodeScalars)
            } else {
                scalars.append(contentsOf: "^\(plain)".unicodeScalars)
            }
        }
        return String(scalars)
    }

    /// Keeps the first 30 marks of a letter, the limit of Unicode's stream-safe format.
    ///
    /// Foundation sorts the marks of a letter in quadratic time: a note of 100,000 marks took it four seconds.
    private static func cappingMarks(of text: String) -> String {
        guard text.utf8.count > 60 else { return text }
        var run = 0
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run <= 30 { scalars.append(scalar) }
        }
        return String(scalars)
    }
}

/// A text under construction, with single spaces, and none at the ends.
private struct SpacedScalars {
    var text = String.UnicodeScalarView()
    private var last: Unicode.Scalar?
    private var owesSpace = false

    mutating func appendSpace() {
        owesSpace = last != nil
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        // The second half of a lower-cased `İ`.
        if scalar == "\u{307}", last == "i", !owesSpace { return }
        if owesSpace { text.append(" ") }
        owesSpace = false
        text.append(scalar)
        last = scalar
    }

    /// Upper case first, because only upper case makes `ß` and `SS`, `ς` and `σ`, `ı` and `i` equal.
    mutating func append(caseFolding scalar: Unicode.Scalar) {
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            append(contentsOf: upper.properties.lowercaseMapping)
        }
    }

    mutating func append(contentsOf string: String) {
        for scalar in string.unicodeScalars { append(scalar) }
    }
}
