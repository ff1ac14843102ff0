import Formats
package import Geocoding
package import Postgres

/// Complete friends that are not soft-deleted.
extension ContactStore {
    private static let friendColumns: SQL = """
        SELECT friends.id, friends.source_key, friends.name, friends.first_name, friends.last_name,
               friends.nickname, friends.feed,
               to_char(friends.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
               to_char(friends.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS updated,
               addresses.id AS address_id, addresses.label, addresses.street, addresses.city, addresses.region,
               addresses.postcode, addresses.country, addresses.country_code,
               to_char(addresses.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS address_created,
               to_char(addresses.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS address_updated,
        """

    /// crosses rooms: an address has a place only through its hash, so the tables are read as one.
    private static let friendTables: SQL = """
        FROM friends
        LEFT JOIN addresses ON addresses.friend = friends.id
        LEFT JOIN geocodes ON geocodes.hash = addresses.hash
        """

    /// One friend, in a single statement.
    package func friend(_ id: Int, account: Int, on database: isolated Connection) throws -> FriendRecord? {
        // Not the statement below for a list of one: PostgreSQL plans that anew each time, and keeps the plan of this one.
        let rows = try database.query(
            """
            \(part: Self.friendColumns) \(part: KnownPlace.columns)
            \(part: Self.friendTables)
            WHERE friends.id = \(id) AND friends.account = \(account) AND friends.deleted_at IS NULL
            ORDER BY addresses.position
            """)
        return try FriendRecord.read(rows).first
    }

    /// The friends of these numbers, in the order of the numbers.
    package func friends(_ ids: [Int], account: Int, on database: isolated Connection) throws -> [FriendRecord] {
        let rows = try database.query(
            """
            \(part: Self.friendColumns) \(part: KnownPlace.columns)
            \(part: Self.friendTables)
            WHERE friends.id = ANY (\(ids)) AND friends.account = \(account) AND friends.deleted_at IS NULL
            ORDER BY array_position(\(ids), friends.id), addresses.position
            """)
        return try FriendRecord.read(rows)
    }

    /// The numbers of the next friends who fit, the smallest first.
    ///
    /// crosses rooms: an address has a status only through its hash, so the two tables are read as one.
    package func friends(
        where filter: FriendFilter, account: Int, after id: Int, limit: Int, on database: isolated Connection
    ) throws -> [Int] {
        try database.query(
            """
            SELECT friends.id
            FROM friends
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL AND friends.id > \(id)
              AND (\(filter.feed)::text IS NULL OR friends.feed = \(filter.feed))
              AND (\(!filter.asksForAddresses) OR EXISTS (
                  SELECT
                  FROM addresses
                  LEFT JOIN geocodes ON geocodes.hash = addresses.hash
                  WHERE addresses.friend = friends.id
                    AND (\(filter.label)::text IS NULL OR addresses.label = \(filter.label))
                    AND (\(filter.country)::text IS NULL OR addresses.country_code = \(filter.country))
                    AND (\(filter.status?.rawValue)::text IS NULL
                         OR coalesce(geocodes.status, 'waiting')::text = \(filter.status?.rawValue))))
            ORDER BY friends.id
            LIMIT \(limit)
            """
        ).map { try $0.read("id") }
    }
}

/// What the operator of the cluster may see, across all accounts.
extension ContactStore {
    /// The account of a friend that is not soft-deleted.
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

    /// The number of the account with this name.
    package func account(named name: String, on database: isolated Connection) throws -> Int? {
        try database.query("SELECT id FROM accounts WHERE name = \(name)").first?.read("id")
    }

    /// The jobs that carry the questions about a friend's addresses, by address.
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

/// Which friends to list. What is nil does not matter.
package struct FriendFilter: Hashable, Sendable {
    package var feed: String?
    /// Of any of their addresses; the three are about the same address.
    package var label: String?
    package var country: String?
    package var status: GeocodeStatus?

    package init(feed: String? = nil, label: String? = nil, country: String? = nil, status: GeocodeStatus? = nil) {
        self.feed = feed
        self.label = label
        self.country = country
        self.status = status
    }

    var asksForAddresses: Bool { label != nil || country != nil || status != nil }
}
