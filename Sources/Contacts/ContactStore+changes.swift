package import Postgres

/// Lists the friends that have changed since a client's last request.
///
/// A change has the number of its transaction. Numbers are given in order but committed in any order. So only changes
/// below the oldest open transaction are listed: no later change can come before them.
/// https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
extension ContactStore {
    /// Returns the next friends that have changed, the first change first. Each friend is listed at its last change, so
    /// only once until it changes again.
    ///
    /// A page may have fewer than `limit` friends, or none, although there are more. Run it as several statements and
    /// not in one snapshot: the check at the end is for friends that were deleted meanwhile.
    ///
    /// A standby may show a change, or a deletion for good, that the primary does not show yet. If the next primary does
    /// not have it, its number is used again. So a standby throws ``ChangesAreLost`` unless all changes of the account
    /// are older than `oldestOpen`, the oldest open transaction of the primary, and no friend was deleted for good since
    /// the cursor, which came from a primary.
    package func changes(
        after cursor: ChangeCursor?, account: Int, limit: Int, oldestOpen: Int? = nil, on database: isolated Connection
    ) throws -> FriendChanges {
        let from = cursor ?? ChangeCursor(server: 0, purges: 0, transaction: 0, friend: 0)
        let found = try changed(after: from, account: account, limit: limit + 1, on: database)
        let page = found.prefix(limit)
        let standing = try standing(of: page, account: account, on: database)
        let current = zip(page, standing).filter { $0.0.transaction == $0.1?.changedIn }.compactMap(\.1)
        let friends = try friends(current.filter { $0.removedAt == nil }.map(\.id), account: account, on: database)
        let end = try self.end(at: page.last ?? (from.transaction, from.friend), account: account, on: database)
        if let cursor {
            guard cursor.server == end.cursor.server, cursor.transaction < end.next,
                cursor.purges == end.cursor.purges || cursor.transaction >= end.purgedIn
            else { throw ChangesAreLost() }
        }
        if end.isStandby {
            guard cursor?.purges == end.cursor.purges, end.newest < oldestOpen ?? 0 else { throw ChangesAreLost() }
        }
        return FriendChanges(
            friends: friends, removed: current.filter { $0.removedAt != nil }, next: end.cursor,
            isMore: found.count > limit)
    }

    private func changed(
        after cursor: ChangeCursor, account: Int, limit: Int, on database: isolated Connection
    ) throws -> [(transaction: Int, friend: Int)] {
        try database.query(
            """
            SELECT changed_in, friend
            FROM (
                (SELECT changed_in, id AS friend
                 FROM friends
                 WHERE account = \(account)::integer AND (changed_in, id) > (\(cursor.transaction)::bigint, \(cursor.friend)::bigint)
                   AND changed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
                 ORDER BY changed_in, id
                 LIMIT \(limit))
                UNION
                (SELECT DISTINCT changed_in, friend
                 FROM addresses
                 WHERE owner = \(account)::integer
                   AND (changed_in, friend) > (\(cursor.transaction)::bigint, \(cursor.friend)::bigint)
                   AND changed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
                 ORDER BY changed_in, friend
                 LIMIT \(limit))
            ) AS changes
            ORDER BY changed_in, friend
            LIMIT \(limit)
            """
        ).map { (try $0.read("changed_in"), try $0.read("friend")) }
    }

    /// Returns the present state of each of these friends; nil for friends deleted for good.
    private func standing(
        of changes: ArraySlice<(transaction: Int, friend: Int)>, account: Int, on database: isolated Connection
    ) throws -> [ChangedFriend?] {
        var standing = [ChangedFriend?](repeating: nil, count: changes.count)
        let rows = try database.query(
            """
            SELECT given.place, friends.id, friends.source_key, friends.feed,
                   \(part: .utc("friends.deleted_at")) AS removed_at,
                   -- Changes of a soft-deleted friend's addresses are not reported.
                   CASE WHEN friends.deleted_at IS NULL THEN greatest(friends.changed_in, addresses.changed_in)
                        ELSE friends.changed_in END AS changed_in
            FROM unnest(\(changes.map(\.friend))) WITH ORDINALITY AS given (id, place)
            CROSS JOIN LATERAL (
                SELECT *
                FROM friends
                WHERE friends.id = given.id AND (account = \(account)::integer) IS TRUE
                OFFSET 0
            ) AS friends
            CROSS JOIN LATERAL (
                SELECT max(own.changed_in) AS changed_in
                FROM (SELECT changed_in FROM addresses WHERE friend = friends.id OFFSET 0) AS own
            ) AS addresses
            """)
        for row in rows { standing[try row.read("place") - 1] = try ChangedFriend(row) }
        return standing
    }

    /// Reads, after everything else, the server's identity and the number of friends deleted for good.
    private func end(
        at place: (transaction: Int, friend: Int), account: Int, on database: isolated Connection
    ) throws -> (cursor: ChangeCursor, next: Int, purgedIn: Int, newest: Int, isStandby: Bool) {
        let row = try database.query(
            """
            SELECT system_identifier, purges, purged_in, pg_is_in_recovery() AS is_standby,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
                   greatest((SELECT changed_in FROM friends WHERE account = accounts.id ORDER BY changed_in DESC, id DESC LIMIT 1),
                            (SELECT changed_in FROM addresses WHERE owner = accounts.id ORDER BY changed_in DESC, friend DESC LIMIT 1))
                       AS newest
            FROM accounts, pg_control_system()
            WHERE accounts.id = \(account)::integer
            """
        ).first
        guard let row else { throw ContactError("there is no account \(account) any more") }
        let next: Int = try row.read("next")
        // A dump keeps the numbers, and another server begins with smaller ones.
        let newest: Int = try row.readIfPresent("newest") ?? 0
        guard newest < next else {
            throw ContactError(
                "the numbers of changes are those of another server: after restoring a dump, stop all processes and "
                    + "run: waypost migrate --restored")
        }
        let cursor = ChangeCursor(
            server: try row.read("system_identifier"), purges: try row.read("purges"), transaction: place.transaction,
            friend: place.friend)
        return (cursor, next, try row.read("purged_in"), newest, try row.read("is_standby"))
    }
}

/// The place in an account's changes after which the next page begins.
package struct ChangeCursor: Hashable, Sendable {
    /// The database server that gave the numbers.
    fileprivate let server: Int
    /// How often friends had been deleted for good.
    fileprivate let purges: Int
    fileprivate let transaction: Int
    fileprivate let friend: Int

    package var text: String {
        [server, purges, transaction, friend].map { String($0, radix: 36) }.joined(separator: ".")
    }

    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0, radix: 36) }.filter { $0 >= 0 }
        guard parts.count == 4, numbers.count == 4 else { return nil }
        self.init(server: numbers[0], purges: numbers[1], transaction: numbers[2], friend: numbers[3])
    }

    fileprivate init(server: Int, purges: Int, transaction: Int, friend: Int) {
        (self.server, self.purges, self.transaction, self.friend) = (server, purges, transaction, friend)
    }
}

/// A page of changes.
package struct FriendChanges: Sendable {
    /// In their present state.
    package let friends: [FriendRecord]
    package let removed: [ChangedFriend]
    package let next: ChangeCursor
    package let isMore: Bool
}

/// A friend that has changed. For a removed friend the client gets only this.
package struct ChangedFriend: Hashable, Sendable {
    package let id: Int
    package let sourceKey: String
    package let feed: String
    package let removedAt: String?
    fileprivate let changedIn: Int

    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        sourceKey = try row.read("source_key")
        feed = try row.read("feed")
        removedAt = try row.readIfPresent("removed_at")
        changedIn = try row.read("changed_in")
    }
}

/// Friends that the client does not know of were deleted for good, or the database is another one.
package struct ChangesAreLost: Error {}
