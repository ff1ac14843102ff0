import Geocoding
package import Postgres

extension GeocodeStore {
    /// Adds a shadow of each of these questions (sql/functions/rematch.sql). Returns the shadows: questions that wait, that
    /// have a shadow, or that a person decided are skipped.
    func addShadows(
        of questions: [Int], in reserved: ReservedJobs, along chain: StoredChain, on database: isolated Connection
    ) throws -> [AskedQuestion] {
        try database.query(
            """
            SELECT shadow, shadow_job
            FROM ask_anew(
                \(questions), \(questions.indices.map { reserved.job($0) }), \(chain.id)::integer,
                \(reserved.link)::integer)
            """
        ).map { (id: try $0.read("shadow"), nil, reserved.link, try $0.readIfPresent("shadow_job")) }
    }

    /// Counts the questions that are being asked again.
    package func countShadows(on database: isolated Connection) throws -> Int {
        try database.query("SELECT count(*) AS number FROM geocodes WHERE shadow_of IS NOT NULL")[0].read("number")
    }

    /// Copies places found for shadows to their questions, if they are better, and to the questions that share their
    /// answers. Runs before the statement that ends the shadows, in the same transaction.
    ///
    /// No answer becomes worse: an answer that ranks higher as a candidate stays, and so does a person's decision. If
    /// the same provider finds the same place, the answer counts as new. If all providers looked, the stored answer is
    /// no longer provisional.
    func improve(_ ended: [(question: Question, answer: Answer)], on database: isolated Connection) throws {
        guard !ended.isEmpty else { return }
        let found = Dictionary(
            ended.compactMap { shadow, answer in shadow.shadowOf.map { ($0, (shadow: shadow, answer: answer)) } },
            uniquingKeysWith: { first, _ in first })
        var better: [(id: Int, answer: Answer)] = []
        var confirmed: [(id: Int, answer: Answer)] = []
        var whole: [Int] = []
        for row in try answers(to: Array(found.keys), on: database) {
            let (id, question) = (try row.read("id", as: Int.self), try row.read("question", as: Int.self))
            guard let (shadow, answer) = found[question] else { continue }
            let new = id == question ? answer : answer.copy(for: try Address(question: row), of: shadow)
            let (old, place) = (try Place(row), new?.place)
            if let new, let place, let old, place.isSighting(of: old), place.precision == old.precision {
                confirmed.append((id, new))
            } else if let new, let place, old.map({ place.isBetter(than: $0, located: shadow.chain.located) }) ?? true {
                better.append((id, new))
            } else if answer.isWhole, try row.read("is_provisional") {
                whole.append(id)
            }
        }
        try replace(better, on: database)
        try copyWay(from: better.compactMap { found[$0.id]?.shadow }, on: database)
        try renew(confirmed, on: database)
        guard !whole.isEmpty else { return }
        try database.query("UPDATE geocodes SET ask_again_at = NULL, reason = NULL WHERE id = ANY (\(whole))")
    }

    /// Returns the answers of these questions, and those that share them, locked.
    private func answers(to questions: [Int], on database: isolated Connection) throws -> Rows {
        try database.query(
            """
            SELECT id, CASE WHEN id = ANY (\(questions)) THEN id ELSE shared_from END AS question, street, city, region,
                   postcode, country, ask_again_at IS NOT NULL AS is_provisional, \(part: Place.columns)
            FROM geocodes
            WHERE id = ANY (ARRAY(
                SELECT unnest(\(questions))
                UNION
                SELECT sharer.id
                FROM unnest(\(questions)) AS asked (question)
                CROSS JOIN LATERAL (SELECT loose_key FROM geocodes WHERE id = question LIMIT 1) AS own
                CROSS JOIN LATERAL (
                    SELECT id FROM geocodes WHERE loose_key = own.loose_key AND shared_from = question OFFSET 0
                ) AS sharer))
              AND status <> 'waiting' AND pinned_at IS NULL AND NOT decided_by_a_person(id)
            ORDER BY id
            FOR NO KEY UPDATE
            """)
    }

    /// Questions that got the places of these shadows also get their chain, link and trail.
    private func copyWay(from shadows: [Question], on database: isolated Connection) throws {
        guard !shadows.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET chain = shadow.chain, link = shadow.link, trail = shadow.trail
            FROM unnest(\(shadows.map(\.id))) AS given (id)
            CROSS JOIN LATERAL (SELECT chain, link, trail, shadow_of FROM geocodes WHERE id = given.id LIMIT 1) AS shadow
            WHERE geocodes.id = ANY (\(shadows.compactMap(\.shadowOf))) AND geocodes.id = shadow.shadow_of
            """)
    }

    /// The time for which the provider permits to keep the answer starts again.
    private func renew(_ answers: [(id: Int, answer: Answer)], on database: isolated Connection) throws {
        guard !answers.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET geocoded_at = found.geocoded_at, expires_at = found.expires_at, is_lent = found.is_lent,
                reason = found.reason, ask_again_at = found.ask_again_at
            FROM (\(part: Answer.table(answers))) AS found
            WHERE geocodes.id = ANY (\(answers.map(\.id))) AND geocodes.id = found.id
            """)
    }

    /// Asks up to `limit` provisional answers again whose time is over: each through a shadow, so that its place stays.
    /// A question that shares an answer is asked with the one that it shares. Returns how many it read.
    func askProvisionalAgain(_ limit: Int, on database: isolated Connection) throws -> Int {
        let rows = try database.query(
            """
            SELECT geocodes.id, geocodes.country, current.id AS chain,
                   NOT EXISTS (
                       SELECT FROM geocodes AS source
                       WHERE source.id = geocodes.shared_from AND source.ask_again_at IS NOT NULL
                   ) AS is_asked
            FROM geocodes
            JOIN chains AS own ON own.id = geocodes.chain
            JOIN chains AS current ON current.name = own.name AND current.is_current
            WHERE ask_again_at <= now()
            ORDER BY ask_again_at, geocodes.id
            LIMIT \(limit)
            FOR NO KEY UPDATE OF geocodes SKIP LOCKED
            """)
        guard !rows.isEmpty else { return 0 }
        let chains = try ChainStore().chains(Set(rows.map { try $0.read("chain") }), on: database)
        for (id, chain) in chains.sorted(by: { $0.key < $1.key }) {
            let own = try rows.filter { try $0.read("chain") == id }
            try database.query(
                """
                UPDATE geocodes
                SET ask_again_at = now() + \(chain.plan.keepFailed) * interval '1 day'
                WHERE id = ANY (\(own.map { try $0.read("id", as: Int.self) }))
                """)
            let starts = try Dictionary(grouping: own.filter { try $0.read("is_asked") }) { row in
                try chain.plan.start(inCountry: Country(row.read("country", as: String.self))?.code)
            }
            for (link, questions) in starts.sorted(by: { $0.key < $1.key }) {
                let reserved = ReservedJobs(link: link, jobs: [], batch: 1)
                _ = try addShadows(
                    of: questions.map { try $0.read("id") }, in: reserved, along: chain, on: database)
            }
        }
        return rows.count
    }
}

extension Answer {
    /// Returns the answer of a shadow for another spelling that shares the answer of its question; nil if it does not
    /// fit that spelling.
    fileprivate func copy(for address: Address, of shadow: Question) -> Answer? {
        guard let place, place.isShareable(by: shadow),
            let confidence = place.areaConfidence(for: address, along: shadow.chain)
        else { return nil }
        var copy = self
        copy.place?.areaConfidence = confidence
        copy.source = shadow.shadowOf
        return copy
    }
}
