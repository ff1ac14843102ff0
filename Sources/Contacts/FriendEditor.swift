package import Formats
package import Postgres

/// Changes one friend or address of an account at a time, each change in one transaction. Friends of other accounts and
/// soft-deleted friends count as missing.
package struct FriendEditor: Sendable {
    let writer = ContactWriter()

    package init() {}

    /// Adds a friend. Returns their id; nil if the account already has a friend with this source key. For an empty key
    /// a new key is made.
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
            return try writer.sync(HashedFriends([friend]), account: account, feed: feed, on: database).friends[0]
        }
    }

    /// Stores the positions of a friend's addresses as pins. Call it before the friend is locked, in the same
    /// transaction.
    package func storePins(of friend: Friend, account: Int, on database: isolated Connection) throws {
        let owner = try writer.owner(account, on: database)
        var addresses = friend.addresses.map { HashedAddress($0) }
        try writer.pin(&addresses, of: owner, on: database)
    }

    /// Returns the account's friend with this source key, locked until the transaction ends. Returns nil if there is
    /// none: then another transaction may still add one.
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

    /// Makes an account's friend with this source key equal to `friend`, as an import of the feed does. Returns the
    /// friend's id, and true if the friend is new.
    package func put(
        _ friend: Friend, feed: String, account: Int, on database: isolated Connection
    ) throws -> (id: Int, isNew: Bool) {
        try database.transaction { database in
            let (counts, friends) = try writer.sync(
                HashedFriends([friend]), account: account, feed: feed, on: database)
            return (friends[0], counts.added > 0)
        }
    }

    /// Renames a friend. Returns false if the friend does not exist.
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

    /// Soft-deletes friends. Returns how many existed. A feed that contains one of them again restores it.
    package func remove(_ friends: [Int], account: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE friends
            SET deleted_at = now(), updated_at = now()
            WHERE id = ANY (\(friends)) AND account = \(account)::integer AND deleted_at IS NULL
            """
        ).affected
    }

    /// Adds an address after the others of a friend, and asks it. Returns its id; nil if the friend does not exist.
    /// Throws if the friend already has as many addresses as a source may contain.
    package func addAddress(
        _ address: LabelledAddress, to friend: Int, account: Int, on database: isolated Connection
    ) throws -> Int? {
        try database.transaction { database in
            let (address, owner) = try prepare(address, account: account, on: database)
            guard try lock(friend: friend, account: account, on: database) else { return nil }
            let position = try positionBehindAll(of: friend, on: database)
            _ = try writer.ask([address], for: owner, on: database)
            return try writer.insert([(friend, (position, address))], of: account, on: database)[0]
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
        // If old addresses are removed again and again, the positions run out before the addresses do.
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

    /// Changes the text, label or pin of an address, and asks it. Returns false if the address does not exist.
    package func changeAddress(
        _ id: Int, to address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> Bool {
        try database.transaction { database in
            let (address, owner) = try prepare(address, account: account, on: database)
            guard let friend = try self.friend(ofAddress: id, account: account, on: database),
                try lock(friend: friend, account: account, on: database),
                let row = try addresses(of: friend, on: database).first(where: { $0.id == id })
            else { return false }
            _ = try writer.ask([address], for: owner, on: database)
            if row.says(address.address), row.label.isExactly(address.label) {
                try writer.fill([(id, address)], on: database)
            } else {
                try writer.rewrite([(row, (row.position, address))], on: database)
            }
            return true
        }
    }

    /// Deletes an address for good. Returns false if the address does not exist.
    package func removeAddress(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        try database.transaction { database in
            guard let friend = try friend(ofAddress: id, account: account, on: database),
                try lock(friend: friend, account: account, on: database)
            else { return false }
            return try database.query("DELETE FROM addresses WHERE id = \(id) AND friend = \(friend)").affected > 0
        }
    }

    /// Pins are stored before friends are locked, as everywhere.
    private func prepare(
        _ address: LabelledAddress, account: Int, on database: isolated Connection
    ) throws -> (HashedAddress, Owner) {
        let owner = try writer.owner(account, on: database)
        var addresses = [HashedAddress(address)]
        try writer.pin(&addresses, of: owner, on: database)
        return (addresses[0], owner)
    }

    /// Keeps other transactions from changing the friend and their addresses until this one ends. Returns false if the
    /// friend does not exist.
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

    /// Does the same for the friend with this address. Returns false if the address does not exist.
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
