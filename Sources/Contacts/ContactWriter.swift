package import Formats
package import Postgres
import Questions
import Queue

/// Stores contacts, and asks each new address.
///
/// A contact, its addresses, their hashes and their future jobs are stored in one transaction: no crash leaves an
/// address without a question.
package struct ContactWriter: Sendable {
    let geocodes = GeocodeStore()
    let questions = QuestionQueue()

    package init() {}
}

extension ContactWriter {
    /// Makes an account's friends equal to those of the source, in one transaction.
    ///
    /// Unchanged friends are not written. An address that stays keeps its row, and so its id and its place.
    /// Soft-deleted friends are restored. A friend of another feed belongs to this one from now on.
    package func store(
        _ friends: [Friend], account: Int, feed: String = "", on database: isolated Connection
    ) throws -> SyncCounts {
        try store(HashedFriends(friends), account: account, feed: feed, on: database)
    }

    package func store(
        _ batch: HashedFriends, account: Int, feed: String = "", on database: isolated Connection
    ) throws -> SyncCounts {
        try database.transaction { try sync(batch, account: account, feed: feed, on: $0).counts }
    }

    /// Stores friends in the caller's transaction. Also returns their ids.
    ///
    /// All transactions take locks in the same order: pins by hash, friends by key, questions by hash. So two that
    /// store the same friends wait for each other and never deadlock.
    func sync(
        _ batch: HashedFriends, account: Int, feed: String, priority: Priority = .usual,
        on database: isolated Connection
    ) throws -> (counts: SyncCounts, friends: [Int]) {
        guard !batch.friends.isEmpty else { return (SyncCounts(), []) }
        let owner = try owner(account, on: database)
        let friends = try pin(batch.friends, of: owner, on: database)
        let known = try storedFriends(friends.map(\.friend.sourceKey), of: account, on: database)
        var ids = known.mapValues(\.id)

        let touched = friends.indices.filter { place in
            known[place].map { FriendChange(from: $0, to: friends[place], feed: feed).isNeeded } ?? true
        }
        let untouched = touched.count == friends.count ? [] : Set(friends.indices).subtracting(touched).sorted()
        let inserted = try insertOrLock(touched.map { friends[$0].friend }, account: account, feed: feed, on: database)
        var changes: [FriendChange] = []
        for case (let place, let id?) in zip(touched, inserted) {
            ids[place] = id
            changes.append(FriendChange(id: id, to: friends[place]))
        }
        // Other transactions may have changed these friends before they were locked, so they are read again.
        let locked = zip(touched, inserted).filter { $1 == nil }.map(\.0)
        let present = try storedFriends(locked.map { friends[$0].friend.sourceKey }, of: account, on: database)
        for (index, place) in locked.enumerated() {
            guard let friend = present[index] else { preconditionFailure("a friend that is locked is there") }
            ids[place] = friend.id
            changes.append(FriendChange(from: friend, to: friends[place], feed: feed))
        }
        var counts = try write(changes, feed: feed, for: owner, priority: priority, on: database)
        counts.unchanged += untouched.count
        counts.addresses = friends.reduce(0) { $0 + $1.addresses.count }
        let unanswered = untouched.flatMap { place in
            let lacking = known[place].map { $0.addresses.filter(\.lacksAnswer).map(\.hash) } ?? []
            return friends[place].addresses.filter { $0.hash == $0.plainHash && lacking.contains($0.hash) }
        }
        counts.questions += try askAgain(unanswered.map(\.question), for: owner, on: database)
        return (counts, friends.indices.compactMap { ids[$0] })
    }

    private func pin(
        _ friends: [HashedFriend], of owner: Owner, on database: isolated Connection
    ) throws -> [HashedFriend] {
        var addresses = friends.flatMap(\.addresses)
        guard owner.hasPins || addresses.contains(where: { $0.position != nil }) else { return friends }
        try pin(&addresses, of: owner, on: database)
        var rest = addresses[...]
        return friends.map { friend in
            defer { rest = rest.dropFirst(friend.addresses.count) }
            return HashedFriend(friend: friend.friend, addresses: Array(rest.prefix(friend.addresses.count)))
        }
    }

    /// Inserts friends, and locks existing ones. Returns the id of each new friend, nil for the others.
    private func insertOrLock(
        _ friends: [Friend], account: Int, feed: String, on database: isolated Connection
    ) throws -> [Int?] {
        guard !friends.isEmpty else { return [] }
        let numbers: [Int] = try database.query(
            "SELECT nextval('friends_id_seq') AS id FROM generate_series(1, \(friends.count)::integer)"
        ).map { try $0.read("id") }
        // ON CONFLICT DO UPDATE locks the row that it finds even if its condition is false.
        let inserted: [Int] = try database.query(
            """
            INSERT INTO friends (id, account, source_key, name, first_name, last_name, nickname, feed)
            OVERRIDING SYSTEM VALUE
            SELECT id, \(account)::integer, key, name, first_name, last_name, nickname, \(feed)
            FROM unnest(
                \(numbers), \(friends.map(\.sourceKey)), \(friends.map(\.name)), \(friends.map(\.firstName)),
                \(friends.map(\.lastName)), \(friends.map(\.nickname))
            ) AS given (id, key, name, first_name, last_name, nickname)
            ORDER BY key COLLATE "C"
            ON CONFLICT (account, source_key) DO UPDATE SET name = excluded.name WHERE false
            RETURNING id
            """
        ).map { try $0.read("id") }
        let new = Set(inserted)
        return numbers.map { new.contains($0) ? $0 : nil }
    }

    /// Asks known questions again that no longer have an answer, such as a forgotten one. With `insisting`, also those
    /// that failed or were not found.
    func askAgain(
        _ known: [NewQuestion], for owner: Owner, insisting: Bool = false, on database: isolated Connection
    ) throws -> Int {
        guard !known.isEmpty else { return 0 }
        let chain = try questions.chain(owner.chain, on: database)
        return try geocodes.askAgain(known, along: chain, insisting: insisting, on: database)
    }
}
