/// The words of a name in the form for comparison: without accents, with abbreviations written out.
enum NameWords {
    static func words(of text: String) -> [String] {
        let words = Folding.loose(text).split(separator: " ").map(String.init)
        return words.enumerated().map { position, word in
            // `St Mary's Street` has a saint. `Mary St` and `Mary St N` have none.
            let isBeforeName = position + 1 < words.count && StreetWords.direction(words[position + 1]) == nil
            if isBeforeName, let title = titles[word] { return title }
            return ordinal(word) ?? word
        }
    }

    /// Returns the abbreviated words, in loose form: those that end in a period.
    static func stems(of text: String) -> Set<String> {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return [] }
        let pieces = text.split { $0.isWhitespace || $0 == "-" }.flatMap {
            $0.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        }
        return Set(pieces.map { Folding.loose(String($0)) }.filter { !$0.isEmpty })
    }

    /// True if one of two names is the other with abbreviated words: `aleksanterink.` is `aleksanterinkatu`.
    static func isEitherShort(
        _ words: [String], _ stems: Set<String>, _ others: [String], _ otherStems: Set<String>
    ) -> Bool {
        areShort(words, stems, for: others) || areShort(others, otherStems, for: words)
    }

    /// A single letter proves nothing, so at least one word must have three letters.
    private static func areShort(_ words: [String], _ stems: Set<String>, for whole: [String]) -> Bool {
        guard !stems.isEmpty, words.count == whole.count else { return false }
        var letters = 0
        for (word, other) in zip(words, whole) {
            guard word == other || stems.contains(word) && other.hasPrefix(word) else { return false }
            letters = max(letters, word.count)
        }
        return letters >= 3
    }

    /// Joins the words without differences of spelling: `Haupt Str` and `Hauptstr`, `Muenchen` and `München`, `Aarhus`
    /// and `Århus`.
    static func joined(_ words: some Sequence<String>) -> String {
        var joined = ""
        for letter in words.joined() {
            let isLengthened = joined.last == "a" && (letter == "a" || letter == "e")
            let isUmlaut = letter == "e" && (joined.last == "o" || joined.last == "u")
            if !isLengthened && !isUmlaut { joined.append(letter) }
        }
        return joined
    }

    /// True if they differ by one or two typos. A different number does not count as a typo: 5th Avenue is not 6th
    /// Avenue.
    static func areOneTypoApart(_ one: String, _ other: String) -> Bool {
        guard one.filter(\.isNumber) == other.filter(\.isNumber) else { return false }
        let length = min(one.count, other.count)
        let permitted = length < 4 ? 0 : length < 8 ? 1 : 2
        guard permitted > 0, abs(one.count - other.count) <= permitted else { return false }
        return editDistance(Array(one), Array(other)) <= permitted
    }

    /// Returns the number of letters to insert, drop, replace, or swap with their neighbours. If that is more than
    /// `limit`, it returns some number above the limit.
    static func editDistance<Letter: Equatable>(
        _ one: [Letter], _ other: [Letter], atMost limit: Int = .max
    ) -> Int {
        var (before, above, row) = ([Int](), [Int](), Array(0...other.count))
        for i in one.indices {
            (before, above, row) = (above, row, before)
            if row.isEmpty { row = above }
            row[0] = i + 1
            for j in other.indices {
                row[j + 1] = min(above[j] + (one[i] == other[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    row[j + 1] = min(row[j + 1], before[j - 1] + 1)
                }
            }
            // Two rows: a swap of neighbours skips one.
            if (row.min() ?? 0) > limit, (above.min() ?? 0) > limit { return limit + 1 }
        }
        return row[other.count]
    }

    /// `5` for `5th` and `fifth`.
    private static func ordinal(_ word: String) -> String? {
        if let number = ordinals.firstIndex(of: word) { return String(number + 1) }
        let digits = word.prefix { $0.isNumber }
        return !digits.isEmpty && endings.contains(String(word.dropFirst(digits.count))) ? String(digits) : nil
    }

    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ]
    private static let endings: Set = ["st", "nd", "rd", "th", "e", "er", "eme"]

    private static let titles = [
        "st": "saint", "sankt": "saint", "skt": "saint", "sint": "saint", "ste": "sainte", "mt": "mount", "ft": "fort",
        "dr": "doctor", "doktor": "doctor", "prof": "professor", "gen": "general",
    ]
}
