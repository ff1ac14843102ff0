import Geocoding

/// The keys by which the friends of a file are found when it is imported again.
///
/// It remembers 16 bytes for each of them, however long their names are.
struct SourceKeys {
    private var lineByID: [Int: Int] = [:]
    private var countByName: [Int: Int] = [:]
    private var written = KeyLines()

    /// The key of a friend with an id.
    mutating func key(id: String, line: Int) throws(ContactRow.Refusal) -> String {
        if let earlier = lineByID.updateValue(line, forKey: id.hashValue) {
            lineByID[id.hashValue] = earlier
            throw ContactRow.Refusal(reason: "line \(earlier) has the same id as line \(line)")
        }
        return "id:\(id)"
    }

    /// The key of a friend that an export of ours has brought: itself.
    mutating func key(written key: String, line: Int) throws(ContactRow.Refusal) -> String {
        do { try written.enter(key, line: line) } catch { throw ContactRow.Refusal(reason: error.reason) }
        return key
    }

    /// The key of a friend without one: the name, and how many of that name the file has had.
    mutating func key(name: String) -> String {
        let folded = String(Folding.canonical(name).unicodeScalars.prefix(480))
        let count = countByName[folded.hashValue, default: 0] + 1
        countByName[folded.hashValue] = count
        return "name:\(folded)#\(count)"
    }
}
