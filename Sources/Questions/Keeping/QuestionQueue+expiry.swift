import Geocoding
package import Postgres
package import Queue

extension GeocodeStore {
    /// Expires up to `limit` answers whose time is over. Lent answers are forgotten. The others are asked again from
    /// the beginning of their chains, once for all questions that shared an answer: without a job, so that the sweep
    /// queues those that do not follow another. Provisional answers stay and are asked again. Returns how many.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        let count = try expireAnswers(limit, on: database)
        return try count + askProvisionalAgain(limit - count, on: database)
    }

    private func expireAnswers(_ limit: Int, on database: isolated Connection) throws -> Int {
        let rows = try database.query(
            """
            SELECT id, chain, loose_key, street, city, region, postcode, country, at_latitude, at_longitude, is_lent
            FROM geocodes
            WHERE expires_at <= now()
            ORDER BY expires_at, id
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """)
        guard !rows.isEmpty else { return 0 }
        let chains = try ChainStore().chains(Set(rows.map { try $0.read("chain") }), on: database)
        var lent: [Int] = []
        var again: [(id: Int, chain: Int, link: Int, follows: Bool)] = []
        var led: Set<[Int]> = []
        for row in rows {
            let (id, chain) = (try row.read("id", as: Int.self), try row.read("chain", as: Int.self))
            if try row.read("is_lent") {
                lent.append(id)
                continue
            }
            let key = try row.readIfPresent("loose_key", as: Int.self)
            let leads = key.map { led.insert([$0, chain]).inserted } ?? true
            let link = try chains[chain]?.plan.start(of: Question.Subject(row)) ?? 0
            again.append((id, chain, link, follows: !leads && chains[chain]?.isSpared == true))
        }
        try database.query(
            """
            UPDATE geocodes
            SET status = 'forgotten', \(part: Answer.deletion)
            WHERE id = ANY (\(lent))
            """)
        try database.query(
            """
            UPDATE geocodes
            SET \(part: Answer.removal), chain = again.chain, link = again.link, trail = NULL, follows = again.follows
            FROM unnest(
                \(again.map(\.id)), \(again.map(\.chain)), \(again.map(\.link)), \(again.map(\.follows))
            ) AS again (id, chain, link, follows)
            WHERE geocodes.id = again.id
            """)
        return rows.count
    }
}

/// Operations of a person on stored answers.
extension QuestionQueue {
    /// Counts the answers that ``expire(_:by:on:)`` would change.
    package func countExpirable(_ selection: AnswerFilter, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT count(*) AS count FROM geocodes WHERE \(part: selection.ofExpirable)"
        )[0].read("count")
    }

    /// Makes answers expire now, except those that a person decided, and logs the act. The leading coordinator asks
    /// them again. Returns how many.
    package func expire(
        _ selection: AnswerFilter, by author: Author, on database: isolated Connection
    ) throws -> Int {
        let expired = try database.query(
            "UPDATE geocodes SET expires_at = now() WHERE \(part: selection.ofExpirable)"
        ).affected
        if expired > 0 {
            try AuditLog().append(.expireAnswers, after: selection.words(of: expired), by: author, on: database)
        }
        return expired
    }

    /// Counts the answers that ``purge(_:by:on:)`` would delete.
    package func countPurgeable(_ selection: AnswerFilter, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT count_purgeable_answers(\(part: selection.purgeConditions)) AS number"
        )[0].read("number")
    }

    /// Deletes the answers that no address uses, except a person's decisions, in pieces. The log contains one act with
    /// the total number, written with the first piece. Returns how many.
    package func purge(
        _ selection: AnswerFilter, by author: Author, on database: some DatabaseAccess
    ) async throws -> Int {
        let size = 1_000
        return try await database.inPieces(of: size) { db, purged in
            if purged == 0 {
                let count = try countPurgeable(selection, on: db)
                guard count > 0 else { return 0 }
                try AuditLog().append(.purgeAnswers, after: selection.words(of: count), by: author, on: db)
            }
            return try db.query(
                "SELECT purge_answers(\(part: selection.purgeConditions), \(size)::integer) AS number"
            )[0].read("number")
        }
    }
}

extension AnswerFilter {
    fileprivate var ofExpirable: SQL { "status <> 'forgotten' AND pinned_at IS NULL AND \(part: condition())" }

    /// The arguments of `purge_answers`, which knows only these conditions.
    fileprivate var purgeConditions: SQL {
        precondition(
            self == AnswerFilter(provider: provider, status: status, age: age), "a purge has no other conditions")
        return "\(provider), \(status?.rawValue)::geocode_status, \(age ?? .zero)::interval"
    }

    /// The details in the log: the selection of answers, and their number.
    fileprivate func words(of count: Int) -> [String: String] {
        words.merging(["answers": "\(count)"]) { $1 }
    }
}
