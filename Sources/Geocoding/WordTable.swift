package import CWords

/// The tables of words and countries, compiled into the program from the files in `Sources/CWords/tables`. The comments
/// at the beginning of each file describe its format and its sources.
extension words {
    /// The lines of the table without its comments.
    var lines: [Slice<UnsafeBufferPointer<UInt8>>] {
        UnsafeBufferPointer(start: bytes, count: size).split(separator: UInt8(ascii: "\n"))
            .filter { $0.first != UInt8(ascii: "#") }
    }

    /// The fields of each line.
    package var rows: [[Substring]] {
        lines.map { String(decoding: $0, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false) }
    }
}

/// States and provinces that people write as a code as often as by name.
enum Region {
    /// Returns the folded code of a region of `country`, given in canonical form; nil for regions not listed below.
    static func code(folded spelling: ArraySlice<UInt8>, in country: Country) -> [UInt8]? {
        codes[country.code]?[SpellingKey(spelling)]
    }

    private static let codes: [String: [SpellingKey: [UInt8]]] = {
        var codes: [String: [SpellingKey: [UInt8]]] = [:]
        for row in words_regions().rows {
            let spellings = row.dropFirst().map { Array(Folding.canonical(String($0)).utf8) }
            for spelling in spellings { codes[String(row[0]), default: [:]][SpellingKey(spelling)] = spellings[0] }
        }
        return codes
    }()
}

/// Abbreviations in streets and towns, by language: the data of ``LooseKey``.
enum LooseWords {
    /// Returns the languages in which addresses of a country are written. If two languages have an entry for a word,
    /// the first one decides.
    static func languages(of country: String?) -> [String] {
        country.flatMap { languagesByCountry[$0] } ?? ["en", "de", "fr", "es", "it", "pt", "nl"]
    }

    private static let languagesByCountry: [String: [String]] = Dictionary(
        uniqueKeysWithValues: words_languages().rows.flatMap { row in
            let languages = row[0].split(separator: " ").map(String.init)
            return row[1].split(separator: " ").map { (String($0), languages) }
        })

    /// The rows of the table by language: the language, the position where a word counts, its meaning, its spellings.
    static let rows: [String: [[String]]] = Dictionary(
        grouping: words_loose().rows.map { $0.map(String.init) }, by: \.[0])
}

/// Words that people write where an address, or a part of it, is missing.
package enum Fillers {
    /// Returns whether a whole text in loose form means an empty field: `n/a`, `unknown`.
    package static func meansNothing(_ loose: String) -> Bool { loose.isEmpty || table[loose] == "nothing" }

    /// Returns whether a whole text in loose form is a word for a part or a kind of address: `street`, `mobile`.
    package static func isLabel(_ loose: String) -> Bool { table[loose].map { $0 != "nothing" } ?? false }

    /// Returns whether a phone number may follow.
    package static func isPhone(_ loose: String) -> Bool { table[loose] == "phone" }

    private static let table: [String: Substring] = words_fillers().rows.reduce(into: [:]) { table, row in
        for word in row.dropFirst() { table[Folding.loose(String(word))] = row[0] }
    }
}

/// Words for kinds of towns and regions, in loose form: `city of`, `г`, `oblast`.
package enum TownWords {
    package static let before = words("before")
    package static let after = words("after")
    package static let region = words("region")

    private static func words(_ position: Substring) -> Set<String> {
        Set(
            words_town_words().rows.filter { $0[0] == position }.flatMap { $0.dropFirst() }.map {
                Folding.loose(String($0))
            })
    }
}
