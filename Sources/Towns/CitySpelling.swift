import Geocoding

/// The names of towns that the city of an address may mean, the likeliest first.
struct CitySpelling {
    let names: [String]
    /// Beginnings of these names, and last words, which may be other towns: `Rio Branco` begins with Rio.
    private(set) var beginnings: [Beginning] = []

    /// The likeness of a town whose name is only a part of the written one.
    static let ofPart = 0.7

    struct Beginning {
        let name: String
        /// The words after it.
        let rest: String
        /// The name stands before a separator: `Brno - Ponava`.
        var isPiece = false
    }

    init(_ address: Address) {
        var names: [String] = []
        func add(_ words: some Collection<Substring>) {
            let name = words.joined(separator: " ")
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        var beginnings: [Beginning] = []
        func cut(_ words: [Substring], before index: Int) {
            beginnings.append(
                Beginning(
                    name: words[..<index].joined(separator: " "), rest: words[index...].joined(separator: " ")))
        }
        for text in Self.texts(address) {
            // `8001 Zürich`, `Boston MA 02110`, `London SW1A`
            let words = Folding.loose(text).split(separator: " ").filter { !$0.contains(where: \.isNumber) }
            add(words)
            let core = Self.withoutTitle(words)
            add(core)
            add(core.map { Self.abbreviations[$0] ?? $0 })
            if let first = core.first, let saints = Self.saints[first] {
                for saint in saints { add([saint] + core.dropFirst()) }
            }
            if let piece = Self.firstPiece(of: text) {
                beginnings.append(Beginning(name: piece, rest: "", isPiece: true))
            }
            // `Frankfurt am Main`, `Newcastle upon Tyne`, `Frankfurt (Oder)`
            if let preposition = core.firstIndex(where: Self.prepositions.contains), preposition > 0 {
                cut(core, before: preposition)
            }
            if core.count > 1 {
                cut(core, before: core.count - 1)
                beginnings.append(Beginning(name: String(core[core.count - 1]), rest: ""))
            }
        }
        self.names = names
        self.beginnings = beginnings
    }

    /// The name before a separator, without numbers: `liberec` of `Liberec 4 - Perštýn`.
    private static func firstPiece(of text: String) -> String? {
        let tokens = LineTokens(text)
        guard tokens.parts > 1 else { return nil }
        let words = (0..<tokens.count).filter { tokens[$0].part == 0 && !tokens[$0].hasDigit }
            .map { String(decoding: tokens.folded($0..<($0 + 1)), as: UTF8.self)[...] }
        let name = withoutTitle(words).joined(separator: " ")
        return name.isEmpty || TownWords.before.contains(name) ? nil : name
    }

    /// The likeness of a town with the name before a separator.
    static let ofPiece = 0.95

    /// The city. If it is empty, the texts that may contain it: the region, or the end of the street.
    private static func texts(_ address: Address) -> [String] {
        if !Folding.loose(address.city).isEmpty {
            let first = address.city.split { ",(".contains($0) }.first.map(String.init)
            return [first, address.city].compactMap(\.self)
        }
        let lines = address.street.split { $0 == "," || $0.isNewline }.map(String.init)
        return (lines.count > 1 ? [lines[lines.count - 1]] : []) + [address.region]
    }

    private static func withoutTitle(_ words: [Substring]) -> [Substring] {
        let count = (1...3).reversed().first { count in
            words.count > count && TownWords.before.contains(words[..<count].joined(separator: " "))
        }
        let rest = Array(words.dropFirst(count ?? 0))
        return rest.count > 1 && TownWords.after.contains(String(rest[rest.count - 1])) ? Array(rest.dropLast()) : rest
    }

    /// Returns whether these words describe where a town lies: `am Main`.
    static func isPlacing(_ words: String) -> Bool {
        words.split(separator: " ").first.map(prepositions.contains) ?? false
    }

    private static let prepositions: Set<Substring> = [
        "am", "an", "im", "in", "bei", "ob", "a", "upon", "on", "sur", "sous", "en", "les", "aan", "den", "nad", "pod",
    ]

    private static let abbreviations: [Substring: Substring] = [
        "mt": "mount", "ft": "fort", "pt": "port", "n": "north",
    ]

    private static let saints: [Substring: [Substring]] = [
        "st": ["saint", "sankt", "sint"], "saint": ["st"], "sankt": ["st"], "sint": ["st"], "ste": ["sainte"],
        "sainte": ["ste"],
    ]
}

/// Recognizes mistyped names of countries: `Germny`, `Untied States`.
enum CountrySpelling {
    /// The code of the only country whose name is one typo away; nil for codes and other short texts.
    static func country(like text: String) -> String? {
        let key = Folding.canonical(text)
        guard key.utf8.count >= 5, key.utf8.count <= 60, !key.contains(where: \.isNumber) else { return nil }
        var codes: Set<String> = []
        Typos.forEach(of: Array(key.utf8)) { spelling in
            guard spelling.count >= 5 else { return }
            if let country = Country(folded: spelling) { codes.insert(country.code) }
        }
        return codes.count == 1 ? codes.first : nil
    }
}
