import Geocodes
import Geocoding
package import Postgres

extension ContactStore {
    /// Up to `limit` addresses after `last`, with their places: all of a friend together, and friends in the order in
    /// which they were stored.
    package func places(
        _ filter: PlaceFilter, after last: ContactPlace? = nil, limit: Int, on database: isolated Connection
    ) throws -> [ContactPlace] {
        try places(filter, ofKeys: nil, after: last, limit: limit, on: database)
    }

    /// The places of the friends that a source calls by these keys, each friend's in the order of the source.
    package func places(
        ofKeys keys: [String], account: String, on database: isolated Connection
    ) throws -> [String: [ContactPlace]] {
        let places = try places(
            PlaceFilter(account: account), ofKeys: keys, after: nil, limit: nil, on: database)
        return Dictionary(grouping: places, by: \.sourceKey)
    }

    /// Whom to name beside these places.
    ///
    /// crosses rooms: an address has a place only through its hash, and the place's lane knows whose data it is.
    package func attributions(_ filter: PlaceFilter, on database: isolated Connection) throws -> [String] {
        guard let account = try account(named: filter.account, on: database) else { return [] }
        let (labels, codes, statuses) = filter.words
        return try database.query(
            """
            SELECT DISTINCT lanes.attribution
            FROM friends
            JOIN addresses ON addresses.friend = friends.id
            JOIN geocodes ON geocodes.hash = addresses.hash
            JOIN lanes ON lanes.name = geocodes.provider
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL
              AND (\(filter.feed)::text IS NULL OR friends.feed = \(filter.feed))
              AND geocodes.status = 'located' AND lanes.attribution <> ''
              AND (cardinality(\(labels)) = 0 OR lower(addresses.label) IN (SELECT lower(unnest(\(labels)))))
              AND (cardinality(\(codes)) = 0 OR addresses.country_code = ANY (\(codes)))
              AND (cardinality(\(statuses)) = 0 OR geocodes.status::text = ANY (\(statuses)))
              AND (\(filter.minimumConfidence)::real IS NULL OR geocodes.confidence >= \(filter.minimumConfidence)::real)
            ORDER BY lanes.attribution
            """
        ).map { try $0.read("attribution") }
    }

    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    private func places(
        _ filter: PlaceFilter, ofKeys keys: [String]?, after last: ContactPlace?, limit: Int?,
        on database: isolated Connection
    ) throws -> [ContactPlace] {
        // By its number: of a name nobody knows before the statement runs whether it is a large account or a small one,
        // and the plan must be another.
        guard let account = try account(named: filter.account, on: database) else { return [] }
        let (labels, codes, statuses) = filter.words
        let (friend, position) = (last?.friend ?? 0, last?.position ?? 0)
        return try database.query(
            """
            SELECT addresses.id, addresses.friend, addresses.position, friends.source_key, friends.name,
                   friends.first_name, friends.last_name, friends.nickname, addresses.label, addresses.street,
                   addresses.city, addresses.region, addresses.postcode, addresses.country, addresses.country_code,
                   \(part: KnownPlace.columns)
            FROM friends
            JOIN addresses ON addresses.friend = friends.id
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL
              AND (\(filter.feed)::text IS NULL OR friends.feed = \(filter.feed))
              -- The second line says it all. The first one lets the index of friends, too, be entered there.
              AND friends.id >= \(friend)
              AND (addresses.friend, addresses.position) > (\(friend), \(position))
              AND (\(keys)::text[] IS NULL OR friends.source_key = ANY (\(keys)))
              AND (cardinality(\(labels)) = 0 OR lower(addresses.label) IN (SELECT lower(unnest(\(labels)))))
              AND (cardinality(\(codes)) = 0 OR addresses.country_code = ANY (\(codes)))
              AND (cardinality(\(statuses)) = 0 OR coalesce(geocodes.status, 'waiting')::text = ANY (\(statuses)))
              AND (\(filter.minimumConfidence)::real IS NULL OR geocodes.confidence >= \(filter.minimumConfidence)::real)
            ORDER BY friends.id, addresses.position
            LIMIT \(limit)
            """
        ).map(ContactPlace.init)
    }
}

extension PlaceFilter {
    /// As the tables have them.
    fileprivate var words: (labels: [String], codes: [String], statuses: [String]) {
        (labels, countries.map(\.code), statuses.map(\.rawValue))
    }
}
