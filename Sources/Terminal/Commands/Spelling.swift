/// Finds the word that was probably meant.
enum Spelling {
    /// The candidate nearest to `word`, if one is near enough to suggest it.
    ///
    /// One mistake is allowed for every three letters. If exactly one candidate starts with the word, that one is
    /// meant.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let letters = word.withoutDashes
        let longer = candidates.filter { $0.withoutDashes.starts(with: letters) }
        if letters.count > 1, longer.count == 1 { return longer.first }
        return
            candidates
            .map { (candidate: $0, slips: slips(from: letters, to: $0.withoutDashes)) }
            .filter { $0.slips <= max(letters.count, $0.candidate.withoutDashes.count) / 3 }
            .min { $0.slips < $1.slips }?.candidate
    }

    /// How many letters were left out, added, changed or swapped with their neighbour.
    ///
    /// The restricted Damerau-Levenshtein distance, which needs only three rows:
    /// https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance
    static func slips(from first: some StringProtocol, to second: some StringProtocol) -> Int {
        let first = Array(first)
        let second = Array(second)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}

extension String {
    fileprivate var withoutDashes: Substring { drop { $0 == "-" } }
}
