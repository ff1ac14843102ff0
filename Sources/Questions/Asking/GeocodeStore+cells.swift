package import Geocoding
package import Postgres

/// Questions for the place at a coordinate. One question stands for a cell (`CoordinateCell`).
extension GeocodeStore {
    /// Makes sure that each of these cells has a row, and asks forgotten answers again. Returns the new rows, each with
    /// its future job. `reserved` has enough jobs for all; without it the sweep queues them.
    @discardableResult
    func ask(
        _ cells: [CoordinateCell], along chain: StoredChain, in reserved: ReservedJobs? = nil,
        on database: isolated Connection
    ) throws -> [AskedQuestion] {
        guard let first = cells.first else { return [] }
        let link = chain.plan.start(of: .coordinate(first.centre))
        let asked: [AskedQuestion] = try database.query(
            """
            INSERT INTO geocodes (
                hash, street, city, region, postcode, country, at_latitude, at_longitude, chain, link, job)
            SELECT hash, '', '', '', '', '', latitude, longitude, \(chain.id)::integer, \(link)::smallint, job
            FROM unnest(
                \(cells.map(\.hash)), \(cells.map(\.centre.latitude)), \(cells.map(\.centre.longitude)),
                \(cells.indices.map { reserved?.job($0) })
            ) AS cell (hash, latitude, longitude, job)
            ORDER BY hash
            ON CONFLICT (hash) DO NOTHING
            RETURNING id, hash, job
            """
        ).map { (id: try $0.read("id"), try $0.read("hash"), link, try $0.readIfPresent("job")) }
        _ = try askAgain(
            cells.map(\.hash), at: cells.map { _ in link }, of: chain, where: "status = 'forgotten'", on: database)
        return asked
    }

    /// Returns those of the cells that were never asked.
    func unasked(among cells: [CoordinateCell], on database: isolated Connection) throws -> [CoordinateCell] {
        try database.query(
            """
            SELECT place
            FROM unnest(\(cells.map(\.hash))) WITH ORDINALITY AS cell (hash, place)
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
            FROM unnest(\(cells.map(\.hash))) WITH ORDINALITY AS cell (hash, place)
            JOIN geocodes ON geocodes.hash = cell.hash
            WHERE status = 'located' AND (expires_at IS NULL OR expires_at > now())
            """)
        var places: [CoordinateCell: Placemark] = [:]
        for row in rows { places[cells[try row.read("place", as: Int.self) - 1]] = try Place(row)?.placemark }
        return places
    }
}
