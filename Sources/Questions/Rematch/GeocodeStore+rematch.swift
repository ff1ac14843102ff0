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
        ).map { (id: try $0.read("shadow"), nil, reserved.link, try $0.read("shadow_job")) }
    }

    /// Counts the questions that are being asked again.
    package func countShadows(on database: isolated Connection) throws -> Int {
        try database.query("SELECT count(*) AS number FROM geocodes WHERE shadow_of IS NOT NULL")[0].read("number")
    }

    /// Copies places found for shadows to their questions, if they are better, and to the questions that share their
    /// answers. Runs before the statement that ends the shadows, in the same transaction.
    ///
    /// No answer becomes worse: an answer that ranks higher as a candidate stays, and so does a person's decision. If
    /// the same provider finds the same place, the answer counts as new.
    func improve(_ located: [(question: Question, place: Place)], on database: isolated Connection) throws {
        guard !located.isEmpty else { return }
        let found = Dictionary(
            located.compactMap { shadow, place in shadow.shadowOf.map { ($0, (shadow: shadow, place: place)) } },
            uniquingKeysWith: { first, _ in first })
        var better: [(id: Int, answer: Answer)] = []
        var confirmed: [(id: Int, place: Place)] = []
        for row in try answers(to: Array(found.keys), on: database) {
            let (id, question) = (try row.read("id", as: Int.self), try row.read("question", as: Int.self))
            guard let (shadow, place) = found[question] else { continue }
            var answer = Answer(located: place)
            if id != question {
                guard place.isShareable(by: shadow),
                    let confidence = place.areaConfidence(for: try Address(question: row), along: shadow.chain)
                else { continue }
                answer.place?.areaConfidence = confidence
                answer.source = question
            }
            guard let new = answer.place else { continue }
            let old = try Place(row)
            if let old, new.isSighting(of: old), new.precision == old.precision {
                confirmed.append((id, new))
            } else if old.map({ new.isBetter(than: $0, located: shadow.chain.located) }) ?? true {
                better.append((id, answer))
            }
        }
        try replace(better, on: database)
        try copyWay(from: better.compactMap { found[$0.id]?.shadow }, on: database)
        try renew(confirmed, on: database)
    }

    /// Returns the answers of these questions, and those that share them, locked.
    private func answers(to questions: [Int], on database: isolated Connection) throws -> Rows {
        try database.query(
            """
            SELECT id, CASE WHEN id = ANY (\(questions)) THEN id ELSE shared_from END AS question, street, city, region,
                   postcode, country, \(part: Place.columns)
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
    private func renew(_ found: [(id: Int, place: Place)], on database: isolated Connection) throws {
        guard !found.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET geocoded_at = now(), expires_at = now() + found.days * interval '1 day', is_lent = found.is_lent
            FROM unnest(\(found.map(\.id)), \(found.map(\.place.days)), \(found.map(\.place.isLent)))
                AS found (id, days, is_lent)
            WHERE geocodes.id = ANY (\(found.map(\.id))) AND geocodes.id = found.id
            """)
    }
}
