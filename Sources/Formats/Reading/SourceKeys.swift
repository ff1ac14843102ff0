import Geocoding

/// Assigns keys to the friends of a file, so that a later import finds the same friends.
///
/// It stores 16 bytes for each friend, however long the name is.
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

    /// The key of a friend from an export of ours: it is kept.
    mutating func key(written key: String, line: Int) throws(ContactRow.Refusal) -> String {
        do { try written.enter(key, line: line) } catch { throw ContactRow.Refusal(reason: error.reason) }
        return key
    }

    /// The key of a friend without an id: the name, and a number that counts the friends with this name.
    mutating func key(name: String) -> String {
        let folded = String(Folding.canonical(name).unicodeScalars.prefix(480))
        let count = countByName[folded.hashValue, default: 0] + 1
        countByName[folded.hashValue] = count
        return "name:\(folded)#\(count)"
    }
}
