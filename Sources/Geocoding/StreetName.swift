/// A street's name, for comparison with another spelling of it.
struct StreetName {
    /// The name without kind and direction.
    private let core: String
    /// `ave`, `strasse`, if it is a separate word.
    private let kinds: [String]
    private let directions: [String]
    private let whole: String
    private let words: [String]
    /// The words that are abbreviated with a period.
    private let stems: Set<String>

    init(_ text: String) {
        let words = NameWords.words(of: text).map(Self.writtenOut)
        self.words = words
        stems = NameWords.stems(of: text)
        let isName = { (word: String) in StreetWords.kind(word) == nil && StreetWords.direction(word) == nil }
        core = NameWords.joined(words.filter(isName))
        kinds = words.compactMap(StreetWords.kind).sorted()
        directions = words.compactMap(StreetWords.direction).sorted()
        whole = NameWords.joined(words.map { StreetWords.kind($0) ?? StreetWords.direction($0) ?? $0 })
    }

    var isEmpty: Bool { whole.isEmpty }

    func match(_ other: Self) -> Match {
        if whole == other.whole { return .same }
        if NameWords.isEitherShort(words, stems, other.words, other.stems) { return .similar }
        guard !core.isEmpty, !other.core.isEmpty else { return .different }
        // A name that lacks a word may still be the same street. A name with a different word is another street.
        let agree =
            (kinds == other.kinds || kinds.isEmpty || other.kinds.isEmpty)
            && (directions == other.directions || directions.isEmpty || other.directions.isEmpty)
        guard agree else { return .different }
        return core == other.core || NameWords.areOneTypoApart(core, other.core)
            || NameWords.areOneTypoApart(whole, other.whole) ? .similar : .different
    }

    /// True if it is `known` with a typo. Stricter than ``match(_:)``, because both may be names of streets: unless the
    /// typo is in the kind of street, the letters that distinguish it must be five for one typo, and nine for two.
    func isTypo(of known: Self) -> Bool {
        guard match(known) != .different else { return false }
        let stem = StreetWords.stem(known.core)
        if let stem, core.hasPrefix(stem) { return true }
        let letters = (stem ?? known.core[...]).count
        let permitted = letters < 5 ? 0 : letters < 9 ? 1 : 2
        return NameWords.editDistance(Array(core), Array(known.core)) <= permitted
    }

    /// `hauptstrasse` for `hauptstr`.
    private static func writtenOut(_ word: String) -> String {
        word.count > 4 && word.hasSuffix("str") ? word + "asse" : word
    }
}
