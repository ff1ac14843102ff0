package import Postgres

/// Reads accounts, friends and addresses together with their answers, and creates accounts. Leaves out soft-deleted
/// friends.
package struct ContactStore: Sendable {
    package init() {}

    /// Counts friends and addresses.
    package func counts(on database: isolated Connection) throws -> ContactCounts {
        let row = try database.query(
            """
            SELECT (SELECT coalesce(sum(friends), 0) FROM friend_tallies)::bigint AS friends,
                   (SELECT coalesce(sum(addresses), 0) FROM address_tallies)::bigint AS addresses,
                   (SELECT count(*) FROM addresses JOIN friends ON friends.id = friend
                    WHERE hash IS NULL AND deleted_at IS NULL) AS unhashed
            """)[0]
        return try ContactCounts(
            friends: row.read("friends"), addresses: row.read("addresses"), unhashed: row.read("unhashed"))
    }
}

package struct ContactCounts: Sendable, Equatable {
    package let friends: Int
    package let addresses: Int
    /// Written by another program and not yet hashed by the sweep.
    package let unhashed: Int

    package init(friends: Int, addresses: Int, unhashed: Int) {
        self.friends = friends
        self.addresses = addresses
        self.unhashed = unhashed
    }
}

extension SQL {
    /// A time in ISO 8601, in UTC, without fractions of a second.
    static func utc(_ time: SQL) -> SQL {
        """
        to_char(\(part: time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        """
    }
}
