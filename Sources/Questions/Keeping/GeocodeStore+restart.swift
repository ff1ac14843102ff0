package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Asks questions again along `chain` if their stored result is useless: forgotten answers, and questions that
    /// another chain could not find. With `insisting`, also questions that this chain could not find. Returns how many.
    package func askAgain(
        _ questions: [(hash: AddressHash, address: Address)], along chain: StoredChain, insisting: Bool = false,
        on database: isolated Connection
    ) throws -> Int {
        guard !questions.isEmpty else { return 0 }
        let known = try database.query(
            """
            SELECT id, hash
            FROM geocodes
            WHERE hash = ANY (\(questions.map { Bytes($0.hash.bytes) }))
              AND (status = 'forgotten' OR status IN ('not_found', 'failed') AND (\(insisting) OR chain <> \(chain.id)))
              AND pinned_at IS NULL
            ORDER BY id
            FOR UPDATE
            """)
        guard !known.isEmpty else { return 0 }
        // The addresses come from the parameter, because the API's role may not read them.
        let addresses = Dictionary(questions.map { ($0.hash, $0.address) }) { first, _ in first }
        let links = try known.map { row in
            let address = try AddressHash(bytes: row.read("hash", as: Bytes.self).bytes).flatMap { addresses[$0] }
            return address.map { chain.plan.start(of: .address($0)) } ?? 0
        }
        let ids: [Int] = try known.map { try $0.read("id") }
        return try database.query(
            "SELECT ask_again(\(ids), \(chain.id)::integer, \(links)::integer[]) AS number"
        )[0].read("number")
    }

    /// Expires up to `limit` answers whose time is over. Lent answers are forgotten. The others are asked again from
    /// the beginning of their chains, once for all questions that shared an answer. Returns how many.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        let rows = try database.query(
            """
            SELECT id, chain, loose_key, street, city, region, postcode, country, at_latitude, at_longitude, is_lent
            FROM geocodes
            WHERE expires_at <= now()
            ORDER BY expires_at, id
            LIMIT \(limit)
            FOR UPDATE SKIP LOCKED
            """)
        let lent = try rows.filter { try $0.read("is_lent") }
        try forget(lent.map { try $0.read("id") }, on: database)
        let rest = try rows.filter { try !$0.read("is_lent", as: Bool.self) }
        let chains = try ChainStore().stored(Set(rest.map { try $0.read("chain") }), on: database)
        var led: Set<[Int]> = []
        let again = try rest.map { row in
            let chain: Int = try row.read("chain")
            let key = try row.readIfPresent("loose_key", as: Int.self)
            let leads = key.map { led.insert([$0, chain]).inserted } ?? true
            return Restart(
                id: try row.read("id"), chain: chain,
                link: try chains[chain]?.plan.start(of: Question.Subject(row)) ?? 0,
                follows: !leads && chains[chain]?.isSpared == true)
        }
        return try lent.count + restart(again, on: database)
    }

    /// Makes questions wait again at the beginning of their chains, without a job: the sweep queues those that do not
    /// follow another.
    private func restart(_ again: [Restart], on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE geocodes
            SET \(part: Answer.removal), chain = again.chain, link = again.link, trail = NULL, follows = again.follows
            FROM unnest(
                \(again.map(\.id)), \(again.map(\.chain)), \(again.map(\.link)), \(again.map(\.follows))
            ) AS again (id, chain, link, follows)
            WHERE geocodes.id = again.id
            """
        ).affected
    }

    private func forget(_ ids: [Int], on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE geocodes
            SET status = 'forgotten', \(part: Answer.deletion)
            WHERE id = ANY (\(ids))
            """)
    }
}

/// A question that begins again, at a link of a chain.
private struct Restart {
    let id: Int
    let chain: Int
    let link: Int
    /// It waits for the answer to another spelling that begins again.
    var follows = false
}
