import Geocoding
import Postgres

/// Shares the answer of an ended question with other spellings of it, and with other units of its house.
extension GeocodeStore {
    /// Copies the answers of questions that just ended to all waiting questions with the same loose keys, if the
    /// answers are good enough for them. Also finds questions that wait in a job of their own, because two importers
    /// asked at the same time.
    ///
    /// Call it in the transaction that ended the questions, after the statement that ended them. A follower of one of
    /// them locked its row before that statement did, so the follower is visible now. Rows that another transaction is
    /// changing are left to the sweep.
    func share(_ answered: [Int], on database: isolated Connection) throws {
        guard !answered.isEmpty else { return }
        let rows = try database.query(
            """
            SELECT answer.id AS id, \(part: Place.columns), other.*
            FROM unnest(\(answered)) AS answered (answered_id)
            CROSS JOIN LATERAL (
                SELECT id, loose_key, \(part: Place.columns)
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
        var copies: [(id: Int, source: Int, confidence: Double)] = []
        for row in rows {
            guard let chain = chains[try row.read("chain")]?.plan, let place = try Place(row),
                let confidence = place.areaConfidence(for: try Address(question: row), along: chain)
            else { continue }
            copies.append((id: try row.read("other_id"), source: try row.read("id"), confidence: confidence))
        }
        try copyAnswers(copies, on: database)
    }

    private static let ownCopy = Answer.assignments(
        replacing: ["confidence": "copy.confidence", "shared_from": "answer.id"])

    private func copyAnswers(
        _ copies: [(id: Int, source: Int, confidence: Double)], on database: isolated Connection
    ) throws {
        guard !copies.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = NULL, follows = false, \(part: Self.ownCopy)
            FROM unnest(\(copies.map(\.id)), \(copies.map(\.source)), \(copies.map(\.confidence)))
                AS copy (other_id, source, confidence)
            CROSS JOIN LATERAL (SELECT * FROM geocodes WHERE id = source LIMIT 1) AS answer
            WHERE geocodes.id = copy.other_id AND geocodes.status = 'waiting'
            """)
    }

    /// Makes the followers of ended questions that got no answer wait for themselves: the sweep gives them jobs.
    func releaseFollowers(of ended: [Int], on database: isolated Connection) throws {
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

    /// Makes up to `limit` followers wait for themselves if their leader is gone or no longer waits: a person cancelled
    /// or pinned it, or its end skipped a locked follower. Returns how many there were.
    ///
    /// If there are more than a thousand followers, it reads a thousand of them, from a random place on.
    func releaseLonely(_ limit: Int, on database: isolated Connection) throws -> Int {
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

extension Place {
    /// True if other spellings of the address may share this answer.
    func isShareable(by question: Question) -> Bool {
        guard let address = question.subject.address, question.chain.sharesHouses else { return false }
        // A weak answer coarser than a street is shared only if the question has no street.
        return precision <= .street || !isWeak || address.street.isEmpty
    }

    /// Returns whether the town may be another one, whose name has other accents: Munster is not Münster, and Vitoria
    /// not Vitória. An equal postcode excludes that.
    private func mayBeNamesake(of address: Address) -> Bool {
        guard let town = placemark.locality, !address.city.isEmpty else { return false }
        let postcodes = [address.postcode, placemark.postalCode ?? ""].map {
            PostcodeKey($0, in: placemark.countryCode).text
        }
        if !postcodes[0].isEmpty, postcodes[0] == postcodes[1] { return false }
        return Self.namesakes.contains(Folding.loose(town)) && Folding.loose(town) == Folding.loose(address.city)
            && Folding.canonical(town) != Folding.canonical(address.city)
    }

    /// Names that are two towns of a country, with and without accents. Elsewhere people leave the accents out.
    private static let namesakes: Set = ["munster", "hof", "wald", "vitoria"]

    /// Returns how good the answer to another spelling is for `address`; nil if it is not good enough.
    ///
    /// It must be good enough for either text by itself, and hardly worse for this one. So addresses that differ in a
    /// number or a town are told apart here, if their loose keys are the same. A place coarser than a street answers
    /// only a question without a street.
    func areaConfidence(for address: Address, along chain: Chain) -> Double? {
        guard areaConfidence >= chain.located else { return nil }
        guard precision <= .street || AddressParts(address).street.isEmpty, !mayBeNamesake(of: address) else {
            return nil
        }
        let own = Confidence(of: Candidate(placemark, precision), for: address.respelled(as: placemark)).value
        return own >= chain.located && own >= areaConfidence * 0.8 ? min(own, areaConfidence) : nil
    }
}
