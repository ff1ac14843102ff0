package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Makes sure that each address has a row, and returns the rows that are new, each with the job that is to carry it.
    ///
    /// `jobs` are numbers for jobs of `batch` questions each, reserved for as many as are asked here. A row is born
    /// with its job's number because writing it twice costs more than all the rest. One without a number is left to
    /// the sweep.
    ///
    /// An address that is known already, whatever its answer, costs nothing. Rows go in by hash, so
    /// that two importers which meet in the middle wait for each other but never dead-lock.
    package func ask(
        _ questions: [(hash: AddressHash, address: Address)], in jobs: [Int] = [], batch: Int = 1,
        on database: isolated Connection
    ) throws -> [(id: Int, job: Int?)] {
        var distinct: [AddressHash: Address] = [:]
        for question in questions where distinct[question.hash] == nil { distinct[question.hash] = question.address }
        let rows = distinct.map { (hash: Bytes($0.key.bytes), address: $0.value) }
        guard !rows.isEmpty else { return [] }
        // The look for known hashes is there to fill the jobs, and a scalar so that it stays a look into the index.
        return try database.query(
            """
            INSERT INTO geocodes (hash, street, city, region, postcode, country, job)
            SELECT hash, street, city, region, postcode, country,
                   (\(jobs))[1 + (row_number() OVER (ORDER BY hash) - 1) / \(batch)::integer]
            FROM unnest(
                \(rows.map(\.hash)),
                \(rows.map(\.address.street)), \(rows.map(\.address.city)), \(rows.map(\.address.region)),
                \(rows.map(\.address.postcode)), \(rows.map(\.address.country))
            ) AS asked (hash, street, city, region, postcode, country)
            WHERE (SELECT id FROM geocodes WHERE geocodes.hash = asked.hash) IS NULL
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, job
            """
        ).map { (id: try $0.read("id"), job: try $0.readIfPresent("job")) }
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
