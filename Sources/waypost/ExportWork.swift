import Contacts
import Postgres
import Terminal

/// Writes the places of an account to files.
struct ExportWork: Sendable {
    let app: Application
    let filter: PlaceFilter
    /// What standard output gets.
    var format = PlaceFormat.csv

    /// Rows read at a time.
    private static let pageSize = 5_000

    /// Finds file names that can't work before anything is started.
    static func check(_ files: [String]) throws {
        if files.isEmpty { throw UsageError("nowhere to put the places; name a file, such as -o places.geojson") }
        for file in files {
            do { _ = try PlaceFormat(path: file) } catch { throw UsageError("\(error)") }
        }
    }

    /// Writes every address that the filter permits to all of `files`. A file appears when it is complete. Returns whom
    /// to name beside the places.
    @discardableResult
    func run(to files: [String]) async throws -> [String] {
        let attributions = try await app.database.run { [contacts = app.contacts, filter] in
            try contacts.attributions(filter, on: $0)
        }
        var writers = try files.map { file in
            try (file == "-" ? format : PlaceFormat(path: file)).writer(to: file, attribution: attributions)
        }
        var last: ContactPlace?
        while true {
            let page = try await app.database.run { [contacts = app.contacts, filter, last] in
                try contacts.places(filter, after: last, limit: Self.pageSize, on: $0)
            }
            for place in page {
                for index in writers.indices { try writers[index].write(place) }
            }
            guard let end = page.last else { break }
            last = end
        }
        for index in writers.indices { try writers[index].finish() }
        return attributions
    }
}
