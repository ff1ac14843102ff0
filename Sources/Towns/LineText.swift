import Geocoding

/// The text of a line without what is not part of an address: tags and entities of HTML, phone numbers, mail addresses,
/// web addresses, labels.
enum LineText {
    /// The bytes of the text, with a space for each kind of white space, and a comma for each separator of pieces.
    static func plain(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        // A cell may be escaped twice: `&lt;br&gt;`.
        for _ in 0..<2 where bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
            bytes = Array(withoutMarkup(String(decoding: bytes, as: UTF8.self)).utf8)
        }
        separateEscapes(in: &bytes)
        if bytes.contains(0xE0) { bytes = Array(ThaiText.apart(String(decoding: bytes, as: UTF8.self)).utf8) }
        if bytes.contains(where: { [0xC2, 0xD8, 0xE2, 0xE3, 0xEF].contains($0) }) {
            var plain = String.UnicodeScalarView()
            for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                switch scalar {
                case "،", "，", "、", "；", "•", "·", "\u{2028}", "\u{2029}": plain.append(",")
                case "〒": plain.append(" ")
                case _ where scalar.properties.isWhitespace && scalar.value > 0x7F: plain.append(" ")
                default: plain.append(scalar)
                }
            }
            bytes = Array(String(plain).utf8)
        }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09...0x0D: bytes[index] = UInt8(ascii: ",")
            case UInt8(ascii: "-") where isAlone(index, in: bytes): bytes[index] = UInt8(ascii: ",")
            case UInt8(ascii: "/") where isBeforeCode(index, in: bytes) || isBetweenNames(index, in: bytes):
                bytes[index] = UInt8(ascii: ",")
            default: break
            }
        }
        bytes = withoutContacts(bytes)
        return bytes.contains(UInt8(ascii: "(")) ? withNotesApart(bytes) : bytes
    }

    /// A comma for each line break that is written as `\n` or `\r\n`.
    private static func separateEscapes(in bytes: inout [UInt8]) {
        guard bytes.contains(UInt8(ascii: "\\")) else { return }
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "\\") {
            switch bytes[index + 1] {
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                (bytes[index], bytes[index + 1]) = (UInt8(ascii: ","), UInt8(ascii: " "))
            default: break
            }
        }
    }

    /// `Campinas - SP`
    private static func isAlone(_ index: Int, in bytes: [UInt8]) -> Bool {
        index > 0 && index + 1 < bytes.count && bytes[index - 1] == UInt8(ascii: " ")
            && bytes[index + 1] == UInt8(ascii: " ")
    }

    /// `Recife/PE`
    private static func isBeforeCode(_ index: Int, in bytes: [UInt8]) -> Bool {
        guard index > 1, bytes[index - 1] > 0x60 else { return false }
        let code = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        return code.count == 2 && code.allSatisfy { (0x41...0x5A).contains($0) }
    }

    /// `Kadıköy/İstanbul`
    private static func isBetweenNames(_ index: Int, in bytes: [UInt8]) -> Bool {
        guard index > 2, index + 3 < bytes.count else { return false }
        func isLetter(_ byte: UInt8) -> Bool { byte > 0x7F || (0x61...0x7A).contains(byte | 0x20) }
        return bytes[(index - 3)..<index].allSatisfy(isLetter)
            && bytes[(index + 1)...(index + 3)].allSatisfy(isLetter) && !(0x61...0x7A).contains(bytes[index + 1])
    }

    /// A comma for each tag, and the characters that entities stand for.
    private static func withoutMarkup(_ text: String) -> String {
        var plain = ""
        var rest = text[...]
        while let sign = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            plain += rest[..<sign]
            rest = rest[sign...]
            if rest.first == "<", let end = rest.firstIndex(of: ">") {
                plain += ","
                rest = rest[end...].dropFirst()
            } else if rest.first == "&", let end = rest.prefix(10).firstIndex(of: ";"),
                let character = character(of: rest[..<end].dropFirst())
            {
                plain += character
                rest = rest[end...].dropFirst()
            } else {
                plain.append(rest.removeFirst())
            }
        }
        return plain + rest
    }

    /// `eacute` is é, `#233` too.
    private static func character(of entity: Substring) -> String? {
        if entity.first == "#" {
            let digits = entity.dropFirst()
            let number =
                digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String($0) }
        }
        if let plain = entities[entity] { return plain }
        // Letters with marks: the letter, and the name of the mark.
        guard let letter = entity.first, let mark = marks[entity.dropFirst()] else { return nil }
        return String(letter) + mark
    }

    private static let entities: [Substring: String] = [
        "amp": "&", "nbsp": " ", "quot": "\"", "apos": "'", "rsquo": "’", "lsquo": "‘", "lt": "<", "gt": ">",
        "ndash": "–", "mdash": "—", "szlig": "ß", "oslash": "ø", "Oslash": "Ø", "aelig": "æ", "AElig": "Æ",
        "oelig": "œ", "OElig": "Œ",
    ]

    private static let marks: [Substring: String] = [
        "acute": "\u{301}", "grave": "\u{300}", "circ": "\u{302}", "uml": "\u{308}", "tilde": "\u{303}",
        "cedil": "\u{327}", "ring": "\u{30A}", "caron": "\u{30C}",
    ]

    /// Leaves out mail and web addresses, phone numbers that are marked as such, and labels such as `Address:`.
    private static func withoutContacts(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        let words = words(of: bytes)
        var isInNumber = false
        for (index, range) in words.enumerated() {
            let word = bytes[range]
            if word.first == UInt8(ascii: " ") {
                plain += word
                continue
            }
            if isInNumber, isPhoneNumber(word) { continue }
            isInNumber = word.first == UInt8(ascii: "+") && isPhoneNumber(word)
            if isInNumber || isWebAddress(word) { continue }
            let isLabel = word.last == UInt8(ascii: ":")
            let next = index + 2 < words.count ? bytes[words[index + 2]] : []
            if isLabel || !next.isEmpty && isPhoneNumber(next) {
                let text = Folding.loose(String(decoding: word, as: UTF8.self))
                isInNumber = Fillers.isPhone(text)
                if isInNumber || isLabel && Fillers.isLabel(text) { continue }
            }
            plain += word
        }
        return plain
    }

    /// Digits and the marks of phone numbers: `+1`, `(0)`, `555-0188`.
    private static func isPhoneNumber(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains { (0x30...0x39).contains($0) }
            && word.allSatisfy { (0x30...0x39).contains($0) || "+()-./".utf8.contains($0) }
    }

    private static func isWebAddress(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains(UInt8(ascii: "@")) || word.starts(with: "http".utf8) || word.starts(with: "www.".utf8)
    }

    /// A comma before and after brackets that contain a note: a number, or several words.
    private static func withNotesApart(_ bytes: [UInt8]) -> [UInt8] {
        var plain = bytes
        var open: Int?
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "(") { open = index }
            guard bytes[index] == UInt8(ascii: ")"), let start = open else { continue }
            let note = bytes[(start + 1)..<index]
            if note.count(where: { $0 == UInt8(ascii: " ") }) > 1
                || note.contains(where: { (0x30...0x39).contains($0) })
            {
                (plain[start], plain[index]) = (UInt8(ascii: ","), UInt8(ascii: ","))
            }
            open = nil
        }
        return plain
    }

    /// The words, each separator by itself.
    private static func words(of bytes: [UInt8]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for index in 0...bytes.count
        where index == bytes.count || bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: ",") {
            if start < index { words.append(start..<index) }
            if index < bytes.count { words.append(index..<(index + 1)) }
            start = index + 1
        }
        return words
    }
}
