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

    /// The questions of a job that still wait for this very job.
    package func questions(
        _ subjects: [Int], of job: Int, on database: isolated Connection
    ) throws -> [(id: Int, address: Address)] {
        try database.query(
            """
            SELECT id, street, city, region, postcode, country
            FROM geocodes
            WHERE id = ANY (\(subjects)) AND job = \(job) AND status = 'waiting'
            ORDER BY id
            """
        ).map {
            (
                id: try $0.read("id"),
                address: Address(
                    street: try $0.read("street"), city: try $0.read("city"), region: try $0.read("region"),
                    postcode: try $0.read("postcode"), country: try $0.read("country"))
            )
        }
    }
}
