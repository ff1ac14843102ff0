import Formats
import Queue

/// Contacts of a source that are stored in one transaction.
package struct ImportBatch: Sendable {
    /// The number of contacts before it in the source.
    let first: Int
    /// Its contacts, including those that a later one with the same key replaced.
    let contacts: Int
    let friends: HashedFriends
    var priority = Priority.usual

    init(_ friends: [Friend], after first: Int = 0) {
        (self.first, contacts) = (first, friends.count)
        self.friends = HashedFriends(friends)
    }
}

/// Cuts the contacts of a source into batches, without those that an earlier run has stored.
struct BatchCutter {
    private let size: Int
    /// In their order; ranges that were passed are removed.
    private var stored: ArraySlice<Range<Int>>
    private var count = 0
    private var friends: [Friend] = []

    init(size: Int, skipping stored: [Range<Int>]) {
        self.size = size
        self.stored = stored.sorted { $0.lowerBound < $1.lowerBound }[...]
    }

    /// Takes the next contact of the source. Returns a batch when it is full, or when the next contacts are stored
    /// already.
    mutating func add(_ friend: Friend) -> ImportBatch? {
        defer { count += 1 }
        while let next = stored.first, next.upperBound <= count { stored.removeFirst() }
        if stored.first?.contains(count) == true { return take() }
        friends.append(friend)
        return friends.count == size ? take(upTo: count + 1) : nil
    }

    /// Returns the rest at the end of the source.
    mutating func rest() -> ImportBatch? { take() }

    private mutating func take(upTo end: Int? = nil) -> ImportBatch? {
        guard !friends.isEmpty else { return nil }
        defer { friends.removeAll(keepingCapacity: true) }
        return ImportBatch(friends, after: (end ?? count) - friends.count)
    }
}
