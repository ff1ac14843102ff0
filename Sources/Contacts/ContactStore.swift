package import Geocodes
package import Geocoding
package import Postgres

/// The contacts, read together with what is known of their addresses. Friends who are gone are not among them.
package struct ContactStore: Sendable {
    package init() {}

    /// How many friends and addresses there are.
    package func counts(on database: isolated Connection) throws -> ContactCounts {
        let row = try database.query(
            """
            SELECT (SELECT count(*) FROM friends WHERE deleted_at IS NULL) AS friends,
                   (SELECT count(*) FROM addresses)
                   - (SELECT count(*) FROM addresses JOIN friends ON friends.id = friend WHERE deleted_at IS NOT NULL)
                   AS addresses,
                   (SELECT count(*) FROM addresses JOIN friends ON friends.id = friend
                    WHERE hash IS NULL AND deleted_at IS NULL) AS unhashed
            """)[0]
        return try ContactCounts(
            friends: row.read("friends"), addresses: row.read("addresses"), unhashed: row.read("unhashed"))
    }

    /// How an account's addresses stand, or only those of the friends whom `feed` brought last.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    package func progress(
        account: String, feed: String? = nil, on database: isolated Connection
    ) throws -> AddressProgress {
        let rows = try database.query(
            """
            SELECT coalesce(geocodes.status, 'waiting') AS status, geocodes.precision,
                   count(*) AS addresses, count(DISTINCT addresses.hash) AS questions
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE accounts.name = \(account) AND friends.deleted_at IS NULL
              AND (\(feed)::text IS NULL OR friends.feed = \(feed))
            GROUP BY 1, 2
            """)
        var progress = AddressProgress()
        for row in rows {
            let addresses: Int = try row.read("addresses")
            progress.questions += try row.read("questions")
            if let status = try GeocodeStatus(rawValue: row.read("status")) {
                progress.byStatus[status, default: 0] += addresses
            }
            if let precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:)) {
                progress.byPrecision[precision, default: 0] += addresses
            }
        }
        return progress
    }
}

package struct ContactCounts: Sendable, Equatable {
    package let friends: Int
    package let addresses: Int
    /// Written by another program and not yet seen by the sweep.
    package let unhashed: Int

    package init(friends: Int, addresses: Int, unhashed: Int) {
        self.friends = friends
        self.addresses = addresses
        self.unhashed = unhashed
    }
}

/// How many of an account's addresses are where.
package struct AddressProgress: Sendable, Equatable {
    package var byStatus: [GeocodeStatus: Int] = [:]
    package var byPrecision: [Precision: Int] = [:]
    /// Distinct addresses: what had to be asked at most.
    package var questions = 0

    package var total: Int { byStatus.values.reduce(0, +) }
    package var waiting: Int { byStatus[.waiting, default: 0] }
    package var located: Int { byStatus[.located, default: 0] }
    package var needsReview: Int { byStatus[.needsReview, default: 0] }
    package var notFound: Int { byStatus[.notFound, default: 0] }
    package var failed: Int { byStatus[.failed, default: 0] }
}
