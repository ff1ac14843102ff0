import Geocoding

/// The folded keys under which a name is found.
package enum NameKeys {
    /// The name, its halves if it has two (`Biel/Bienne`), and each of them also spelt without umlauts.
    package static func keys(of name: String) -> [String] {
        var keys: [String] = []
        func add(_ name: some StringProtocol) {
            for spelling in [String(name), spelledOut(String(name))] {
                let key = Folding.loose(spelling)
                if !key.isEmpty, !keys.contains(key) { keys.append(key) }
            }
        }
        add(name)
        let halves = name.split(separator: "/")
        if halves.count == 2 { halves.forEach(add) }
        return keys
    }

    /// A long name without its end, as people often write it: `Frankfurt` for `Frankfurt am Main`. Nil if there is no
    /// shorter form.
    package static func shortKey(of name: String) -> String? {
        if let bracket = name.firstIndex(of: "("), bracket > name.startIndex {
            let key = Folding.loose(String(name[..<bracket]))
            return key.utf8.count > 3 ? key : nil
        }
        let words = Folding.loose(name).split(separator: " ")
        guard let preposition = words.firstIndex(where: prepositions.contains), preposition > 0,
            preposition + 1 < words.count
        else { return nil }
        let key = words[..<preposition].joined(separator: " ")
        return key.utf8.count > 3 && !tooShort.contains(key) ? key : nil
    }

    /// A region's name without the word for its kind: `Lombardy` of `Region of Lombardy`.
    package static func regionKeys(_ key: String) -> [String] {
        let words = key.split(separator: " ")
        let rest = words.filter { !kinds.contains($0) && !articles.contains($0) }
        guard rest.count < words.count, !rest.isEmpty else { return [] }
        return [rest.joined(separator: " ")]
    }

    static let prepositions: Set<Substring> = [
        "am", "an", "im", "in", "bei", "ob", "vor", "a", "upon", "on", "under", "sur", "sous", "en", "les", "lez",
        "aan", "den", "nad", "pod", "unter",
    ]

    private static let tooShort: Set = ["saint", "santa", "sankt", "bad", "stadt", "neustadt", "villa"]

    /// Returns whether a folded word is a word for a kind of region, such as a province.
    static func isKind(_ word: ArraySlice<UInt8>) -> Bool { ShortText(word).map(kindKeys.contains) ?? false }

    /// Returns whether a folded name has a word that ``regionKeys(_:)`` leaves out.
    static func hasKind(_ key: ArraySlice<UInt8>) -> Bool {
        key.split(separator: UInt8(ascii: " ")).contains { ShortText($0).map(leftOut.contains) ?? false }
    }

    private static let kindKeys = Set(kinds.compactMap { ShortText(Array($0.utf8)[...]) })
    private static let leftOut = Set(kinds.union(articles).compactMap { ShortText(Array($0.utf8)[...]) })

    private static let kinds = Set(TownWords.region.map { Substring($0) })

    private static let articles: Set<Substring> = ["of", "de", "del", "da", "do", "di", "the"]

    private static func spelledOut(_ name: String) -> String {
        var text = ""
        for letter in name {
            switch letter {
            case "ä": text += "ae"
            case "ö", "ø": text += "oe"
            case "ü": text += "ue"
            case "å": text += "aa"
            case "Ä": text += "Ae"
            case "Ö", "Ø": text += "Oe"
            case "Ü": text += "Ue"
            case "Å": text += "Aa"
            default: text.append(letter)
            }
        }
        return text
    }
}
