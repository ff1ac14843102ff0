package import Geocoding

/// Reads open address data, point by point, in memory that does not grow with the file: tables and GeoJSON, also packed
/// with gzip or in a zip archive.
package struct PointFile {
    package struct Options: Sendable {
        /// The columns of a table whose header is not known.
        package var layout: PointLayout?
        /// The country of rows that name none.
        package var country: Country?
        /// The coordinate system, such as `EPSG:5514`; blank if the layout knows it, and for degrees.
        package var system = ""
        package var encoding = TextEncoding.automatic

        package init() {}
    }

    private let options: Options
    private var table: PointTable
    private var rest: ArraySlice<PointBytes>

    /// How the file, or the first table of an archive, is read: its layout and its columns, in one line.
    package let reading: String

    /// Opens the file at `path` and reads its header. `-` is standard input.
    package init(path: String, options: Options = Options()) throws {
        let tables = try PointBytes.all(in: path)
        self.options = options
        table = try PointTable(tables[0], options)
        (rest, reading) = (tables.dropFirst(), table.reading)
    }

    /// Gives each point to `body`, and returns the counts of points and of rows that were left out.
    package mutating func forEach(_ body: (AddressPoint) throws -> Void) throws -> PointFileReport {
        var report = PointFileReport()
        try table.forEach(&report, body)
        while let bytes = rest.popFirst() {
            table = try PointTable(bytes, options)
            try table.forEach(&report, body)
        }
        return report
    }
}

/// The result of reading address data.
package struct PointFileReport: Hashable, Sendable {
    /// The number of points.
    package private(set) var points = 0
    private var omissions = [Int](repeating: 0, count: PointOmission.allCases.count)

    /// The numbers of rows that gave no point, by their reason, without zeros.
    package var leftOut: [(reason: PointOmission, count: Int)] {
        zip(PointOmission.allCases, omissions).filter { $1 > 0 }.map { ($0, $1) }
    }

    mutating func count(_ omission: PointOmission) { omissions[omission.rawValue] += 1 }
    mutating func countPoint() { points += 1 }
}
