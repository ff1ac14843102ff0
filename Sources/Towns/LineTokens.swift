import Geocoding

/// The words of a line, each with its folded form.
struct LineTokens {
    struct Token {
        /// The range of its bytes in the line.
        var text: Range<Int>
        /// The number of its piece between commas.
        let part: Int
        /// The range of its folded form in ``LineTokens/key``.
        let folded: Range<Int>
        let hasDigit: Bool
        let isUpper: Bool
        /// True for a word for a kind of street, or one that ends in such a word.
        let isStreet: Bool
        /// True for a word for a kind of region, such as a province.
        let isKind: Bool
        /// True if it is or contains such a word, or an article.
        let hasKind: Bool
    }

    private(set) var tokens: [Token] = []
    /// The folded words, with a space between them.
    private(set) var key: [UInt8] = []
    private(set) var parts = 0
    private let line: [UInt8]

    /// Words after this many are ignored.
    private static let most = 60

    init(_ text: String) {
        line = LineText.plain(text)
        tokens.reserveCapacity(12)
        key.reserveCapacity(line.count + 8)
        var part = 0
        var known = 0
        var start = 0
        for index in 0...line.count {
            let byte = index < line.count ? line[index] : UInt8(ascii: ",")
            guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") else { continue }
            if start < index, tokens.count < Self.most { add(start..<index, part: part) }
            start = index + 1
            if byte == UInt8(ascii: ","), tokens.count > known { (part, known) = (part + 1, tokens.count) }
        }
        parts = part
    }

    var count: Int { tokens.count }
    subscript(index: Int) -> Token { tokens[index] }

    /// True for a word in Chinese, Japanese or Korean letters, whose UTF-8 begins with these bytes.
    func isEastAsian(_ index: Int) -> Bool { line[tokens[index].text.lowerBound].startsEastAsianLetter }

    /// The folded form of these words.
    func folded(_ range: Range<Int>) -> ArraySlice<UInt8> {
        guard let first = range.first, let last = range.last else { return [] }
        return key[tokens[first].folded.lowerBound..<tokens[last].folded.upperBound]
    }

    /// These words as they were written, with a comma where there was one.
    func text(_ range: some Sequence<Int>) -> String {
        var text: [UInt8] = []
        var part: Int?
        for index in range {
            let token = tokens[index]
            if let part { text += part == token.part ? [UInt8(ascii: " ")] : [UInt8(ascii: ","), UInt8(ascii: " ")] }
            text += line[token.text]
            part = token.part
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether these words are a whole piece between commas.
    func isWhole(_ range: Range<Int>) -> Bool {
        startsPart(range.lowerBound) && endsPart(range.upperBound - 1)
    }

    func startsPart(_ index: Int) -> Bool { index == 0 || tokens[index - 1].part != tokens[index].part }
    func endsPart(_ index: Int) -> Bool { index == count - 1 || tokens[index + 1].part != tokens[index].part }

    /// `w rd` of `W.Rd.` is two words.
    private func isStreet(_ folded: ArraySlice<UInt8>) -> Bool {
        Address.isStreetWord(folded)
            || folded.lastIndex(of: UInt8(ascii: " ")).map { Address.isStreetWord(folded[($0 + 1)...]) } ?? false
    }

    private mutating func add(_ range: Range<Int>, part: Int) {
        let start = key.count + (key.isEmpty ? 0 : 1)
        if !key.isEmpty { key.append(UInt8(ascii: " ")) }
        line.withUnsafeBufferPointer { Folding.loose(UnsafeBufferPointer(rebasing: $0[range]), into: &key) }
        guard key.count > start else {
            key.removeLast(key.count - max(start - 1, 0))
            // A sign alone, as in `Calle 26 # 59-51`, is joined to the word before it.
            if let last = tokens.last, last.part == part {
                tokens[tokens.count - 1].text = last.text.lowerBound..<range.upperBound
            }
            return
        }
        let hasDigit = key[start...].contains { (0x30...0x39).contains($0) }
        let isLetters = !hasDigit && key.count - start > 1
        let folded = key[start...]
        tokens.append(
            Token(
                text: range, part: part, folded: start..<key.count, hasDigit: hasDigit,
                isUpper: line[range].allSatisfy { !(0x61...0x7A).contains($0) },
                isStreet: isLetters && isStreet(folded), isKind: isLetters && NameKeys.isKind(folded),
                hasKind: NameKeys.hasKind(folded)))
    }
}

extension UInt8 {
    /// True for the first byte, in UTF-8, of a Chinese, Japanese or Korean letter.
    package var startsEastAsianLetter: Bool { (0xE3...0xED).contains(self) }
}
