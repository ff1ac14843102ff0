import Geocoding
package import Postgres

/// The table `geocodes`: each distinct address once, with its answer.
package struct GeocodeStore: Sendable {
    package init() {}
}

extension GeocodeStore {
    /// Makes sure that each address has a row. Returns the new rows that wait, each with its future job.
    ///
    /// `reserved` has enough jobs for each link at which a question may begin. A row is inserted with its job's id,
    /// because a second write would cost more than all the rest. The sweep queues rows without a job.
    ///
    /// A known address costs nothing. If the chain shares answers, another spelling of it, or another unit of the
    /// house, costs nothing either: it takes the existing answer, or follows the question that waits for one, without a
    /// job. Rows are inserted in the order of their hashes, so that two parallel imports may wait for each other but
    /// never deadlock.
    func ask(
        _ questions: [NewQuestion], along chain: StoredChain, in reserved: [ReservedJobs] = [],
        on database: isolated Connection
    ) throws -> [AskedQuestion] {
        let distinct = Dictionary(questions.map { ($0.hash, $0) }) { first, _ in first }
        guard !distinct.isEmpty else { return [] }
        // The server sorts sorted input in a third of the time.
        let plan = try plan(for: distinct.values.sorted { $0.hash < $1.hash }, along: chain, in: reserved, on: database)
        return try insert(plan.rows(following: lockLeaders(plan.leaders, on: database)), along: chain, on: database)
    }

    /// Returns which of these addresses ``ask(_:along:in:on:)`` and ``askAgain(_:along:insisting:on:)`` would send to a
    /// provider, by their positions in the list. Changes nothing.
    package func unanswered(
        _ questions: [NewQuestion], along chain: StoredChain, on database: isolated Connection
    ) throws -> [Int] {
        let plan = try plan(for: questions, along: chain, in: [], on: database)
        let new = plan.rows(following: plan.leaders).filter { $0.source == nil && !$0.follows }
        let asked = Set(new.map(\.question.hash))
        let again: [Int] = try database.query(
            """
            SELECT place - 1 AS place
            FROM unnest(\(questions.map(\.hash))) WITH ORDINALITY AS asked (hash, place)
            -- LIMIT makes each hash an index lookup.
            CROSS JOIN LATERAL (
                SELECT FROM geocodes WHERE geocodes.hash = asked.hash AND \(part: Self.isUseless(to: chain)) LIMIT 1
            ) AS known
            """
        ).map { try $0.read("place") }
        return Set(again).union(questions.indices.filter { asked.contains(questions[$0].hash) }).sorted()
    }

    /// Asks questions again along `chain` if their stored result is useless: forgotten answers, and questions that
    /// another chain could not find. With `insisting`, also questions that this chain could not find. Returns how many.
    package func askAgain(
        _ questions: [NewQuestion], along chain: StoredChain, insisting: Bool = false,
        on database: isolated Connection
    ) throws -> Int {
        // The links come from the parameter, because the API's role may not read addresses.
        let links = questions.map { chain.plan.start(of: .address($0.address)) }
        return try askAgain(
            questions.map(\.hash), at: links, of: chain, where: Self.isUseless(to: chain, insisting: insisting),
            on: database)
    }

    /// Makes those of these questions wait again, at these links, that match `condition`.
    func askAgain(
        _ hashes: [AddressHash], at links: [Int], of chain: StoredChain, where condition: SQL,
        on database: isolated Connection
    ) throws -> Int {
        guard !hashes.isEmpty else { return 0 }
        // Each hash is an index lookup. With a list as the condition, a plan for unknown lists compared each row with
        // the whole list: 4 s for 2,000 known questions of 100,000.
        let open: [AddressHash] = try database.query(
            """
            SELECT hash
            FROM unnest(\(hashes)) AS given (hash)
            CROSS JOIN LATERAL (SELECT pinned_at, status, chain FROM geocodes WHERE geocodes.hash = given.hash LIMIT 1) AS known
            WHERE \(part: condition)
            """
        ).map { try $0.read("hash") }
        guard !open.isEmpty else { return 0 }
        let useless = try database.query(
            "SELECT id, hash FROM geocodes WHERE hash = ANY (\(open)) AND \(part: condition) ORDER BY id FOR UPDATE")
        guard !useless.isEmpty else { return 0 }
        let link = Dictionary(zip(hashes, links)) { first, _ in first }
        let ids: [Int] = try useless.map { try $0.read("id") }
        let starts = try useless.map { link[try $0.read("hash"), default: 0] }
        return try database.query(
            "SELECT ask_again(\(ids), \(chain.id)::integer, \(starts)::integer[]) AS number"
        )[0].read("number")
    }

    /// The condition for a stored result for which a question along this chain is asked again.
    private static func isUseless(to chain: StoredChain, insisting: Bool = false) -> SQL {
        """
        pinned_at IS NULL
        AND (status = 'forgotten' OR status IN ('not_found', 'failed') AND (\(insisting) OR chain <> \(chain.id)))
        """
    }

    private func plan(
        for questions: [NewQuestion], along chain: StoredChain, in reserved: [ReservedJobs],
        on database: isolated Connection
    ) throws -> InsertPlan {
        // A loose key takes longer than reading and hashing the address, so only questions that may be new get one.
        let keys = questions.map { chain.plan.sharesHouses ? LooseKey($0.address) : nil }
        let rows = try similarRows(to: questions, keys: keys, along: chain, on: database)
        var known: Set<Int> = []
        var similar: [LooseKey: [SimilarQuestion]] = [:]
        for row in rows {
            if let place = try row.readIfPresent("place", as: Int.self) {
                known.insert(place)
            } else {
                similar[LooseKey(value: try row.read("loose_key")), default: []].append(try SimilarQuestion(row))
            }
        }
        var plan = InsertPlan(along: chain, in: reserved)
        for (place, question) in questions.enumerated() where !known.contains(place) {
            plan.add(question, looseKey: keys[place], similar: keys[place].flatMap { similar[$0] } ?? [])
        }
        return plan
    }

    /// Returns a row with the place of each question that has a row already, and the rows with the loose keys of the
    /// others.
    private func similarRows(
        to questions: [NewQuestion], keys: [LooseKey?], along chain: StoredChain, on database: isolated Connection
    ) throws -> Rows {
        // The limits make these index lookups, and keep them short if thousands live in one house.
        try database.query(
            """
            WITH asked AS MATERIALIZED (
                SELECT place, loose_key, (SELECT id FROM geocodes WHERE geocodes.hash = asked.hash) AS known
                FROM unnest(\(questions.map(\.hash)), \(keys.map { $0?.value }))
                    WITH ORDINALITY AS asked (hash, loose_key, place)
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
    }

    /// Locks those of these questions that still wait until this transaction ends: a transaction that answers one later
    /// sees its followers.
    ///
    /// A row that a worker is answering just now is skipped, so that importers and workers don't wait for each other.
    private func lockLeaders(_ leaders: Set<Int>, on database: isolated Connection) throws -> Set<Int> {
        guard !leaders.isEmpty else { return [] }
        let locked = try database.query(
            """
            SELECT id
            FROM geocodes
            WHERE id = ANY (\(leaders.sorted())) AND status = 'waiting' AND NOT follows
            ORDER BY id
            FOR SHARE SKIP LOCKED
            """)
        return Set(try locked.map { try $0.read("id") })
    }

    /// The copy of an answer; the values of a waiting question if there is none.
    private static let copy = Answer.copies(replacing: [
        "status": "CASE WHEN answer.id IS NULL THEN 'waiting' ELSE 'located' END::geocode_status",
        "confidence": "CASE WHEN answer.id IS NOT NULL THEN asked.confidence END",
        "is_weak": "coalesce(answer.is_weak, false)", "is_lent": "coalesce(answer.is_lent, false)",
        "shared_from": "answer.id",
    ])

    private static let sources: SQL = """
        LEFT JOIN LATERAL (
            SELECT id, \(part: Answer.copiedColumns)
            FROM geocodes
            WHERE geocodes.id = source AND may_be_shared(status, pinned_at, expires_at)
            LIMIT 1
        ) AS answer ON true
        """

    /// If an answer was deleted meanwhile, the question that should take it waits without a job.
    private func insert(
        _ rows: [InsertPlan.Row], along chain: StoredChain, on database: isolated Connection
    ) throws -> [AskedQuestion] {
        guard !rows.isEmpty else { return [] }
        let asked = rows.map(\.question.address)
        // Most batches take no answer, and are inserted faster without its columns.
        let takesAnswers = rows.contains { $0.source != nil }
        let columns: SQL = takesAnswers ? ", \(part: Answer.copiedColumns)" : ""
        let values: SQL = takesAnswers ? ", \(part: Self.copy)" : ""
        return try database.query(
            """
            INSERT INTO geocodes (
                hash, loose_key, street, city, region, postcode, country, chain, link, job, follows\(part: columns))
            SELECT hash, loose_key, street, city, region, postcode, country, \(chain.id)::integer, link, job, follows
                   \(part: values)
            FROM unnest(
                \(rows.map(\.question.hash)), \(rows.map { $0.looseKey?.value }),
                \(asked.map(\.street)), \(asked.map(\.city)), \(asked.map(\.region)), \(asked.map(\.postcode)),
                \(asked.map(\.country)), \(rows.map(\.link)), \(rows.map(\.job)), \(rows.map(\.follows)),
                \(rows.map(\.source)), \(rows.map(\.confidence))
            ) AS asked (
                hash, loose_key, street, city, region, postcode, country, link, job, follows, source, confidence)
            \(part: takesAnswers ? Self.sources : "")
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, hash, link, job, status = 'waiting' AS waits
            """
        ).filter { try $0.read("waits") }.map { row in
            (id: try row.read("id"), try row.read("hash"), try row.read("link"), try row.readIfPresent("job"))
        }
    }
}
