import Contacts
import Formats
import Postgres
import Terminal

/// Writes the places of an account to files.
struct ExportWork: Sendable {
    let app: Application
    let filter: PlaceFilter
    /// The format of standard output.
    var format = PlaceFormat.csv
    var added = AddedColumns.usual
    /// The encoding of tables.
    var encoding = FileEncoding.utf8
    /// For tables: no text may be a formula.
    var isSafe = false

    /// How many rows are read at a time.
    private static let pageSize = 5_000

    /// Refuses file names that can't work, before anything is started.
    static func check(_ files: [String]) throws {
        if files.isEmpty { throw UsageError("there is no output; name a file, such as -o places.geojson") }
        for file in files {
            do { _ = try PlaceFormat(path: file) } catch { throw UsageError("\(error)") }
        }
    }

    /// Writes every address that passes the filter to all of `files`. The files get their names when all are complete.
    func run(to files: [String]) async throws {
        var (bar, written) = (ProgressBar("Writing", total: nil), 0)
        defer { bar.erase() }
        let export = try await write(to: files) { count in
            written += count
            bar.update(done: written, label: "addresses")
        }
        try export.files.commit()
    }

    /// The same, without naming the files. Also returns the attributions of the places. `onProgress` gets the number of
    /// addresses in each piece.
    func write(
        to files: [String], onProgress: (Int) -> Void
    ) async throws -> (files: [OutputFile], attributions: [String]) {
        let attributions = try await app.database.run { [contacts = app.contacts, filter] in
            try contacts.attributions(filter, on: $0)
        }
        var writers = try files.map { file in
            try (file == "-" ? format : PlaceFormat(path: file))
                .writer(to: file, attribution: attributions, encoding: encoding, isSafe: isSafe, adding: added)
        }
        var last: ContactPlace?
        while !writers.isEmpty {
            let page = try await app.database.run { [contacts = app.contacts, filter, last] in
                try contacts.places(filter, after: last, limit: Self.pageSize, on: $0)
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
    func commit() throws {
        for file in self { try file.seal() }
        for file in self { try file.commit() }
    }
}
