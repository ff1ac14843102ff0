package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Asks what is at each of these coordinates, once for each cell, along `chain`. The sweep enqueues new questions. Returns the cells' hashes, under which the answers are found.
    @discardableResult
    package func askWhatIsAt(
        _ coordinates: [Coordinate], along chain: StoredChain, on database: isolated Connection
    ) throws -> [AddressHash] {
        let cells = coordinates.map(CoordinateCell.init)
        let distinct = Array(Set(cells))
        try database.query(
            """
            INSERT INTO geocodes (hash, street, city, region, postcode, country, at_latitude, at_longitude, chain)
            SELECT hash, '', '', '', '', '', latitude, longitude, \(chain.id)::integer
            FROM unnest(
                \(distinct.map { Bytes($0.hash.bytes) }), \(distinct.map(\.centre.latitude)),
                \(distinct.map(\.centre.longitude))
            ) AS cell (hash, latitude, longitude)
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            """)
        try reopen(cells.map(\.hash), on: database)
        return cells.map(\.hash)
    }

    /// Asks again for what had to be forgotten.
    private func reopen(_ hashes: [AddressHash], on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE geocodes
            SET status = 'waiting', link = 0, provider = NULL, geocoded_at = NULL
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) })) AND status = 'forgotten'
            """)
    }
}
