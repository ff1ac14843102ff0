package import Geocoding
package import Postgres

/// Questions of one chain, kept apart from all others, so that the chain gets no answer of another one.
extension GeocodeStore {
    /// Returns the state of each of these questions. Questions that were never asked are missing.
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

    /// Deletes those of these questions that are answered and that no address uses.
    package func drop(_ hashes: [AddressHash], on database: isolated Connection) throws {
        // crosses rooms: only `addresses` shows if an answer is in use.
        try database.query(
            """
            DELETE FROM geocodes
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) })) AND status <> 'waiting'
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            """)
    }
}
