package import Formats
import Geocoding
package import Postgres
import Questions

extension ContactStore {
    /// Returns up to `limit` addresses after `last`, with their places: all addresses of a friend together, and friends
    /// in the order in which they were stored.
    package func places(
        _ filter: PlaceFilter, after last: ContactPlace? = nil, limit: Int, on database: isolated Connection
    ) throws -> [ContactPlace] {
        // crosses rooms: an address has a place only through its hash, so the two tables are read as one.
        //
        // By the account's id: with a name, the planner does not know if the account is large or small, and the two
        // need different plans.
        guard let account = try account(named: filter.account, on: database) else { return [] }
        let (friend, position) = (last?.friend ?? 0, last?.position ?? 0)
        return try database.query(
            """
            SELECT \(part: Self.contactColumns), \(part: KnownPlace.columns)
            FROM friends
            JOIN addresses ON addresses.friend = friends.id
            LEFT JOIN LATERAL (\(part: KnownPlace.answerSoFar)) AS geocodes ON true
            WHERE friends.account = \(account) AND \(part: filter.condition)
              -- The second condition is sufficient. The first one lets PostgreSQL start there in the index of friends.
              AND friends.id >= \(friend)
              AND (addresses.friend, addresses.position) > (\(friend), \(position))
            ORDER BY friends.id, addresses.position
            LIMIT \(limit)
            """
        ).map(ContactPlace.init)
    }

    /// Returns the places of the friends with these keys, each friend's in the order of the source.
    ///
    /// After five runs PostgreSQL uses a plan for unknown keys, and it has no statistics of tables that were just
    /// filled. LIMIT and OFFSET make each key an index lookup even then, and `(SELECT …)` if only the account is newer
    /// than the statistics. With a list of keys as a condition, every
    /// friend of the account was compared with the list, and all answers were read for each piece of a file.
    /// Soft-deleted friends are filtered at the end: a condition inside would offer the planner an index of all others,
    /// which looks as good before the first ANALYZE.
    package func places(
        ofKeys keys: [String], account: String, on database: isolated Connection
    ) throws -> [String: [ContactPlace]] {
        // crosses rooms: an address has a place only through its hash, so the two tables are read as one.
        guard let account = try self.account(named: account, on: database) else { return [:] }
        let distinct = Array(Set(keys.map(ExactText.init))).map(\.text)
        let places = try database.query(
            """
            SELECT \(part: Self.contactColumns), \(part: KnownPlace.columns)
            FROM unnest(\(distinct)) AS given (key)
            CROSS JOIN LATERAL (
                SELECT * FROM friends WHERE account = (SELECT \(account)::integer) AND source_key = key LIMIT 1
            ) AS friends
            CROSS JOIN LATERAL (SELECT * FROM addresses WHERE friend = friends.id OFFSET 0) AS addresses
            LEFT JOIN LATERAL (\(part: KnownPlace.answerSoFar)) AS geocodes ON true
            WHERE friends.deleted_at IS NULL
            ORDER BY friends.id, addresses.position
            """
        ).map(ContactPlace.init)
        return Dictionary(grouping: places, by: \.sourceKey)
    }

    private static let contactColumns: SQL = """
        addresses.id, addresses.friend, addresses.position, friends.source_key, friends.name, friends.first_name,
        friends.last_name, friends.nickname, addresses.label, addresses.street, addresses.city, addresses.region,
        addresses.postcode, addresses.country, addresses.country_code
        """

    /// Returns the attributions of these places.
    ///
    /// crosses rooms: an address has a place only through its hash, and the attribution of the place is in its lane.
    package func attributions(_ filter: PlaceFilter, on database: isolated Connection) throws -> [String] {
        guard let account = try account(named: filter.account, on: database) else { return [] }
        return try database.query(
            """
            SELECT DISTINCT lanes.attribution
            FROM friends
            JOIN addresses ON addresses.friend = friends.id
            JOIN geocodes ON geocodes.hash = addresses.hash
            -- For a waiting question the best candidate so far is written, so take the candidate's provider.
            JOIN lanes ON lanes.name = CASE geocodes.status WHEN 'waiting' THEN candidates -> 0 ->> 'provider' ELSE provider END
            WHERE friends.account = \(account) AND \(part: filter.condition)
              AND geocodes.status IN ('located', 'waiting') AND lanes.attribution <> ''
            ORDER BY lanes.attribution
            """
        ).map { try $0.read("attribution") }
    }
}

extension PlaceFilter {
    /// The condition for a friend, the address, and its answer, which may be missing.
    fileprivate var condition: SQL {
        let (codes, statuses) = (countries.map(\.code), statuses.map(\.rawValue))
        return """
            friends.deleted_at IS NULL AND (\(feed)::text IS NULL OR friends.feed = \(feed))
            AND (cardinality(\(labels)) = 0 OR lower(addresses.label) IN (SELECT lower(unnest(\(labels)))))
            AND (cardinality(\(codes)) = 0 OR addresses.country_code = ANY (\(codes)))
            AND (cardinality(\(statuses)) = 0 OR coalesce(geocodes.status, 'waiting')::text = ANY (\(statuses)))
            AND (\(minimumConfidence?.asReal)::real IS NULL OR \(part: Place.confidence(of: "geocodes")) >= \(minimumConfidence?.asReal)::real)
            """
    }
}
