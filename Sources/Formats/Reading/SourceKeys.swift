import Geocoding

/// Assigns keys to the friends of a file, so that a later import finds the same friends.
///
/// It stores 16 bytes for each friend, however long the name is.
struct SourceKeys {
    private var ids = KeyLines()
    private var written = KeyLines()
    private var countByName: [Int: Int] = [:]

    /// The key of a friend. `key` is that of an earlier export of ours, and is kept. `key` and `id` may be blank.
    mutating func key(written key: String, id: String, name: String, line: Int) throws(UnusableContact) -> String {
        if !key.isEmpty {
            try written.enter(key, line: line)
            return key
        }
        if id.isEmpty { return self.key(name: name) }
        try ids.enter(id, line: line, as: "id")
        return "id:\(id)"
    }

    /// The key of a friend without an id: the name, and a number that counts the friends with this name.
    mutating func key(name: String) -> String {
        let folded = String(Folding.canonical(name).unicodeScalars.prefix(480))
        let count = countByName[folded.hashValue, default: 0] + 1
        countByName[folded.hashValue] = count
        return "name:\(folded)#\(count)"
    }
}
