import Formats

/// Cuts the contacts of a source into batches, leaving out those that an earlier run has stored.
struct BatchCutter {
    struct Batch {
        /// How many contacts of the source come before it.
        let first: Int
        let friends: [Friend]
    }

    private let size: Int
    /// In their order; those behind which we are have gone.
    private var stored: ArraySlice<Range<Int>>
    private var count = 0
    private var friends: [Friend] = []

    init(size: Int, skipping stored: [Range<Int>]) {
        self.size = size
        self.stored = stored.sorted { $0.lowerBound < $1.lowerBound }[...]
    }

    /// Takes the next contact of the source. Returns a batch when one is full, or ends at what is stored already.
    mutating func add(_ friend: Friend) -> Batch? {
        defer { count += 1 }
        while let next = stored.first, next.upperBound <= count { stored.removeFirst() }
        if stored.first?.contains(count) == true { return take() }
        friends.append(friend)
        return friends.count == size ? take(upTo: count + 1) : nil
    }

    /// What is left at the end of the source.
    mutating func rest() -> Batch? { take() }

    private mutating func take(upTo end: Int? = nil) -> Batch? {
        guard !friends.isEmpty else { return nil }
        defer { friends.removeAll(keepingCapacity: true) }
        return Batch(first: (end ?? count) - friends.count, friends: friends)
    }
}
