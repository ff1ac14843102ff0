package import Postgres
package import Tracking

/// A stored location, as readers get it.
package struct StoredLocation: Hashable, Sendable {
    package let id: String
    package let user: String
    package let lat: Double
    package let lng: Double
    package let accuracy: Double?
    /// In seconds since 1970.
    package let timestamp: Double
    package let waitTime: Double
    package let uploaded: Bool
}

/// The place in one user's locations after which the next page begins.
package struct LocationCursor: Hashable, Sendable {
    package let timestamp: Double
    package let id: String

    package init(timestamp: Double, id: String) {
        self.timestamp = timestamp
        self.id = id
    }
}

/// The numbers of a user's locations.
package struct LocationCounts: Hashable, Sendable {
    package let locations: Int
    /// `due`: the sink doesn't have the location as it is. `refused`: the sink doesn't accept it.
    package let due: Int
    package let refused: Int
}

/// The numbers of a user's stored rows.
package struct TrackerCounts: Hashable, Sendable {
    /// All fixes, including doubted ones.
    package let fixes: Int
    package let doubtedFixes: Int
    package let locations: Int
    /// `due`: the sink doesn't have the location as it is. `refused`: the sink doesn't accept it.
    package let due: Int
    package let refused: Int
}

extension TrackerStore {
    /// Counts the locations of each of `trackers`.
    private static let locationCounts: SQL = """
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE NOT removed) AS locations,
                   count(*) FILTER (WHERE NOT uploaded AND refusal IS NULL AND trackers.sink IS NOT NULL) AS due,
                   count(*) FILTER (WHERE refusal IS NOT NULL) AS refused
            FROM pending_locations
            WHERE tracker = trackers.id
        ) AS locations
        """

    /// Returns nil if the user has no tracker. Reads all rows of the user.
    package func count(of user: String, account: Int, on database: isolated Connection) throws -> TrackerCounts? {
        try database.query(
            """
            SELECT fixes.count AS fixes, fixes.doubted, locations.*
            FROM trackers
            CROSS JOIN LATERAL (
                SELECT count(*), count(*) FILTER (WHERE is_doubted) AS doubted FROM fixes WHERE tracker = trackers.id
            ) AS fixes
            \(part: Self.locationCounts)
            WHERE trackers.account = \(account)::integer AND user_id = \(user)
            """
        ).first.map {
            TrackerCounts(
                fixes: try $0.read("fixes"), doubtedFixes: try $0.read("doubted"),
                locations: try $0.read("locations"), due: try $0.read("due"), refused: try $0.read("refused"))
        }
    }

    /// Counts the locations of some trackers, by their users. Reads all rows of these locations.
    package func countLocations(
        of users: [String], account: Int, on database: isolated Connection
    ) throws -> [String: LocationCounts] {
        let rows = try database.query(
            """
            SELECT user_id, locations.*
            FROM trackers
            \(part: Self.locationCounts)
            WHERE trackers.account = \(account)::integer AND user_id = ANY (\(users))
            """)
        let counts = try rows.map { row in
            try (
                row.read("user_id", as: String.self),
                LocationCounts(locations: row.read("locations"), due: row.read("due"), refused: row.read("refused"))
            )
        }
        return Dictionary(counts) { first, _ in first }
    }

    /// Returns the newest location; nil if there is none.
    package func newestLocation(
        of user: String, account: Int, on database: isolated Connection
    ) throws -> StoredLocation? {
        try locations(of: user, that: "ORDER BY at DESC, id DESC LIMIT 1", account: account, on: database).first
    }

    /// Returns the newest believed fix, where the user was last; nil if there is none.
    package func lastFix(of user: String, account: Int, on database: isolated Connection) throws -> Fix? {
        try database.query(
            """
            SELECT fix.id, lat, lng, accuracy, extract(epoch FROM at) AS timestamp, fix.wait_time
            FROM trackers
            CROSS JOIN LATERAL (
                SELECT * FROM fixes WHERE tracker = trackers.id AND NOT is_doubted ORDER BY at DESC, id DESC LIMIT 1
            ) AS fix
            WHERE trackers.account = \(account)::integer AND user_id = \(user)
            """
        ).first.map {
            Fix(
                id: try $0.read("id"), lat: try $0.read("lat"), lng: try $0.read("lng"),
                accuracy: try $0.readIfPresent("accuracy"), timestamp: try $0.read("timestamp"),
                waitTime: try $0.read("wait_time"))
        }
    }

    /// Returns a user's locations in the order of time, from a moment (inclusive) until a moment (exclusive), both in
    /// seconds since 1970. With `lasting`, only those that last at least this long.
    package func locations(
        of user: String, from: Double? = nil, until: Double? = nil, after cursor: LocationCursor? = nil,
        uploaded: Bool? = nil, lasting: Duration? = nil, limit: Int = 1_000, account: Int,
        on database: isolated Connection
    ) throws -> [StoredLocation] {
        // The bounds are never null, so even a generic plan reads only the page's rows from the index.
        let page: SQL = """
            AND at >= coalesce(to_timestamp(greatest(\(from)::double precision, \(cursor?.timestamp)::double precision)),
                               '-infinity')
            AND at < coalesce(to_timestamp(\(until)::double precision), 'infinity')
            AND (at, id) > (coalesce(to_timestamp(\(cursor?.timestamp)), '-infinity'),
                            coalesce(\(cursor?.id)::text, '') COLLATE "C")
            AND (\(uploaded)::boolean IS NULL OR uploaded = \(uploaded))
            AND wait_time >= coalesce(extract(epoch FROM \(lasting)::interval)::double precision, 0)
            ORDER BY at, id
            LIMIT \(limit)
            """
        return try locations(of: user, that: page, account: account, on: database)
    }

    /// Returns the locations that `part` selects, in the order of time.
    private func locations(
        of user: String, that part: SQL, account: Int, on database: isolated Connection
    ) throws -> [StoredLocation] {
        try database.query(
            """
            SELECT user_id, location.id, lat, lng, accuracy, extract(epoch FROM at) AS timestamp, location.wait_time,
                   uploaded
            FROM trackers
            CROSS JOIN LATERAL (
                SELECT * FROM pending_locations WHERE tracker = trackers.id AND NOT removed \(part: part)
            ) AS location
            WHERE trackers.account = \(account)::integer AND user_id = \(user)
            ORDER BY at, location.id
            """
        ).map { try StoredLocation($0) }
    }
}

extension StoredLocation {
    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        user = try row.read("user_id")
        lat = try row.read("lat")
        lng = try row.read("lng")
        accuracy = try row.readIfPresent("accuracy")
        timestamp = try row.read("timestamp")
        waitTime = try row.read("wait_time")
        uploaded = try row.read("uploaded")
    }
}
