package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Which of these addresses somebody would have to be asked about, by their places in the list. Changes nothing.
    ///
    /// It says what ``ask(_:along:in:on:)`` and ``askAgain(_:along:on:)`` would do: change them together.
    package func unanswered(
        _ questions: [(hash: AddressHash, address: Address)], along chain: StoredChain,
        on database: isolated Connection
    ) throws -> [Int] {
        let houses = questions.map { question in
            chain.plan.sharesHouses ? question.address.withoutUnit.map { Bytes(AddressHash($0).bytes) } : nil
        }
        return try database.query(
            """
            SELECT place - 1 AS place
            FROM unnest(\(questions.map { Bytes($0.hash.bytes) }), \(houses)) WITH ORDINALITY
                AS asked (hash, loose_hash, place)
            -- The limits keep these looks into the indexes.
            LEFT JOIN LATERAL (
                SELECT status, chain, pinned_at FROM geocodes WHERE geocodes.hash = asked.hash LIMIT 1
            ) AS known ON true
            LEFT JOIN LATERAL (
                SELECT id
                FROM geocodes
                WHERE known.status IS NULL AND asked.loose_hash IS NOT NULL
                  AND (geocodes.hash = asked.loose_hash OR geocodes.loose_hash = asked.loose_hash)
                  AND status = 'located' AND pinned_at IS NULL
                  AND precision IN ('rooftop', 'interpolated', 'street')
                LIMIT 1
            ) AS house ON true
            WHERE CASE
                WHEN known.status IS NULL THEN house.id IS NULL
                ELSE known.pinned_at IS NULL
                     AND (known.status = 'forgotten'
                          OR known.status IN ('not_found', 'failed') AND known.chain <> \(chain.id))
            END
            ORDER BY place
            """
        ).map { try $0.read("place") }
    }
}
