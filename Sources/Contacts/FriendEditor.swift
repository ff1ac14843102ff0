package import Formats
package import Postgres

/// Changes one friend or address of an account at a time, each change in one transaction. It treats friends of other accounts
/// and soft-deleted friends as missing.
package struct FriendEditor: Sendable {
    let intake = Intake()

    package init() {}

    /// Adds a friend. Returns their number; nil when the account has one with this source key already. A blank key
    /// means a new one.
    package func addFriend(
        _ friend: Friend, account: Int, feed: String = "", on database: isolated Connection
    ) throws -> Int? {
        try database.transaction { database in
            var friend = friend
            if friend.sourceKey.isEmpty {
                friend.sourceKey = try database.query("SELECT 'api:' || gen_random_uuid() AS key")[0].read("key")
            }
            let taken = try database.query(
                """
                SELECT
                FROM friends
                WHERE account = \(account)::integer AND source_key = \(friend.sourceKey) AND deleted_at IS NULL
                """)
            guard taken.isEmpty else { return nil }
            return try intake.sync(HashedFriends([friend]), account: account, feed: feed, on: database).friends[0]
        }
    }

    /// Keeps the positions that a friend's addresses bring along. Comes before the friend is locked, in the same transaction.
    package func keepPins(of friend: Friend, account: Int, on database: isolated Connection) throws {
        let owner = try intake.owner(account, on: database)
        var addresses = friend.addresses.map { HashedAddress($0) }
        try intake.pin(&addresses, of: owner, on: database)
    }

    /// Whom an account has under a source key, locked until the transaction ends. Nil where there is nobody: then somebody else may
    /// still add them.
    package func lock(
        key: String, account: Int, on database: isolated Connection
    ) throws -> (id: Int, feed: String, isDeleted: Bool)? {
        try database.query(
            """
            SELECT id, feed, deleted_at IS NOT NULL AS is_deleted
            FROM friends
            WHERE account = \(account)::integer AND source_key = \(key)
            FOR NO KEY UPDATE
            """
        ).first.map { (try $0.read("id"), try $0.read("feed"), try $0.read("is_deleted")) }
    }

    /// Makes an account's friend with this source key what `friend` says, as an import of the feed does. Returns their number, and whether
    /// the account had no such friend.
    package func put(
        _ friend: Friend, feed: String, account: Int, on database: isolated Connection
    ) throws -> (id: Int, isNew: Bool) {
        try database.transaction { database in
            let (counts, friends) = try intake.sync(
                HashedFriends([friend]), account: account, feed: feed, on: database)
            return (friends[0], counts.added > 0)
        }
    }

    /// Gives a friend another name. False when there is no such friend.
    package func rename(
        _ friend: Int, name: String, firstName: String = "", lastName: String = "", nickname: String = "", account: Int,
        on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            """
            UPDATE friends
            SET name = \(name), first_name = \(firstName), last_name = \(lastName), nickname = \(nickname)
            WHERE id = \(friend) AND account = \(account)::integer AND deleted_at IS NULL
            """
        ).affected > 0
    }

    /// Soft-deletes friends. Returns how many existed. A feed that has one of them again restores it.
    package func remove(_ friends: [Int], account: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE friends
            SET deleted_at = now(), updated_at = now()
            WHERE id = ANY (\(friends)) AND account = \(account)::integer AND deleted_at IS NULL
            """
        ).affected
    }

    /// Adds an address behind the others of a friend, and asks for it. Returns its number; nil when there is no such
    /// friend. Throws where the friend has as many already as a source may bring.
    package func addAddress(
        _ address: LabelledAddress, to friend: Int, account: Int, on database: isolated Connection
    ) throws -> Int? {
        try database.transaction { database in
            let (address, owner) = try prepare(address, account: account, on: database)
            guard try lock(friend: friend, account: account, on: database) else { return nil }
            let position = try positionBehindAll(of: friend, on: database)
            _ = try intake.ask([address], for: owner, on: database)
            return try intake.insert([(friend, (position, address))], of: account, on: database)[0]
        }
    }

    private func positionBehindAll(of friend: Int, on database: isolated Connection) throws -> Int {
        let row = try database.query(
            """
            SELECT count(*) AS addresses, coalesce(max(position), 0) + 1 AS position
            FROM addresses
            WHERE friend = \(friend)
            """)[0]
        let count: Int = try row.read("addresses")
        guard count < ContactLimits.addresses else {
            throw ContactError("the friend has \(count) addresses, the largest number", cause: .full)
        }
        let position: Int = try row.read("position")
        // Where old ones were removed again and again, the numbers run out before the addresses do.
        guard position > Int16.max else { return position }
        try database.query("UPDATE addresses SET position = -position WHERE friend = \(friend)")
        try database.query(
            """
            UPDATE addresses
            SET position = numbered.position
            FROM (
                SELECT id, row_number() OVER (ORDER BY position DESC) AS position
                FROM addresses
                WHERE friend = \(friend)
            ) AS numbered
            WHERE addresses.id = numbered.id
            """)
        return count + 1
    }

    /// Gives an address another text, label or pin, and asks for it. False when there is no such address.
    package func changeAddress(
        _ id: Int, to address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> Bool {
        try database.transaction { database in
            let (address, owner) = try prepare(address, account: account, on: database)
            guard let friend = try self.friend(ofAddress: id, account: account, on: database),
                try lock(friend: friend, account: account, on: database),
                let row = try addresses(of: friend, on: database).first(where: { $0.id == id })
            else { return false }
            _ = try intake.ask([address], for: owner, on: database)
            if row.says(address.address), row.label.isExactly(address.label) {
                try intake.fill([(id, address)], on: database)
            } else {
                try intake.rewrite([(row, (row.position, address))], on: database)
            }
            return true
        }
    }

    /// Removes an address for good. False when there is no such address.
    package func removeAddress(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        try database.transaction { database in
            guard let friend = try friend(ofAddress: id, account: account, on: database),
                try lock(friend: friend, account: account, on: database)
            else { return false }
            return try database.query("DELETE FROM addresses WHERE id = \(id) AND friend = \(friend)").affected > 0
        }
    }

    /// Pins come before friends, as everywhere.
    private func prepare(
        _ address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> (HashedAddress, Owner) {
        let owner = try intake.owner(account, on: database)
        var addresses = [HashedAddress(address)]
        try intake.pin(&addresses, of: owner, on: database)
        return (addresses[0], owner)
    }

    /// Keeps others from changing the friend and their addresses until the transaction ends. False when there is no such
    /// friend.
    package func lock(friend: Int, account: Int, on database: isolated Connection) throws -> Bool {
        let rows = try database.query(
            """
            SELECT
            FROM friends
            WHERE id = \(friend) AND account = \(account)::integer AND deleted_at IS NULL
            FOR NO KEY UPDATE
            """)
        return rows.count == 1
    }

    /// The same, of the friend who has this address. False when there is no such address.
    package func lock(friendOfAddress id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        guard let friend = try friend(ofAddress: id, account: account, on: database) else { return false }
        return try lock(friend: friend, account: account, on: database)
    }

    private func friend(ofAddress id: Int, account: Int, on database: isolated Connection) throws -> Int? {
        try database.query(
            """
            SELECT friend
            FROM addresses
            JOIN friends ON friends.id = friend
            WHERE addresses.id = \(id) AND account = \(account)::integer AND deleted_at IS NULL
            """
        ).first.map { try $0.read("friend") }
    }

    private func addresses(of friend: Int, on database: isolated Connection) throws -> [StoredAddress] {
        try database.query("SELECT *, id AS address FROM addresses WHERE friend = \(friend)").compactMap(
            StoredAddress.init)
    }
}
