package import Geocoding
package import Postgres

extension GeocodeStore {
    /// Asks what is at each of these coordinates along `chain`, once for each cell. The sweep queues new questions.
    /// Returns the hashes of the cells, under which the answers are stored.
    @discardableResult
    package func askWhatIsAt(
        _ coordinates: [Coordinate], along chain: StoredChain, on database: isolated Connection
    ) throws -> [AddressHash] {
        let cells = coordinates.map(CoordinateCell.init)
        _ = try ask(Array(Set(cells)), along: chain, in: nil, on: database)
        return cells.map(\.hash)
    }

    /// Makes sure that each of these cells has a row. Returns the new rows, each with its future job. `reserved` has
    /// enough jobs for all; without it the sweep queues them.
    package func ask(
        _ cells: [CoordinateCell], along chain: StoredChain, in reserved: ReservedJobs?,
        on database: isolated Connection
    ) throws -> [(id: Int, job: Int?)] {
        let numbers = cells.indices.map { index in reserved.map { $0.jobs[index / $0.batch] } }
        let asked = try database.query(
            """
            INSERT INTO geocodes (
                hash, street, city, region, postcode, country, at_latitude, at_longitude, chain, link, job)
            SELECT hash, '', '', '', '', '', latitude, longitude, \(chain.id)::integer,
                   \(reserved?.link ?? 0)::smallint, job
            FROM unnest(
                \(cells.map { Bytes($0.hash.bytes) }), \(cells.map(\.centre.latitude)),
                \(cells.map(\.centre.longitude)), \(numbers)
            ) AS cell (hash, latitude, longitude, job)
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, job
            """
        ).map { (id: try $0.read("id", as: Int.self), job: try $0.readIfPresent("job", as: Int.self)) }
        try reopen(cells.map(\.hash), along: chain, on: database)
        return asked
    }

    /// Returns those of the cells that were never asked.
    package func unasked(
        among cells: [CoordinateCell], on database: isolated Connection
    ) throws -> [CoordinateCell] {
        guard !cells.isEmpty else { return [] }
        return try database.query(
            """
            SELECT place
            FROM unnest(\(cells.map { Bytes($0.hash.bytes) })) WITH ORDINALITY AS cell (hash, place)
            WHERE NOT EXISTS (SELECT FROM geocodes WHERE geocodes.hash = cell.hash)
            ORDER BY place
            """
        ).map { cells[try $0.read("place", as: Int.self) - 1] }
    }

    /// Returns the known places at these cells. Asks nothing.
    package func places(
        at cells: Set<CoordinateCell>, on database: isolated Connection
    ) throws -> [CoordinateCell: Placemark] {
        let cells = Array(cells)
        guard !cells.isEmpty else { return [:] }
        let rows = try database.query(
            """
            SELECT place, \(part: Place.columns)
            FROM unnest(\(cells.map { Bytes($0.hash.bytes) })) WITH ORDINALITY AS cell (hash, place)
            JOIN geocodes ON geocodes.hash = cell.hash
            WHERE status = 'located' AND (expires_at IS NULL OR expires_at > now())
            """)
        var places: [CoordinateCell: Placemark] = [:]
        for row in rows {
            places[cells[try row.read("place", as: Int.self) - 1]] = try Place(row)?.placemark
        }
        return places
    }

    /// Asks forgotten answers again.
    private func reopen(_ hashes: [AddressHash], along chain: StoredChain, on database: isolated Connection) throws {
        try database.query(
            """
            SELECT ask_again(array_agg(id), \(chain.id)::integer, array_agg(0))
            FROM geocodes
            WHERE hash = ANY (\(hashes.map { Bytes($0.bytes) })) AND status = 'forgotten'
            HAVING count(*) > 0
            """)
    }
}
