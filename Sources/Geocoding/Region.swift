import CWords

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
