import CWords
import Geocoding

/// Guesses the encoding of a text that is neither UTF-8 nor UTF-16.
///
/// Each encoding turns the same bytes into other letters. The right one is that whose letters belong to one language, and
/// stand where such letters stand: no capital inside a word, no symbol, no second script.
enum EncodingGuess {
    /// The encoding that fits `bytes` best. If several fit, the first of ``TextEncoding/oneByte``.
    static func encoding(of bytes: some Collection<UInt8>) -> TextEncoding {
        let bytes = Array(bytes)
        let candidates =
            TextEncoding.oneByte.map { ($0, fit(of: bytes, in: $0)) }
            + TextEncoding.twoBytes.map { ($0, fitOfPairs(in: bytes, $0)) }
        return candidates.reduce((TextEncoding.windows1252, -Double.infinity)) { $1.1 > $0.1 + 1e-9 ? $1 : $0 }.0
    }

    /// The letters of each language beyond ASCII, with their capitals.
    private static let languages: [Set<Unicode.Scalar>] = words_letters().rows.map { row in
        Set((row[1] + row[1].uppercased()).unicodeScalars)
    }

    /// The punctuation that texts in many languages contain.
    private static let punctuation = Set("’‘“”„–—«»°№§€…·´ªº\u{A0}".unicodeScalars)

    /// How well the letters fit one language, from 1 downwards.
    private static func fit(of bytes: [UInt8], in encoding: TextEncoding) -> Double {
        let text = Array(encoding.text(of: bytes).unicodeScalars)
        var (letters, faults, count) = ([Unicode.Scalar: Int](), 0.0, 0.0)
        for (place, letter) in text.enumerated() where letter.value >= 0x80 {
            count += 1
            let before = place > 0 ? text[place - 1] : " "
            let after = place + 1 < text.count ? text[place + 1] : " "
            if punctuation.contains(letter) {
                faults += before.isLetter && after.isLetter && letter != "’" ? 3 : 0.2
            } else if letter.isLetter {
                letters[letter, default: 0] += 1
                faults += oddness(of: letter, after: before, before: after)
            } else {
                faults += 4
            }
        }
        guard count > 0 else { return 0 }
        let best = languages.map { language in
            letters.reduce(0.0) { $0 + Double($1.value) * (language.contains($1.key) ? 1 : -2) }
        }.max()
        return ((best ?? 0) - faults) / count
    }

    private static func oddness(
        of letter: Unicode.Scalar, after before: Unicode.Scalar, before after: Unicode.Scalar
    ) -> Double {
        let (isCapital, isSmall) = (letter.properties.isUppercase, letter.properties.isLowercase)
        var faults = 0.0
        if isCapital, before.properties.isLowercase || before.isLetter && after.properties.isLowercase { faults += 3 }
        if isSmall, after.properties.isUppercase { faults += 2 }
        // Names begin with a capital, in scripts that have them.
        if isSmall, letter.value >= 0x370, !before.isLetter, after.isLetter { faults += 1 }
        // Latin letters end before U+0250, and those of Vietnamese come from U+1E00 on.
        let isLatin = letter.value < 0x250 || 0x1E00..<0x1F00 ~= letter.value
        for neighbour in [before, after] where neighbour.isLetter {
            let isOther = neighbour.value < 0x250 || 0x1E00..<0x1F00 ~= neighbour.value
            if isOther != isLatin { faults += 1.5 }
        }
        return faults
    }

    /// How many of the characters of two bytes are frequent ones, from 1 downwards. These encodings list the frequent
    /// characters first.
    private static func fitOfPairs(in bytes: [UInt8], _ encoding: TextEncoding) -> Double {
        var (place, points, high) = (0, 0.0, 0.0)
        while place < bytes.count {
            let first = bytes[place]
            guard first >= 0x80 else {
                place += 1
                continue
            }
            guard place + 1 < bytes.count else { break }
            let second = bytes[place + 1]
            high += 1
            let isFrequent =
                switch encoding.rawValue {
                case "shift_jis": 0x81...0x97 ~= first && second >= 0x40
                case "gb18030": 0xA1...0xD7 ~= first && first & 0xFE != 0xA4 && second >= 0xA1
                case "euc-kr": (0xB0...0xC8 ~= first || first == 0xA1) && second >= 0xA1
                case "big5": 0xA1...0xC6 ~= first && second >= 0x40
                default: 0xA1...0xCF ~= first && second >= 0xA1
                }
            // A letter of Europe has ASCII letters on both sides.
            let isInWord =
                place > 0 && bytes[place - 1].isASCIILetter || place + 2 < bytes.count && bytes[place + 2].isASCIILetter
            // Kana are only in Japanese.
            let isKana =
                encoding.rawValue == "shift_jis"
                ? 0x82...0x83 ~= first : encoding.rawValue == "euc-jp" && first & 0xFE == 0xA4
            points += !isFrequent ? -2 : isInWord ? -1 : isKana ? 1.5 : 0.98
            place += 2
        }
        return high > 0 ? points / high : 0
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark: true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { 0x61...0x7A ~= self | 0x20 }
}
