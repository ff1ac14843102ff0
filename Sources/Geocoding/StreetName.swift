/// A street's name, to compare with another spelling of it.
struct StreetName {
    /// What is left without kind and direction.
    private let core: String
    /// `ave`, `strasse`, where it is a word of its own.
    private let kinds: [String]
    private let directions: [String]
    private let whole: String
    private let words: [String]
    /// Of the words, those that a period cuts short.
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
        // Who leaves out a word says less. Who says another means another street.
        let agree =
            (kinds == other.kinds || kinds.isEmpty || other.kinds.isEmpty)
            && (directions == other.directions || directions.isEmpty || other.directions.isEmpty)
        guard agree else { return .different }
        return core == other.core || NameWords.areOneTypoApart(core, other.core)
            || NameWords.areOneTypoApart(whole, other.whole) ? .similar : .different
    }

    /// `hauptstrasse` for `hauptstr`.
    private static func writtenOut(_ word: String) -> String {
        word.count > 4 && word.hasSuffix("str") ? word + "asse" : word
    }
}
