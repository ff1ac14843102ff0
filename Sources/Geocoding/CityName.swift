/// A town's name, for comparison with another spelling of it.
struct CityName {
    private let words: [String]
    private let whole: String
    /// The words that are abbreviated with a period.
    private let stems: Set<String>

    init(_ text: String) {
        let words = NameWords.words(of: text)
        let prefix = Self.prefixes.first { words.count > $0.count && words.starts(with: $0) } ?? []
        self.words = Array(words.dropFirst(prefix.count))
        whole = NameWords.joined(self.words)
        stems = NameWords.stems(of: text)
    }

    var isEmpty: Bool { whole.isEmpty }

    func match(_ other: Self) -> Match {
        if whole == other.whole { return .same }
        if NameWords.isEitherShort(words, stems, other.words, other.stems) { return .similar }
        if extends(other) || other.extends(self) || abbreviates(other) { return .similar }
        return NameWords.areOneTypoApart(whole, other.whole) ? .similar : .different
    }

    /// `Frankfurt am Main` extends `Frankfurt`, and `Berlin-Mitte` Berlin.
    private func extends(_ other: Self) -> Bool {
        words.count > other.words.count && words.starts(with: other.words) && other.whole.count >= 4
    }

    /// `Frankfurt a. M.` is `Frankfurt am Main`.
    private func abbreviates(_ other: Self) -> Bool {
        words.count > 1 && words.count == other.words.count
            && zip(words, other.words).allSatisfy { $0.hasPrefix($1) || $1.hasPrefix($0) }
    }

    /// The longest first.
    private static let prefixes = [
        "freie und hansestadt", "municipality of", "landeshauptstadt", "municipio de", "commune de", "gemeinde",
        "hansestadt", "comune di", "village of", "ville de", "city of", "town of", "stadt",
    ].map { $0.split(separator: " ").map(String.init) }
}
