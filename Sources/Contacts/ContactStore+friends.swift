import Formats
package import Geocoding
package import Postgres

/// Complete friends that are not soft-deleted.
extension ContactStore {
    private static func columns(with details: FriendDetails) -> SQL {
        var columns = friendColumns
        if details.contains(.addressTimes) { columns = "\(part: columns), \(part: addressTimes)" }
        let places =
            if details.contains(.addedColumns) {
                KnownPlace.columns
            } else {
                details.contains(.placeNames) ? KnownPlace.namedColumns : KnownPlace.usualColumns
            }
        return "SELECT \(part: columns), \(part: places)"
    }

    private static let addressTimes: SQL = """
        \(part: .utc("addresses.created_at")) AS address_created,
        \(part: .utc("addresses.updated_at")) AS address_updated
        """

    private static let friendColumns: SQL = """
        friends.id, friends.source_key, friends.name, friends.first_name, friends.last_name, friends.nickname,
        friends.feed,
        \(part: .utc("friends.created_at")) AS created,
        \(part: .utc("friends.updated_at")) AS updated,
        addresses.id AS address_id, addresses.label, addresses.street, addresses.city, addresses.region,
        addresses.postcode, addresses.country, addresses.country_code
        """

    /// crosses rooms: an address has a place only through its hash, so the tables are read as one.
    private static let friendTables: SQL = """
        FROM friends
        LEFT JOIN addresses ON addresses.friend = friends.id
        LEFT JOIN LATERAL (\(part: KnownPlace.answer)) AS geocodes ON true
        """

    /// Returns one friend, in a single statement.
    package func friend(_ id: Int, account: Int, on database: isolated Connection) throws -> FriendRecord? {
        // IS TRUE, here and below, as in the policies of row-level security: only the id is looked up in an index.
        let rows = try database.query(
            """
            \(part: Self.columns(with: .all))
            \(part: Self.friendTables)
            WHERE friends.id = \(id) AND (friends.account = \(account)) IS TRUE AND friends.deleted_at IS NULL
            ORDER BY addresses.position
            """)
        return try FriendRecord.read(rows).first
    }

    /// Returns the ids of the questions for a friend's addresses; none for a friend of another account.
    package func questions(ofFriend id: Int, account: Int, on database: isolated Connection) throws -> [Int] {
        try database.query(
            """
            SELECT DISTINCT geocodes.id
            \(part: Self.friendTables)
            WHERE friends.id = \(id) AND (friends.account = \(account)) IS TRUE AND friends.deleted_at IS NULL
              AND geocodes.id IS NOT NULL
            ORDER BY geocodes.id
            """
        ).map { try $0.read("id") }
    }

    /// Returns the id of a feed's friend with this source key.
    package func number(
        ofKey key: String, in feed: String, account: Int, on database: isolated Connection
    ) throws -> Int? {
        try database.query(
            """
            SELECT id
            FROM friends
            WHERE account = \(account)::integer AND source_key = \(key) AND (feed = \(feed)) IS TRUE AND deleted_at IS NULL
            """
        ).first?.read("id")
    }

    /// Returns the ids of the friends with these feeds and keys; nil where a friend does not exist.
    package func numbers(of keys: [FeedKey], account: Int, on database: isolated Connection) throws -> [Int?] {
        guard !keys.isEmpty else { return [] }
        return try database.query(
            """
            SELECT found.id
            FROM unnest(\(keys.map(\.feed)), \(keys.map(\.key))) WITH ORDINALITY AS given (feed, key, place)
            LEFT JOIN LATERAL (
                SELECT id
                FROM friends
                WHERE account = \(account)::integer AND source_key = given.key AND (feed = given.feed) IS TRUE
                  AND deleted_at IS NULL
                LIMIT 1
            ) AS found ON true
            ORDER BY given.place
            """
        ).map { try $0.readIfPresent("id") }
    }

    /// Returns the friends with these ids, in the order of the ids.
    ///
    /// Each id is one index lookup, however many there are and whatever the statistics are. As a list in a condition,
    /// the ids would be planned again for each request, or one day by reading all friends.
    package func friends(
        _ ids: [Int], with details: FriendDetails = .all, account: Int, on database: isolated Connection
    ) throws -> [FriendRecord] {
        let rows = try database.query(
            """
            \(part: Self.columns(with: details))
            FROM unnest(\(ids)) WITH ORDINALITY AS given (id, place)
            CROSS JOIN LATERAL (
                SELECT *
                FROM friends
                WHERE friends.id = given.id AND (account = \(account)::integer) IS TRUE AND deleted_at IS NULL
                OFFSET 0
            ) AS friends
            LEFT JOIN LATERAL (SELECT * FROM addresses WHERE friend = friends.id OFFSET 0) AS addresses ON true
            LEFT JOIN LATERAL (\(part: KnownPlace.answer)) AS geocodes ON true
            ORDER BY given.place, addresses.position
            """)
        return try FriendRecord.read(rows, with: details)
    }

    /// Returns the ids of the next matching friends, the smallest first.
    package func friends(
        where filter: FriendFilter, account: Int, after id: Int, limit: Int, on database: isolated Connection
    ) throws -> [Int] {
        var feed: SQL = filter.feed.map { "AND feed = \($0)" } ?? ""
        switch try filter.name.map({ try NameSearch($0, on: database) }) {
        case .few(let friends):
            return try self.friends(
                friends.filter { $0 > id }, where: filter, feed, account: account, limit: limit, on: database)
        case .many(let condition): feed = "\(part: feed) AND \(part: condition)"
        case nil: break
        }
        guard let fits = filter.condition else {
            return try database.query(
                """
                SELECT id
                FROM friends
                WHERE account = \(account)::integer AND deleted_at IS NULL AND id > \(id) \(part: feed)
                ORDER BY id
                LIMIT \(limit)
                """
            ).map { try $0.read("id") }
        }
        return try database.query(
            """
            SELECT DISTINCT addresses.friend AS id
            FROM addresses
            WHERE addresses.owner = \(account)::integer AND addresses.friend > \(id) AND \(part: fits)
              AND (SELECT deleted_at IS NULL \(part: feed) FROM friends WHERE friends.id = addresses.friend)
            ORDER BY addresses.friend
            LIMIT \(limit)
            """
        ).map { try $0.read("id") }
    }

    /// Returns those of these friends that match, the smallest id first.
    private func friends(
        _ ids: [Int], where filter: FriendFilter, _ feed: SQL, account: Int, limit: Int,
        on database: isolated Connection
    ) throws -> [Int] {
        let fits: SQL =
            filter.condition.map {
                "AND EXISTS (SELECT FROM addresses WHERE friend = named.id AND (\(part: $0)) IS TRUE)"
            } ?? ""
        return try database.query(
            """
            SELECT named.id
            FROM unnest(\(ids)) AS named (id)
            WHERE (SELECT account = \(account)::integer \(part: feed) FROM friends WHERE friends.id = named.id) \(part: fits)
            ORDER BY named.id
            LIMIT \(limit)
            """
        ).map { try $0.read("id") }
    }
}

/// Reads across all accounts, for the operator of the cluster.
extension ContactStore {
    /// Returns the account of a friend that is not soft-deleted.
    package func account(ofFriend id: Int, on database: isolated Connection) throws -> (id: Int, name: String)? {
        try database.query(
            """
            SELECT accounts.id, accounts.name
            FROM friends
            JOIN accounts ON accounts.id = friends.account
            WHERE friends.id = \(id) AND deleted_at IS NULL
            """
        ).first.map { (try $0.read("id"), try $0.read("name")) }
    }

    /// Returns the id of the account with this name.
    package func account(named name: String, on database: isolated Connection) throws -> Int? {
        try database.query("SELECT id FROM accounts WHERE name = \(name)").first?.read("id")
    }

    /// Returns the jobs of the questions for a friend's addresses, by address.
    ///
    /// crosses rooms: an address has a question only through its hash.
    package func jobs(ofFriend id: Int, on database: isolated Connection) throws -> [Int: Int] {
        let rows = try database.query(
            """
            SELECT addresses.id, job
            FROM addresses
            JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE friend = \(id) AND job IS NOT NULL
            """)
        return try Dictionary(rows.map { (try $0.read("id"), try $0.read("job")) }, uniquingKeysWith: { $1 })
    }
}

/// The feed and the source key of a friend.
package struct FeedKey: Hashable, Sendable {
    package let feed: String
    package let key: String

    /// The most friends that are read at once.
    package static let mostInBatch = 1_000

    package init(feed: String, key: String) {
        self.feed = feed
        self.key = key
    }
}

/// Selects friends to list. A member that is nil matches everything.
package struct FriendFilter: Hashable, Sendable {
    /// A part of the name, ignoring case.
    package var name: String?
    package var feed: String?
    /// Conditions on addresses: one address must match all three.
    package var label: String?
    package var country: String?
    package var status: GeocodeStatus?

    package init(
        name: String? = nil, feed: String? = nil, label: String? = nil, country: String? = nil,
        status: GeocodeStatus? = nil
    ) {
        self.name = name
        self.feed = feed
        self.label = label
        self.country = country
        self.status = status
    }

    /// The conditions on addresses; nil for none.
    ///
    /// One condition uses its index: the one that matches the fewest rows. `IS TRUE` keeps the planner from using the
    /// index of another condition, because it does not know the values.
    fileprivate var condition: SQL? {
        let label: SQL? = label.map { "addresses.label = \($0)" }
        let country: SQL? = country.map { "addresses.country_code = \($0)" }
        let status: SQL? = status.map { "addresses.place_status = \($0.rawValue)" }
        // Most addresses are located, or wait until they are.
        let isRare = self.status.map { $0 != .located && $0 != .waiting } ?? false
        let parts = (isRare ? [status, country, label] : [country, label, status]).compactMap(\.self)
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { "\(part: $0) AND (\(part: $1)) IS TRUE" }
    }
}
