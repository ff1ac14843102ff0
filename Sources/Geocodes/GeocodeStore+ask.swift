package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Makes sure that each address has a row, and returns the ids of the rows that are new.
    ///
    /// An address that is known already, whatever its answer, costs nothing. Rows go in by hash, so
    /// that two importers which meet in the middle wait for each other but never dead-lock.
    package func ask(
        _ questions: [(hash: AddressHash, address: Address)], on database: isolated Connection
    ) throws -> [Int] {
        var distinct: [AddressHash: Address] = [:]
        for question in questions where distinct[question.hash] == nil { distinct[question.hash] = question.address }
        let rows = distinct.map { (hash: Bytes($0.key.bytes), address: $0.value) }
        guard !rows.isEmpty else { return [] }
        return try database.query(
            """
            INSERT INTO geocodes (hash, street, city, region, postcode, country)
            SELECT *
            FROM unnest(
                \(rows.map(\.hash)),
                \(rows.map(\.address.street)), \(rows.map(\.address.city)), \(rows.map(\.address.region)),
                \(rows.map(\.address.postcode)), \(rows.map(\.address.country))
            ) AS asked (hash, street, city, region, postcode, country)
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            RETURNING id
            """
        ).map { try $0.read("id") }
    }

    /// Locks up to `limit` questions that wait and are in no job, and returns their ids.
    package func takeUnqueued(_ limit: Int, on database: isolated Connection) throws -> [Int] {
        try database.query(
            """
            SELECT id
            FROM geocodes
            WHERE status = 'waiting' AND job IS NULL
            ORDER BY id
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """
        ).map { try $0.read("id") }
    }

    /// Notes which job carries which question.
    package func attach(_ carriers: [(id: Int, subjects: [Int])], on database: isolated Connection) throws {
        guard !carriers.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = carried.job
            FROM unnest(
                \(carriers.flatMap(\.subjects)), \(carriers.flatMap { job in job.subjects.map { _ in job.id } })
            ) AS carried (subject, job)
            WHERE geocodes.id = carried.subject
            """)
    }

    /// The questions of jobs, of those that still wait for the very job. A job without any is left out.
    package func questions(
        _ subjects: [Int], of jobs: [Int], on database: isolated Connection
    ) throws -> [Int: [(id: Int, address: Address)]] {
        let rows = try database.query(
            """
            SELECT id, job, street, city, region, postcode, country
            FROM geocodes
            WHERE id = ANY (\(subjects)) AND job = ANY (\(jobs)) AND status = 'waiting'
            ORDER BY id
            """)
        var questions: [Int: [(id: Int, address: Address)]] = [:]
        for row in rows {
            let address = Address(
                street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
                postcode: try row.read("postcode"), country: try row.read("country"))
            questions[try row.read("job"), default: []].append((try row.read("id"), address))
        }
        return questions
    }
}
