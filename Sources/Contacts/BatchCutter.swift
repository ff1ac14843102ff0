import Formats

/// Cuts the contacts of a source into batches, without those that an earlier run has stored.
struct BatchCutter {
    struct Batch {
        /// The number of contacts before it in the source.
        let first: Int
        let friends: [Friend]
    }

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
    mutating func add(_ friend: Friend) -> Batch? {
        defer { count += 1 }
        while let next = stored.first, next.upperBound <= count { stored.removeFirst() }
        if stored.first?.contains(count) == true { return take() }
        friends.append(friend)
        return friends.count == size ? take(upTo: count + 1) : nil
    }

    /// Returns the rest at the end of the source.
    mutating func rest() -> Batch? { take() }

    private mutating func take(upTo end: Int? = nil) -> Batch? {
        guard !friends.isEmpty else { return nil }
        defer { friends.removeAll(keepingCapacity: true) }
        return Batch(first: (end ?? count) - friends.count, friends: friends)
    }
}
