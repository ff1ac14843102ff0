package import Formats
package import Postgres

/// Writes the places of an account to files.
package struct PlaceExport: Sendable {
    private let database: any DatabaseAccess
    private let filter: PlaceFilter
    /// The format of standard output.
    package var format = PlaceFormat.csv
    package var added = AddedColumns.usual
    /// The encoding of tables.
    package var encoding = FileEncoding.utf8
    /// The decimal mark of numbers in CSV and TSV.
    package var decimal = DecimalMark.point
    /// For tables: no text may be a formula.
    package var isSafe = false

    /// How many rows are read at a time.
    private static let pageSize = 5_000

    package init(_ filter: PlaceFilter, database: any DatabaseAccess) {
        (self.filter, self.database) = (filter, database)
    }

    /// Writes every address that passes the filter to all of `paths`. The files have no name before their commit. Also
    /// returns the attributions of the places. `onProgress` gets the number of addresses in each piece.
    package func run(
        to paths: [String], onProgress: (Int) -> Void = { _ in }
    ) async throws -> (files: [OutputFile], attributions: [String]) {
        let attributions = try await database.run(within: nil) { [filter] in
            try ContactStore().attributions(filter, on: $0)
        }
        var writers = try paths.map { path in
            try (path == "-" ? format : PlaceFormat(path: path))
                .writer(
                    to: path, attribution: attributions, encoding: encoding, isSafe: isSafe, decimal: decimal,
                    adding: added)
        }
        var last: ContactPlace?
        while !writers.isEmpty {
            let page = try await database.run(within: nil) { [filter, last] in
                try ContactStore().places(filter, after: last, limit: Self.pageSize, on: $0)
            }
            for place in page {
                for index in writers.indices { try writers[index].write(place) }
            }
            guard let end = page.last else { break }
            last = end
            onProgress(page.count)
        }
        return (try writers.indices.map { try writers[$0].finish() }, attributions)
    }
}

extension [OutputFile] {
    /// Moves all files to their paths, or none.
    package func commit() throws {
        for file in self { try file.seal() }
        for file in self { try file.commit() }
    }
}
