import Formats
package import Geocoding
package import Postgres
import Questions

/// The numbers of an account's addresses by status and precision.
package struct AddressProgress: Sendable, Equatable {
    package var byStatus: [GeocodeStatus: Int] = [:]
    package var byPrecision: [Precision: Int] = [:]
    /// Located addresses whose answer is weak: coarser than the question.
    package var weakByPrecision: [Precision: Int] = [:]
    /// Located addresses for which a provider did not look. They are asked again later.
    package var provisional = 0
    /// Waiting addresses that have a place so far, by its precision. Other providers are still to be called for them.
    package var soFarByPrecision: [Precision: Int] = [:]
    /// Addresses without a country that are not located.
    package var missedWithoutCountry = 0
    /// The number of distinct addresses. At most this many questions were needed.
    package var questions = 0

    package init() {}

    package var total: Int { byStatus.values.reduce(0, +) }
    /// Addresses that have an answer now.
    package var answered: Int { total - waiting - byStatus[.forgotten, default: 0] }
    package var waiting: Int { byStatus[.waiting, default: 0] }
    package var located: Int { byStatus[.located, default: 0] }
    package var needsReview: Int { byStatus[.needsReview, default: 0] }
    package var notFound: Int { byStatus[.notFound, default: 0] }
    package var failed: Int { byStatus[.failed, default: 0] }
    package var weak: Int { weakByPrecision.values.reduce(0, +) }
}

extension ContactStore {
    /// Counts the states of an account's addresses, or only those of friends that `feed` imported last.
    ///
    /// Counting the distinct ones among a million addresses takes a while; `countingQuestions: false` skips it.
    package func progress(
        account: String, feed: String? = nil, countingQuestions: Bool = true, on database: isolated Connection
    ) throws -> AddressProgress {
        // crosses rooms: an address has a place only through its hash, so the two tables are read as one.
        let rows = try database.query(
            """
            SELECT coalesce(geocodes.status, 'waiting') AS status, geocodes.precision,
                   geocodes.is_weak, place_is_provisional AS is_provisional, btrim(addresses.country) <> '' AS has_country,
                   count(*) AS addresses
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN accounts ON accounts.id = friends.account
            LEFT JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE accounts.name = \(account) AND friends.deleted_at IS NULL
              AND (\(feed)::text IS NULL OR friends.feed = \(feed))
            GROUP BY 1, 2, 3, 4, 5
            """)
        var progress = AddressProgress()
        for row in rows { try progress.add(row) }
        if countingQuestions { progress.questions = try questions(account: account, feed: feed, on: database) }
        return progress
    }

    /// Counts the waiting addresses that have a place until their questions end, by its precision.
    func placesSoFar(
        account: String, feed: String? = nil, on database: isolated Connection
    ) throws -> [Precision: Int] {
        // crosses rooms: an address has a place only through its hash, so the tables are read as one.
        let rows = try database.query(
            """
            SELECT candidates_so_far, waits_for, located_from, count(*) AS addresses
            FROM friends
            JOIN accounts ON accounts.id = friends.account
            JOIN addresses ON addresses.friend = friends.id
            CROSS JOIN LATERAL (\(part: KnownPlace.answerSoFar)) AS geocodes
            WHERE accounts.name = \(account) AND friends.deleted_at IS NULL
              AND (\(feed)::text IS NULL OR friends.feed = \(feed))
              AND addresses.place_status = 'waiting' AND candidates_so_far IS NOT NULL
            GROUP BY 1, 2, 3
            """)
        var counts: [Precision: Int] = [:]
        for row in rows {
            guard let precision = try PlaceSoFar(row)?.place?.precision else { continue }
            counts[precision, default: 0] += try row.read("addresses")
        }
        return counts
    }

    private func questions(account: String, feed: String?, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT count(*) AS questions
            FROM (
                SELECT DISTINCT hash
                FROM addresses
                JOIN friends ON friends.id = addresses.friend
                JOIN accounts ON accounts.id = friends.account
                WHERE accounts.name = \(account) AND friends.deleted_at IS NULL AND hash IS NOT NULL
                  AND (\(feed)::text IS NULL OR friends.feed = \(feed))
            ) AS hashes
            """)[0].read("questions")
    }
}

extension AddressProgress {
    /// Adds a row of counts. Tallies have no countries.
    mutating func add(_ row: Row, hasCountries: Bool = true) throws {
        let addresses: Int = try row.read("addresses")
        guard let status = try GeocodeStatus(rawValue: row.read("status")) else { return }
        byStatus[status, default: 0] += addresses
        if status != .located, status != .waiting, hasCountries, try !row.read("has_country", as: Bool.self) {
            missedWithoutCountry += addresses
        }
        guard let precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:)) else { return }
        byPrecision[precision, default: 0] += addresses
        if status == .located, try row.read("is_provisional") { provisional += addresses }
        if try row.readIfPresent("is_weak") == true { weakByPrecision[precision, default: 0] += addresses }
    }
}
