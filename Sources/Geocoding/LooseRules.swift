/// The rules that make the spellings of streets and towns of one country equal.
final class LooseRules: Sendable {
    private let street: [ShortText: Word]
    private let town: [ShortText: [UInt8]]
    /// The first words of phrases with several words.
    private let phraseStarts: Set<ShortText>
    private let ends: [(end: [UInt8], full: [UInt8])]
    private let dottedEnds: [(end: String, full: String)]
    private let languages: [String]
    private let hasUmlauts: Bool
    private let hasLongA: Bool
    private let movesKinds: Bool

    static func of(_ country: String?) -> LooseRules {
        country.flatMap { byCountry[$0] } ?? ofNoCountry
    }

    private static let ofNoCountry = LooseRules(LooseWords.languages(of: nil))

    private static let byCountry: [String: LooseRules] = {
        var all: [[String]: LooseRules] = [:]
        return Dictionary(
            uniqueKeysWithValues: Country.all.map { country in
                let languages = LooseWords.languages(of: country.code)
                let rules = all[languages] ?? LooseRules(languages)
                all[languages] = rules
                return (country.code, rules)
            })
    }()

    private init(_ languages: [String]) {
        self.languages = languages
        hasUmlauts = languages.contains { ["de", "sv", "da", "nb"].contains($0) }
        hasLongA = languages.contains { ["sv", "da", "nb"].contains($0) } && !languages.contains("fi")
        movesKinds = languages.contains { ["ru", "uk", "bg", "cs", "hr", "pl"].contains($0) }
        var tables = Tables()
        for language in languages {
            for row in LooseWords.rows[language, default: []] { tables.add(row) }
        }
        (street, town, ends, dottedEnds) = (tables.street, tables.town, tables.ends, tables.dottedEnds)
        phraseStarts = tables.phraseStarts
    }
}

/// The replacements of a word, by its position.
private struct Word {
    let language: String
    var anywhere: [UInt8]?
    var first: [UInt8]?
    var last: [UInt8]?
    var title: [UInt8]?

    init(_ language: String) {
        self.language = language
    }
}

private struct Tables {
    var street: [ShortText: Word] = [:]
    var town: [ShortText: [UInt8]] = [:]
    var phraseStarts: Set<ShortText> = []
    var ends: [(end: [UInt8], full: [UInt8])] = []
    var dottedEnds: [(end: String, full: String)] = []

    /// Adds a row of the table. An entry of an earlier language is kept.
    mutating func add(_ row: [String]) {
        let full = Array(Folding.loose(row[2]).utf8).filter { $0 != UInt8(ascii: " ") }
        var spellings = row[3].split(separator: " ").map { Folding.loose(String($0).replacing("_", with: " ")) }
        if !row[2].isEmpty { spellings.append(Folding.loose(row[2])) }
        for spelling in spellings {
            switch row[1] {
            case "end": if spelling != row[2] { ends.append((Array(spelling.utf8), full)) }
            case "dot": if spelling != row[2] { dottedEnds.append((spelling, row[2])) }
            default:
                guard let key = ShortText(Array(spelling.utf8)[...]) else { continue }
                if let space = spelling.utf8.firstIndex(of: UInt8(ascii: " ")),
                    let start = ShortText(Array(spelling.utf8[..<space])[...])
                {
                    phraseStarts.insert(start)
                }
                if row[1] == "town" || row[1] == "title" { town[key] = town[key] ?? full }
                if row[1] == "town" || street[key, default: Word(row[0])].language != row[0] { continue }
                switch row[1] {
                case "title": street[key, default: Word(row[0])].title = street[key]?.title ?? full
                case "first": street[key, default: Word(row[0])].first = street[key]?.first ?? full
                case "last": street[key, default: Word(row[0])].last = street[key]?.last ?? full
                default: street[key, default: Word(row[0])].anywhere = street[key]?.anywhere ?? full
                }
            }
        }
    }
}

extension LooseRules {
    func appendStreet(_ text: String, to output: inout [UInt8]) {
        guard !text.isEmpty else { return }
        let words = words(of: dottedEnds.isEmpty ? text : writingOutDots(in: text))
        if words.count > 1, words.contains(where: { $0.count == 1 }), let letter = letter(of: words) {
            return appendLettered(words, letter, to: &output)
        }
        var kinds: [[UInt8]] = []
        let start = output.count
        var position = 0
        while position < words.count {
            let (length, word) = meaning(at: position, of: words)
            if movesKinds, length > 0, word.isKind {
                kinds.append(word.text)
            } else {
                join(word.text, to: &output, since: start)
            }
            position += max(length, 1)
        }
        for kind in kinds { join(kind, to: &output, since: start) }
        if output.count == start, let only = words.first { join(only, to: &output, since: start) }
    }

    /// Returns the position of the letter that is a street's whole name: `E Street`, `Avenue N`, `S St NW`. Next to East
    /// Street, E Street is another one. Nil if the street has another name, such as `E Main St`.
    private func letter(of words: [[UInt8]]) -> Int? {
        let meanings = words.map { meaning(ofKind: $0) ?? [] }
        guard let kind = meanings.firstIndex(where: Self.letteredKinds.contains),
            meanings.indices.allSatisfy({ $0 == kind || Self.directions.contains(meanings[$0]) })
        else { return nil }
        let name = kind == 0 ? 1 : kind - 1
        return words[name].count == 1 ? name : nil
    }

    private func appendLettered(_ words: [[UInt8]], _ letter: Int, to output: inout [UInt8]) {
        let start = output.count
        for (position, word) in words.enumerated() {
            join(position == letter ? word : meaning(ofKind: word) ?? word, to: &output, since: start)
        }
    }

    /// `street` for `st`, which is a saint before a name.
    private func meaning(ofKind word: [UInt8]) -> [UInt8]? {
        ShortText(word[...]).flatMap { street[$0] }.flatMap { $0.anywhere ?? $0.last }
    }

    private static let letteredKinds = Set(
        ["street", "avenue", "road", "drive", "lane", "court", "place", "way", "boulevard"].map { Array($0.utf8) })

    func appendTown(_ text: String, to output: inout [UInt8]) {
        guard !text.isEmpty else { return }
        let isGerman = languages.contains("de")
        let hasBracket = isGerman && text.utf8.contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "/") }
        let words = words(of: hasBracket ? text.replacing("(", with: " a ").replacing("/", with: " a ") : text)
        let start = output.count
        var isBehindPreposition = false
        for (position, word) in words.enumerated() {
            // `Frankfurt a. M.`, `Frankfurt (Main)`: of the words behind it the first letter is enough.
            if isGerman, position > 0, position + 1 < words.count, Self.prepositions.contains(word) {
                isBehindPreposition = true
            } else if isBehindPreposition {
                join(Array(word.prefix(1)), to: &output, since: start)
            } else {
                let full = position + 1 < words.count || position > 0 ? ShortText(word[...]).flatMap { town[$0] } : nil
                join(full ?? word, to: &output, since: start)
                if position + 1 < words.count, Self.apart.contains(full ?? word) { output.append(UInt8(ascii: " ")) }
            }
        }
    }

    /// Words that no other is joined to: New Port and Newport are two towns.
    private static let apart = Set(
        ["new", "old", "north", "south", "east", "west"].map { Array($0.utf8) })

    private static let prepositions = Set(
        ["a", "am", "an", "der", "d", "dem", "den", "im", "in", "i", "ob", "o", "bei", "b", "vor", "v", "unter", "u"]
            .map {
                Array($0.utf8)
            })

    /// Returns the written-out form of the word or phrase at a position, and its length in words; 0 for a name.
    private func meaning(at position: Int, of words: [[UInt8]]) -> (length: Int, word: (text: [UInt8], isKind: Bool)) {
        if let long = phrase(at: position, of: words) { return long }
        let word = words[position]
        if let known = ShortText(word[...]).flatMap({ street[$0] }) {
            let isLast = position + 1 == words.count
            let isBeforeName = !isLast && !isDirectionOrKind(words[position + 1], isLast: position + 2 == words.count)
            if let title = known.title, isBeforeName { return (1, (title, false)) }
            if let last = known.last, !isBeforeName { return (1, (last, true)) }
            if let first = known.first, position == 0, !isLast { return (1, (first, true)) }
            if let full = known.anywhere { return (1, (full, true)) }
        }
        for (end, full) in ends where word.count > end.count + 1 && word.suffix(end.count).elementsEqual(end) {
            return (0, (word.dropLast(end.count) + full, false))
        }
        return (0, (withoutOrdinal(word), false))
    }

    /// Finds an abbreviation with a full stop in its middle.
    private func phrase(at position: Int, of words: [[UInt8]]) -> (length: Int, word: (text: [UInt8], isKind: Bool))? {
        guard position + 1 < words.count, let start = ShortText(words[position][...]), phraseStarts.contains(start)
        else {
            return nil
        }
        for length in [3, 2] where position + length <= words.count {
            let text = words[position..<(position + length)].joined(separator: [UInt8(ascii: " ")])
            guard let known = ShortText(Array(text)[...]).flatMap({ street[$0] }) else { continue }
            let isLast = position + length == words.count
            if let title = known.title, !isLast { return (length, (title, false)) }
            if let full = known.anywhere { return (length, (full, true)) }
        }
        return nil
    }

    private func isDirectionOrKind(_ word: [UInt8], isLast: Bool) -> Bool {
        guard let known = ShortText(word[...]).flatMap({ street[$0] }) else { return false }
        return known.anywhere != nil && known.title == nil && (isLast || Self.directions.contains(known.anywhere ?? []))
    }

    private static let directions = Set(
        ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"].map { Array($0.utf8) })

    /// `5` for `5th`.
    private func withoutOrdinal(_ word: [UInt8]) -> [UInt8] {
        guard let first = word.first, isDigit(first) else { return word }
        let digits = word.prefix(while: isDigit)
        let ending = word[digits.endIndex...]
        guard !ending.isEmpty, let language = languages.first, let endings = Self.endings[language] else { return word }
        return endings.contains { ending.elementsEqual($0.utf8) } ? Array(digits) : word
    }

    private static let endings = [
        "en": ["st", "nd", "rd", "th"], "fr": ["e", "er", "eme", "ere", "re", "nd"], "nl": ["e"],
    ]

    /// Appends a word without a space, except for one that separates two numbers.
    private func join(_ word: [UInt8], to output: inout [UInt8], since start: Int) {
        if output.count > start, let last = output.last, isDigit(last), let first = word.first, isDigit(first) {
            output.append(UInt8(ascii: " "))
        }
        let start = output.count
        output += word
        if hasUmlauts { foldUmlauts(&output, since: start) }
    }

    /// Returns the words in loose form.
    private func words(of text: String) -> [[UInt8]] {
        var folded: [UInt8] = []
        var text = text
        text.withUTF8 { Folding.loose($0, into: &folded) }
        return folded.split(separator: UInt8(ascii: " ")).map(Array.init)
    }

    /// `ä`, `ae` and `a` become equal, and so do `å` and `aa`. `neue` and `Bauer` have no umlaut.
    private func foldUmlauts(_ text: inout [UInt8], since start: Int) {
        var end = start
        var before: UInt8 = 0
        for position in start..<text.count {
            let byte = text[position]
            let last = end > start ? text[end - 1] : 0
            let isUmlaut =
                byte == UInt8(ascii: "e") && [UInt8(ascii: "a"), UInt8(ascii: "o"), UInt8(ascii: "u")].contains(last)
                && !Self.vowels.contains(before)
            let isLongA = hasLongA && byte == UInt8(ascii: "a") && last == byte
            if isUmlaut || isLongA { continue }
            before = last
            text[end] = byte
            end += 1
        }
        text.removeSubrange(end...)
    }

    private static let vowels = Set("aeiouq".utf8)

    /// `Storgatan` for `Storg.`: only the full stop distinguishes an abbreviation from a name.
    private func writingOutDots(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        return text.split(separator: " ").map { word in
            guard word.hasSuffix(".") else { return String(word) }
            let bare = word.dropLast()
            for (end, full) in dottedEnds where bare.utf8.count > end.utf8.count + 2 && bare.hasSuffix(end) {
                return bare.dropLast(end.count) + full
            }
            return String(word)
        }.joined(separator: " ")
    }
}
