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

    /// How an account's addresses stand.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    package func progress(account: String, on database: isolated Connection) throws -> AddressProgress {
        let rows = try database.query(
            """
            SELECT coalesce(geocodes.status, 'waiting') AS status, geocodes.precision,
                   count(*) AS addresses, count(DISTINCT addresses.hash) AS questions
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE accounts.name = \(account) AND friends.deleted_at IS NULL
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

    /// The account's addresses in the order they came in, with their places: up to `limit` after `id`.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    package func places(
        account: String, after id: Int, limit: Int, on database: isolated Connection
    ) throws -> [ContactPlace] {
        try database.query(
            """
            SELECT addresses.id, friends.source_key, friends.name, addresses.label, addresses.street, addresses.city,
                   addresses.region, addresses.postcode, addresses.country,
                   coalesce(geocodes.status, 'waiting') AS status, geocodes.latitude, geocodes.longitude,
                   geocodes.precision, geocodes.confidence, geocodes.provider
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE accounts.name = \(account) AND addresses.id > \(id) AND friends.deleted_at IS NULL
            ORDER BY addresses.id
            LIMIT \(limit)
            """
        ).map(ContactPlace.init)
    }

    /// Whom to name beside an account's places.
    ///
    /// crosses rooms: an address has a place only through its hash, and the place's lane knows whose data it is.
    package func attributions(account: String, on database: isolated Connection) throws -> [String] {
        try database.query(
            """
            SELECT DISTINCT lanes.attribution
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            JOIN geocodes ON geocodes.hash = addresses.hash
            JOIN lanes ON lanes.name = geocodes.provider
            WHERE accounts.name = \(account) AND friends.deleted_at IS NULL AND geocodes.status = 'located'
              AND lanes.attribution <> ''
            ORDER BY lanes.attribution
            """
        ).map { try $0.read("attribution") }
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

/// One address of one friend, and its place if it has one.
package struct ContactPlace: Identifiable, Sendable {
    package let id: Int
    package let sourceKey: String
    package let name: String
    package let label: String
    package let address: Address
    package let status: GeocodeStatus
    package let coordinate: Coordinate?
    package let precision: Precision?
    /// From 0 to 1: what was asked against what came back.
    package let confidence: Double?
    package let provider: String?

    init(_ row: Row) throws {
        id = try row.read("id")
        sourceKey = try row.read("source_key")
        name = try row.read("name")
        label = try row.read("label")
        address = Address(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
        status = try GeocodeStatus(rawValue: row.read("status")) ?? .waiting
        precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:))
        confidence = try row.readIfPresent("confidence")
        provider = try row.readIfPresent("provider")
        if let latitude = try row.readIfPresent("latitude", as: Double.self),
            let longitude = try row.readIfPresent("longitude", as: Double.self)
        {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        } else {
            coordinate = nil
        }
    }
}
