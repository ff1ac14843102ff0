package import Geocoding
package import Postgres

/// Jobs that were reserved for the questions which begin at a link of a chain, `batch` of them in each.
package struct ReservedJobs: Sendable {
    package let link: Int
    package let jobs: [Int]
    package let batch: Int

    package init(link: Int, jobs: [Int], batch: Int) {
        self.link = link
        self.jobs = jobs
        self.batch = batch
    }
}

extension GeocodeStore {
    /// Makes sure that each address has a row, and returns the rows that are new and wait, each with the job that is to
    /// carry it.
    ///
    /// `reserved` has enough jobs for each link at which one of them may begin. A row is born with its job's number
    /// because writing it twice costs more than all the rest. One without a number is left to the sweep.
    ///
    /// An address that is known already costs nothing; nor does one whose house is known, if the chain shares houses.
    /// Rows go in by hash, so that two importers which meet in the middle wait for each other but never dead-lock.
    package func ask(
        _ questions: [(hash: AddressHash, address: Address)], along chain: StoredChain,
        in reserved: [ReservedJobs] = [], on database: isolated Connection
    ) throws -> [(id: Int, hash: AddressHash, link: Int, job: Int?)] {
        var distinct: [AddressHash: Address] = [:]
        for question in questions where distinct[question.hash] == nil { distinct[question.hash] = question.address }
        // The server sorts what is sorted already in a third of the time.
        let rows = distinct.sorted { $0.key < $1.key }
            .map { NewQuestion(hash: $0.key, address: $0.value, chain: chain.plan) }
        guard !rows.isEmpty else { return [] }
        var count = 0
        let begins = reserved.map { reserved in
            defer { count += reserved.jobs.count }
            return count
        }
        return try database.query(
            """
            INSERT INTO geocodes (
                hash, loose_hash, street, city, region, postcode, country, chain, link, job, status,
                latitude, longitude, precision, placemark, provider, step, confidence, is_weak, geocoded_at, expires_at,
                is_lent, shared_from)
            SELECT hash, loose_hash, street, city, region, postcode, country, \(chain.id)::integer, link,
                   CASE WHEN house_id IS NULL THEN (\(reserved.flatMap(\.jobs)))[
                       1 + begin + (row_number() OVER (PARTITION BY link, house_id IS NULL ORDER BY hash) - 1) / batch]
                   END,
                   CASE WHEN house_id IS NULL THEN 'waiting' ELSE 'located' END::geocode_status,
                   latitude, longitude, precision, placemark, provider, step, confidence,
                   coalesce(is_weak, false), geocoded_at, expires_at, coalesce(is_lent, false), house_id
            FROM unnest(
                \(rows.map { Bytes($0.hash.bytes) }), \(rows.map { $0.looseHash.map { Bytes($0.bytes) } }),
                \(rows.map(\.address.street)), \(rows.map(\.address.city)), \(rows.map(\.address.region)),
                \(rows.map(\.address.postcode)), \(rows.map(\.address.country)), \(rows.map(\.link))
            ) AS asked (hash, loose_hash, street, city, region, postcode, country, link)
            LEFT JOIN unnest(\(reserved.map(\.link)), \(begins), \(reserved.map(\.batch)))
                AS reserved (of_link, begin, batch) ON of_link = link
            LEFT JOIN LATERAL (
                SELECT id AS house_id, latitude, longitude, precision, placemark, provider, step, confidence,
                       is_weak, geocoded_at, expires_at, is_lent
                FROM geocodes
                WHERE asked.loose_hash IS NOT NULL
                  AND (geocodes.hash = asked.loose_hash OR geocodes.loose_hash = asked.loose_hash)
                  AND status = 'located' AND pinned_at IS NULL
                  AND precision IN ('rooftop', 'interpolated', 'street')
                LIMIT 1
            ) AS house ON true
            -- The look for known hashes is there to fill the jobs, and a scalar so that it stays a look into the index.
            WHERE (SELECT id FROM geocodes WHERE geocodes.hash = asked.hash) IS NULL
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, hash, link, job, status
            """
        ).compactMap { row in
            guard try row.read("status", as: String.self) == GeocodeStatus.waiting.rawValue else { return nil }
            guard let hash = AddressHash(bytes: try row.read("hash", as: Bytes.self).bytes) else {
                throw DatabaseError.undecodable(column: "hash", as: AddressHash.self)
            }
            return (id: try row.read("id"), hash, link: try row.read("link"), job: try row.readIfPresent("job"))
        }
    }
}

private struct NewQuestion {
    let hash: AddressHash
    let looseHash: AddressHash?
    let address: Address
    let link: Int

    init(hash: AddressHash, address: Address, chain: Chain) {
        self.hash = hash
        self.address = address
        looseHash = chain.sharesHouses ? address.withoutUnit.map { AddressHash($0) } : nil
        link = chain.start(of: .address(address))
    }
}
