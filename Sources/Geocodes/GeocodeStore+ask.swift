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

    /// Notes that waiting questions are in other jobs now.
    package func move(_ carriers: [(id: Int, subjects: [Int])], on database: isolated Connection) throws {
        guard !carriers.isEmpty else { return }
        let subjects = carriers.flatMap(\.subjects)
        let places = carriers.flatMap { carrier in carrier.subjects.map { _ in carrier.id } }
        try database.query(
            """
            UPDATE geocodes
            SET job = moved.place
            FROM unnest(\(subjects), \(places)) AS moved (subject, place)
            WHERE geocodes.id = ANY (\(subjects)) AND geocodes.id = moved.subject AND status = 'waiting'
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
