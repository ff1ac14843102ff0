extension SettingsReader {
    /// Adds a mistake for each variable that begins with `prefix` and was not read. It is probably a typo, which would
    /// leave a default in force. Call it after the last setting was read.
    package mutating func unknown(prefix: String) {
        for name in environment.keys.sorted() where name.hasPrefix(prefix) && !known.contains(name) {
            let suggestion = closest(to: name, prefix: prefix).map { "; did you mean \($0)?" }
            mistake("\(name) is not a setting" + (suggestion ?? ""))
        }
    }

    /// The setting that differs in at most a third of the letters after the prefix.
    private func closest(to name: String, prefix: String) -> String? {
        let word = Array(name.utf8.dropFirst(prefix.utf8.count))
        return known.filter { $0.hasPrefix(prefix) }
            .map { (name: $0, typos: typos(from: word, to: Array($0.utf8.dropFirst(prefix.utf8.count)))) }
            .filter { $0.typos <= max(1, word.count / 3) }
            .min { ($0.typos, $0.name) < ($1.typos, $1.name) }?
            .name
    }

    /// How many letters were added, left out, changed or swapped with their neighbour (optimal string alignment).
    private func typos(from one: [UInt8], to other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let changed = last[column] + (one[row] == other[column] ? 0 : 1)
                var best = min(changed, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
