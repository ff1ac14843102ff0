package import Geocoding
package import Postgres

/// Questions that are asked apart from all others: for one chain alone, so that no answer of another chain is taken for its own.
extension GeocodeStore {
    /// How each of these stands; what was never asked is left out.
    package func standings(
        _ hashes: [AddressHash], on database: isolated Connection
    ) throws -> [AddressHash: (status: GeocodeStatus, place: GradedCandidate?)] {
        var standings: [AddressHash: (status: GeocodeStatus, place: GradedCandidate?)] = [:]
        let rows = try database.query(
            """
            SELECT hash, status, latitude, longitude, precision, placemark::text AS placemark_text, confidence, is_weak,
                   provider, step
            FROM geocodes
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) }))
            """)
        for row in rows {
            guard let hash = AddressHash(bytes: try row.read("hash", as: Bytes.self).bytes) else { continue }
            standings[hash] = (
                status: try GeocodeStatus(rawValue: row.read("status")) ?? .waiting, place: try GradedCandidate(row)
            )
        }
        return standings
    }

    /// Deletes those of these questions that no address uses, once they are answered.
    package func drop(_ hashes: [AddressHash], on database: isolated Connection) throws {
        // crosses rooms: only the addresses know whether anybody uses an answer.
        try database.query(
            """
            DELETE FROM geocodes
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) })) AND status <> 'waiting'
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            """)
    }
}
