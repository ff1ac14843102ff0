/// A part of an address without commas, split into words.
struct StreetTokens {
    struct Token {
        /// As it was written.
        var text: String
        /// In loose form, for comparison with words.
        var word: String
        /// In canonical form, which keeps the `-` and `/` of house numbers.
        var number: String
        var followsSpace: Bool

        /// `17.` of `17. Juni`.
        var hasPeriod: Bool { text.hasSuffix(".") }
        var hasDigit: Bool { number.utf8.contains(where: isDigit) }
        var isLetter: Bool { word.count == 1 && word.first?.isLetter == true }
    }

    private(set) var tokens: [Token] = []

    init(_ text: Substring) {
        var start = text.startIndex
        var followsSpace = false
        func end(_ index: Substring.Index) {
            guard start < index else { return }
            append(text[start..<index], followsSpace: followsSpace)
            followsSpace = false
            start = index
        }
        for index in text.indices {
            let character = text[index]
            let next = text.index(after: index)
            if character.isWhitespace {
                end(index)
                start = next
                followsSpace = true
            } else if character == "#" {
                end(index)
                end(next)
            } else if character == "." || character == ":", next < text.endIndex,
                text[next].isLetter || text[next].isNumber
            {
                // `No.5` is two words, and `12.5` is one.
                let isDecimal = start < index && text[text.index(before: index)].isNumber && text[next].isNumber
                if !isDecimal { end(next) }
            }
        }
        end(text.endIndex)
    }

    init(_ tokens: some Sequence<Token>) {
        self.tokens = Array(tokens)
    }

    private mutating func append(_ text: Substring, followsSpace: Bool) {
        let word = text == "#" ? "#" : Folding.loose(String(text))
        // `3º` is a floor, and would fold to the house number `3o`.
        let isOrdinal = text.contains { $0 == "º" || $0 == "ª" }
        let number = Folding.canonical(String(text)) + (isOrdinal ? "º" : "")
        guard !number.isEmpty || word == "#" || text == "-" else { return }
        tokens.append(Token(text: String(text), word: word, number: number, followsSpace: followsSpace))
    }

    var count: Int { tokens.count }
    var isEmpty: Bool { tokens.isEmpty }

    mutating func removeSubrange(_ range: Range<Int>) {
        tokens.removeSubrange(range)
    }

    subscript(range: Range<Int>) -> Self { Self(tokens[range]) }

    /// The text as it was written, without signs at its ends that belonged to another part.
    var text: String {
        var text = ""
        for token in tokens {
            if token.followsSpace, !text.isEmpty { text += " " }
            text += token.text
        }
        let ends = text.drop { "-–:/#. ".contains($0) }
        return String(ends.dropLast(ends.reversed().prefix { "-–:/# ".contains($0) }.count))
    }
}

extension StreetTokens {
    var words: [String] { tokens.map(\.word) }

    var hasStreetWord: Bool { words.contains(where: StreetWords.isStreet) }

    var isBuilding: Bool {
        [words.first, words.last].contains { $0.map(AddressWords.buildings.contains) ?? false }
    }

    /// True if it may be a unit behind the house number: `2º B`, `3. th`, `12`.
    var isDoor: Bool {
        tokens.contains(where: \.hasDigit) && tokens.allSatisfy { $0.word.count < 5 }
    }
}

func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
}

/// True for letters and digits of ASCII.
func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
}
