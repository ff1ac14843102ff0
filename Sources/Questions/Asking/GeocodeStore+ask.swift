package import Geocoding
package import Postgres

/// Jobs that were reserved for the questions that begin at a link of a chain, `batch` questions in each.
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
    package func ask(
        _ questions: [(hash: AddressHash, address: Address)], along chain: StoredChain,
        in reserved: [ReservedJobs] = [], on database: isolated Connection
    ) throws -> [(id: Int, hash: AddressHash, link: Int, job: Int?)] {
        try ask(
            questions.map { NewQuestion($0.address, hash: $0.hash, looseKey: LooseKey($0.address)) }, along: chain,
            in: reserved, on: database)
    }

    /// Makes sure that each address has a row. Returns the new rows that wait, each with its future job.
    ///
    /// `reserved` has enough jobs for each link at which a question may begin. A row is inserted with its job's id,
    /// because a second write would cost more than all the rest. The sweep queues rows without a job.
    ///
    /// A known address costs nothing. If the chain shares answers, another spelling of it, or another unit of the
    /// house, costs nothing either: it takes the existing answer, or follows the question that waits for one, without a
    /// job. Rows are inserted in the order of their hashes, so that two parallel imports may wait for each other but
    /// never deadlock.
    package func ask(
        _ questions: [NewQuestion], along chain: StoredChain, in reserved: [ReservedJobs] = [],
        on database: isolated Connection
    ) throws -> [(id: Int, hash: AddressHash, link: Int, job: Int?)] {
        let distinct = Dictionary(questions.map { ($0.hash, $0) }) { first, _ in first }
        guard !distinct.isEmpty else { return [] }
        // The server sorts sorted input in a third of the time.
        let sorted = distinct.values.sorted { $0.hash < $1.hash }
        let (new, known) = try look(for: sorted, along: chain, on: database)
        var plan = AskingPlan(along: chain, in: reserved)
        for question in new { plan.add(question, known: known[question.looseKey, default: []]) }
        let leaders = try holdLeaders(plan.leaders, on: database)
        try insertShared(plan.shared, along: chain, on: database)
        return try insert(plan.rows(following: leaders), along: chain, on: database)
    }

    /// Returns which of these questions are new, and the known rows with the same loose keys.
    func look(
        for questions: [NewQuestion], along chain: StoredChain, on database: isolated Connection
    ) throws -> (new: [NewQuestion], known: [LooseKey: [KnownSpelling]]) {
        let shares = chain.plan.sharesHouses
        // The limits make these index lookups, and keep them short if thousands live in one house.
        let rows = try database.query(
            """
            WITH asked AS MATERIALIZED (
                SELECT place, loose_key, (SELECT id FROM geocodes WHERE geocodes.hash = asked.hash) AS known
                FROM unnest(
                    \(questions.map { Bytes($0.hash.bytes) }), \(questions.map { shares ? $0.looseKey.value : nil })
                ) WITH ORDINALITY AS asked (hash, loose_key, place)
            )
            SELECT place - 1 AS place, no_answer.*
            FROM asked
            LEFT JOIN (SELECT loose_key, id, \(part: Place.columns) FROM geocodes WHERE false) AS no_answer ON true
            WHERE known IS NOT NULL
            UNION ALL
            SELECT NULL, wanted.loose_key, other.*
            FROM (
                SELECT DISTINCT loose_key FROM asked WHERE known IS NULL AND loose_key IS NOT NULL
            ) AS wanted
            CROSS JOIN LATERAL (
                SELECT id, \(part: Place.columns)
                FROM (
                    SELECT id, status, chain, follows, pinned_at, expires_at, \(part: Place.columns)
                    FROM geocodes
                    WHERE geocodes.loose_key = wanted.loose_key
                    LIMIT 20
                ) AS near
                WHERE may_be_shared(status, pinned_at, expires_at)
                   OR status = 'waiting' AND NOT follows AND chain = \(chain.id)::integer AND \(chain.isSpared)::boolean
                LIMIT 5
            ) AS other
            """)
        return try Self.sort(rows, of: questions)
    }

    private static func sort(
        _ rows: Rows, of questions: [NewQuestion]
    ) throws -> (new: [NewQuestion], known: [LooseKey: [KnownSpelling]]) {
        var known: [LooseKey: [KnownSpelling]] = [:]
        var places: Set<Int> = []
        for row in rows {
            if let place = try row.readIfPresent("place", as: Int.self) {
                places.insert(place)
            } else {
                known[LooseKey(value: try row.read("loose_key")), default: []].append(try KnownSpelling(row))
            }
        }
        return (questions.indices.filter { !places.contains($0) }.map { questions[$0] }, known)
    }

    /// Locks those of these questions that still wait until this transaction ends: a transaction that answers one later
    /// sees its followers.
    ///
    /// A row that a worker is answering just now is skipped, so that importers and workers don't wait for each other.
    private func holdLeaders(_ leaders: Set<Int>, on database: isolated Connection) throws -> Set<Int> {
        guard !leaders.isEmpty else { return [] }
        let held = try database.query(
            """
            SELECT id
            FROM geocodes
            WHERE id = ANY (\(leaders.sorted())) AND status = 'waiting' AND NOT follows
            ORDER BY id
            FOR SHARE SKIP LOCKED
            """)
        return Set(try held.map { try $0.read("id") })
    }

    /// The copy of an answer; the values of a waiting question if there is none.
    private static let copy = Answer.copies(replacing: [
        "status": "CASE WHEN answer.id IS NULL THEN 'waiting' ELSE 'located' END::geocode_status",
        "confidence": "CASE WHEN answer.id IS NOT NULL THEN asked.confidence END",
        "is_weak": "coalesce(answer.is_weak, false)", "is_lent": "coalesce(answer.is_lent, false)",
        "shared_from": "answer.id",
    ])

    /// Stores questions with the answers of other spellings. If an answer was deleted meanwhile, the question waits.
    private func insertShared(
        _ shared: [AskingPlan.Shared], along chain: StoredChain, on database: isolated Connection
    ) throws {
        guard !shared.isEmpty else { return }
        let asked = shared.map(\.question.address)
        try database.query(
            """
            INSERT INTO geocodes (
                hash, loose_key, street, city, region, postcode, country, chain, link, \(part: Answer.copiedColumns))
            SELECT hash, loose_key, street, city, region, postcode, country, \(chain.id)::integer, link,
                   \(part: Self.copy)
            FROM unnest(
                \(shared.map { Bytes($0.question.hash.bytes) }), \(shared.map(\.question.looseKey.value)),
                \(asked.map(\.street)), \(asked.map(\.city)), \(asked.map(\.region)),
                \(asked.map(\.postcode)), \(asked.map(\.country)), \(shared.map(\.link)), \(shared.map(\.source)),
                \(shared.map(\.confidence))
            ) AS asked (hash, loose_key, street, city, region, postcode, country, link, source, confidence)
            LEFT JOIN LATERAL (
                SELECT id, \(part: Answer.copiedColumns)
                FROM geocodes
                WHERE geocodes.id = source AND may_be_shared(status, pinned_at, expires_at)
                LIMIT 1
            ) AS answer ON true
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            """)
    }

    private func insert(
        _ rows: [AskingPlan.Row], along chain: StoredChain, on database: isolated Connection
    ) throws -> [(id: Int, hash: AddressHash, link: Int, job: Int?)] {
        guard !rows.isEmpty else { return [] }
        let asked = rows.map(\.question.address)
        let shares = chain.plan.sharesHouses
        return try database.query(
            """
            INSERT INTO geocodes (hash, loose_key, street, city, region, postcode, country, chain, link, job, follows)
            SELECT hash, loose_key, street, city, region, postcode, country, \(chain.id)::integer, link, job, follows
            FROM unnest(
                \(rows.map { Bytes($0.question.hash.bytes) }),
                \(rows.map { shares ? $0.question.looseKey.value : nil }),
                \(asked.map(\.street)), \(asked.map(\.city)), \(asked.map(\.region)),
                \(asked.map(\.postcode)), \(asked.map(\.country)), \(rows.map(\.link)), \(rows.map(\.job)),
                \(rows.map(\.follows))
            ) AS asked (hash, loose_key, street, city, region, postcode, country, link, job, follows)
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, hash, link, job
            """
        ).map { row in
            guard let hash = AddressHash(bytes: try row.read("hash", as: Bytes.self).bytes) else {
                throw DatabaseError.undecodable(column: "hash", as: AddressHash.self)
            }
            return (id: try row.read("id"), hash, link: try row.read("link"), job: try row.readIfPresent("job"))
        }
    }
}
