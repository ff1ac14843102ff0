import CWords

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
