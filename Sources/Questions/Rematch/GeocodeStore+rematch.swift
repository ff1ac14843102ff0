import Geocoding
package import Postgres

/// Answered questions that are asked again. Each is asked through a shadow (sql/functions/rematch.sql), so its answer
/// stays until there is a better one.
extension GeocodeStore {
    /// Makes a shadow of each question, in the given job. Skips questions that wait, that a person decided, or that are
    /// being asked again already.
    package func askAnew(
        _ questions: [(id: Int, job: Int)], along chain: StoredChain, from link: Int, on database: isolated Connection
    ) throws -> [(id: Int, job: Int)] {
        try database.query(
            """
            SELECT shadow, shadow_job
            FROM ask_anew(\(questions.map(\.id)), \(questions.map(\.job)), \(chain.id)::integer, \(link)::integer)
            """
        ).map { (id: try $0.read("shadow"), job: try $0.read("shadow_job")) }
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
    func improve(
        _ located: [(shadow: Question, best: Place)], on database: isolated Connection
    ) throws {
        guard !located.isEmpty else { return }
        let found = Dictionary(
            located.compactMap { question, best in
                question.shadowOf.map { ($0, (shadow: question, best: best)) }
            }, uniquingKeysWith: { first, _ in first })
        var better: [Found] = []
        var sighted: [Found] = []
        for row in try answers(to: Array(found.keys), on: database) {
            let question: Int = try row.read("question")
            guard let (shadow, best) = found[question] else { continue }
            var new = best
            let id: Int = try row.read("id")
            if id != question {
                guard case .address(let address) = try Question.Subject(address: row), best.isShareable(by: shadow),
                    let confidence = best.confidence(for: address, along: shadow.chain)
                else { continue }
                new.confidence = confidence
            }
            let old = try Place(row)
            let result = Found(id: id, question: question, shadow: shadow.id, answer: new)
            if let old, new.isSighting(of: old), new.precision == old.precision {
                sighted.append(result)
            } else if old.map({ new.isBetter(than: $0, located: shadow.chain.located) }) ?? true {
                better.append(result)
            }
        }
        try replace(better, on: database)
        try renew(sighted, on: database)
    }

    /// Returns the answers of these questions, and those that share them, locked.
    private func answers(to questions: [Int], on database: isolated Connection) throws -> Rows {
        try database.query(
            """
            SELECT id, CASE WHEN id = ANY (\(questions)) THEN id ELSE shared_from END AS question, street, city, region,
                   postcode, country, latitude, longitude, precision, placemark::text AS placemark_text, confidence,
                   is_weak, provider, step
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

    /// The question itself also stores the chain, link and trail of its shadow.
    private func replace(_ found: [Found], on database: isolated Connection) throws {
        guard !found.isEmpty else { return }
        let places = found.map(\.answer.placemark)
        try database.query(
            """
            UPDATE geocodes
            SET status = 'located', latitude = found.latitude, longitude = found.longitude, precision = found.precision,
                confidence = found.confidence, is_weak = found.is_weak, placemark = found.names::jsonb,
                provider = found.provider, step = found.step, candidates = NULL, reason = NULL, geocoded_at = now(),
                expires_at = now() + found.days * interval '1 day', is_lent = found.is_lent,
                chain = CASE WHEN geocodes.id = question THEN shadow.chain ELSE geocodes.chain END,
                link = CASE WHEN geocodes.id = question THEN shadow.link ELSE geocodes.link END,
                trail = CASE WHEN geocodes.id = question THEN shadow.trail ELSE geocodes.trail END,
                shared_from = CASE WHEN geocodes.id <> question THEN question END
            FROM unnest(
                \(found.map(\.id)), \(found.map(\.question)), \(found.map(\.shadow)),
                \(places.map(\.coordinate.latitude)), \(places.map(\.coordinate.longitude)),
                \(found.map(\.answer.precision.rawValue)), \(found.map(\.answer.confidence)),
                \(found.map(\.answer.isWeak)), \(places.map(\.namesAsJSON)), \(found.map(\.answer.provider)),
                \(found.map(\.answer.step?.rawValue)), \(found.map(\.answer.days)), \(found.map(\.answer.isLent))
            ) AS found (
                id, question, shadow, latitude, longitude, precision, confidence, is_weak, names, provider, step, days,
                is_lent)
            CROSS JOIN LATERAL (SELECT chain, link, trail FROM geocodes WHERE id = found.shadow LIMIT 1) AS shadow
            WHERE geocodes.id = ANY (\(found.map(\.id))) AND geocodes.id = found.id
            """)
    }

    /// The time for which the provider permits to keep the answer starts again.
    private func renew(_ found: [Found], on database: isolated Connection) throws {
        guard !found.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET geocoded_at = now(), expires_at = now() + found.days * interval '1 day', is_lent = found.is_lent
            FROM unnest(\(found.map(\.id)), \(found.map(\.answer.days)), \(found.map(\.answer.isLent)))
                AS found (id, days, is_lent)
            WHERE geocodes.id = ANY (\(found.map(\.id))) AND geocodes.id = found.id
            """)
    }
}

/// A new answer for a question.
private struct Found {
    let id: Int
    /// The question that was asked again. It differs from `id` if the row only shares its answer.
    let question: Int
    let shadow: Int
    let answer: Place
}
