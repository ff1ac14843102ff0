/// Divides the Earth into cells of half a degree, in rows from the south pole, to find nearby places.
package enum TownGrid {
    static let columns = 720
    static let rows = 360
    package static var count: Int { rows * columns }

    /// The cell of a position in hundred-thousandths of a degree.
    package static func cell(latitude: Int32, longitude: Int32) -> Int {
        cell(row: row(Double(latitude) / 100_000), column: column(Double(longitude) / 100_000))
    }

    static func row(_ latitude: Double) -> Int { min(max(Int(((latitude + 90) * 2).rounded(.down)), 0), rows - 1) }

    /// May be outside of the grid, if a search crosses the date line.
    static func column(_ longitude: Double) -> Int { Int(((longitude + 180) * 2).rounded(.down)) }

    static func cell(row: Int, column: Int) -> Int {
        row * columns + (column % columns + columns) % columns
    }
}
