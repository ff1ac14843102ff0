package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Returns which of these addresses would need a call, by their positions in the list. Changes nothing.
    ///
    /// It predicts what ``ask(_:along:in:on:)`` and ``askAgain(_:along:on:)`` do: change them together.
    package func unanswered(
        _ questions: [(hash: AddressHash, address: Address)], along chain: StoredChain,
        on database: isolated Connection
    ) throws -> [Int] {
        let questions = questions.map { NewQuestion($0.address, hash: $0.hash, looseKey: LooseKey($0.address)) }
        let (new, known) = try look(for: questions, along: chain, on: database)
        var plan = AskingPlan(along: chain, in: [])
        for question in new { plan.add(question, known: known[question.looseKey, default: []]) }
        let asked = Set(plan.rows(following: plan.leaders).filter { !$0.follows }.map(\.question.hash))
        let again: Set<Int> = try Set(
            database.query(
                """
                SELECT place - 1 AS place
                FROM unnest(\(questions.map { Bytes($0.hash.bytes) })) WITH ORDINALITY AS asked (hash, place)
                -- LIMIT makes each hash an index lookup.
                CROSS JOIN LATERAL (
                    SELECT status, chain, pinned_at FROM geocodes WHERE geocodes.hash = asked.hash LIMIT 1
                ) AS known
                WHERE pinned_at IS NULL
                  AND (status = 'forgotten' OR status IN ('not_found', 'failed') AND chain <> \(chain.id))
                """
            ).map { try $0.read("place") })
        return questions.indices.filter { asked.contains(questions[$0].hash) || again.contains($0) }
    }
}
