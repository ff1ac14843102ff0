package import Postgres

/// Shares the answer of an ended question with other spellings of it, and with other units of its house.
extension GeocodeStore {
    /// Copies the answers of questions that just ended to all waiting questions with the same loose keys, if the
    /// answers are good enough for them. The followers that get no answer stop following: the sweep gives them jobs.
    ///
    /// Call it in the transaction that ended the questions, after the statement that ended them. A follower of one of
    /// them locked its row before that statement did, so the follower is visible now. Rows that another transaction is
    /// changing are left to the sweep.
    func settle(_ ended: [Int], answered: [Int], on database: isolated Connection) throws {
        try share(answered, on: database)
        guard !ended.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET follows = false
            WHERE anybody_follows() AND id = ANY (ARRAY(
                SELECT id
                FROM geocodes
                WHERE follows AND loose_key = ANY (ARRAY(
                    SELECT loose_key FROM unnest(\(ended)) AS ended (ended_id)
                    CROSS JOIN LATERAL (SELECT loose_key FROM geocodes WHERE id = ended_id LIMIT 1) AS leader))
                FOR NO KEY UPDATE SKIP LOCKED))
            """)
    }

    /// Also finds questions that wait in a job of their own, because two importers asked at the same time.
    private func share(_ answered: [Int], on database: isolated Connection) throws {
        guard !answered.isEmpty else { return }
        let rows = try database.query(
            """
            SELECT answer.id AS id, latitude, longitude, precision, placemark::text AS placemark_text, confidence,
                   is_weak, provider, step, other.*
            FROM unnest(\(answered)) AS answered (answered_id)
            CROSS JOIN LATERAL (
                SELECT id, loose_key, latitude, longitude, precision, placemark, confidence, is_weak, provider, step
                FROM geocodes
                WHERE id = answered_id AND may_be_shared(status, pinned_at, expires_at) AND loose_key IS NOT NULL
                LIMIT 1
            ) AS answer
            CROSS JOIN LATERAL (
                SELECT id AS other_id, chain, street, city, region, postcode, country
                FROM geocodes
                WHERE loose_key = answer.loose_key AND status = 'waiting' AND at_latitude IS NULL
                ORDER BY id
                FOR NO KEY UPDATE SKIP LOCKED
            ) AS other
            """)
        guard !rows.isEmpty else { return }
        let chains = try ChainStore().chains(Set(rows.map { try $0.read("chain") }), on: database)
        var shared: [(id: Int, source: Int, confidence: Double)] = []
        for row in rows {
            guard let chain = chains[try row.read("chain")], let answer = try KnownSpelling(row).answer,
                case .address(let address) = try Question.Subject(address: row),
                let confidence = answer.confidence(for: address, along: chain)
            else { continue }
            shared.append((id: try row.read("other_id"), source: try row.read("id"), confidence: confidence))
        }
        try copy(shared, on: database)
    }

    private func copy(
        _ shared: [(id: Int, source: Int, confidence: Double)], on database: isolated Connection
    ) throws {
        guard !shared.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET status = 'located', job = NULL, follows = false, latitude = answer.latitude,
                longitude = answer.longitude, precision = answer.precision, placemark = answer.placemark,
                provider = answer.provider, step = answer.step, confidence = shared.confidence, candidates = NULL, reason = NULL, geocoded_at = answer.geocoded_at,
                expires_at = answer.expires_at, is_lent = answer.is_lent,
                is_weak = answer.is_weak, shared_from = answer.id
            FROM unnest(\(shared.map(\.id)), \(shared.map(\.source)), \(shared.map(\.confidence)))
                AS shared (other_id, source, confidence)
            CROSS JOIN LATERAL (
                SELECT id, latitude, longitude, precision, placemark, provider, step, geocoded_at, expires_at, is_lent,
                       is_weak
                FROM geocodes
                WHERE id = source
                LIMIT 1
            ) AS answer
            WHERE geocodes.id = shared.other_id AND geocodes.status = 'waiting'
            """)
    }

    /// Makes up to `limit` followers wait for themselves if their leader is gone or no longer waits: a person cancelled
    /// or pinned it, or its end skipped a locked follower. Returns how many there were.
    ///
    /// If there are more than a thousand followers, it reads a thousand of them, from a random place on.
    package func releaseLonely(_ limit: Int, on database: isolated Connection) throws -> Int {
        let start = Int.random(in: .min ... .max)
        return try database.query(
            """
            UPDATE geocodes
            SET follows = false
            WHERE anybody_follows() AND id = ANY (ARRAY(
                SELECT id
                FROM (
                    (SELECT id, loose_key FROM geocodes
                     WHERE follows AND loose_key >= \(start) ORDER BY loose_key LIMIT 1000)
                    UNION ALL
                    (SELECT id, loose_key FROM geocodes
                     WHERE follows AND loose_key < \(start) ORDER BY loose_key LIMIT 1000)
                    LIMIT 1000
                ) AS follower
                WHERE NOT EXISTS (
                    SELECT
                    FROM geocodes AS leader
                    WHERE leader.loose_key = follower.loose_key AND leader.status = 'waiting' AND NOT leader.follows)
                LIMIT \(limit)))
              AND follows
            """
        ).affected
    }
}
