import CWords

/// The words for kinds of streets, in loose form, each with all its spellings.
enum StreetWords {
    /// True if `word` marks a street, by itself or as the end of a German or Nordic name.
    static func isStreet(_ word: String) -> Bool { isStreet(Array(word.utf8)[...]) }

    static func isStreet(_ word: ArraySlice<UInt8>) -> Bool {
        if let key = ShortText(word), keys.contains(key) { return true }
        let tail: UInt64 = word.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return tails.contains { word.count > $0.count && tail & $0.mask == $0.bytes }
    }

    /// Returns the first of the spellings of `word`: `ave` for `Avenue`.
    static func kind(_ word: String) -> String? {
        spellings[word]
    }

    /// `n` for `North` and `Nord`.
    static func direction(_ word: String) -> String? {
        directions[word]
    }

    private static let endings = [
        "strasse", "str", "gasse", "weg", "platz", "allee", "ring", "damm", "ufer", "gatan", "vagen", "katu", "tie",
        "gata",
        "vej", "veien", "gade", "straat", "laan", "plein", "kuja", "polku", "tn", "utca",
    ]

    /// `berg` for `bergstrasse`; nil if the word ends in no kind of street.
    static func stem(_ word: String) -> Substring? {
        endings.first { word.hasSuffix($0) && word.count > $0.count }.map { word.dropLast($0.count) }
    }

    /// The endings as numbers, for comparison in one step.
    private static let tails = endings.map { ending in
        let count = ending.utf8.count
        precondition(count < 8, "the endings of streets are short")
        let bytes: UInt64 = ending.utf8.reduce(0) { $0 << 8 | UInt64($1) }
        return (count: count, bytes: bytes, mask: UInt64(1) << UInt64(8 * count) - 1)
    }

    private static let keys = Set(spellings.keys.compactMap { ShortText(Array($0.utf8)[...]) })

    private static let directions = [
        "n": "n", "north": "n", "nord": "n", "norte": "n", "s": "s", "south": "s", "sud": "s", "e": "e", "east": "e",
        "est": "e", "este": "e", "w": "w", "west": "w", "ouest": "w", "oeste": "w", "ne": "ne", "northeast": "ne",
        "nw": "nw", "northwest": "nw", "se": "se", "southeast": "se", "sw": "sw", "southwest": "sw",
    ]

    private static let spellings: [String: String] = {
        var spellings: [String: String] = [:]
        for line in words_street_kinds().lines {
            let words = line.split(separator: UInt8(ascii: " "))
                .map { Folding.loose(String(decoding: $0, as: UTF8.self)) }
            for word in words { spellings[word] = words[0] }
        }
        return spellings
    }()
}

extension Address {
    /// True if a folded word marks its neighbours as the name of a street.
    package static func isStreetWord(_ word: ArraySlice<UInt8>) -> Bool { StreetWords.isStreet(word) }
}

extension Country {
    /// The code of the country that this one belongs to, if people write that country's name in addresses: France for
    /// Réunion.
    package var sovereignCode: String? { Territories.sovereign(of: code) }
}
