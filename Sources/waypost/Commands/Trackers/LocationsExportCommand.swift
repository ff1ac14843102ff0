import Contacts
import Formats
import Locations
import Postgres
import Processes
import Terminal

struct LocationsExportCommand: Command {
    static let name = "export"
    static let summary = "Export where a user was as a track."
    static let discussion = """
        The ending of the file's name sets its format. GPX has a point for the beginning of each stay and one for its \
        end, GeoJSON a point for each stay with its wait_time:

          waypost locations export --user ada --from 2026-11-01 --until 2026-12-01 -o november.gpx
        """

    @Option("--user", "USER", "What the account calls the user.") var user: String
    @Option("-o", "--output", "FILE", "The file to write; - is standard output.", completion: .files)
    var output: String
    @Option("--format", "FORMAT", "The format of standard output.") var format: TrackFormat?
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Option("--from", "Only locations that began at this time or later.") var from: PointInTime?
    @Option("--until", "Only locations that began before this time.") var until: PointInTime?

    func run() async throws {
        let format = try chosenFormat()
        let app = try await Application.forCommand()
        let number = try await app.database.run { [app, user, account] db in
            try app.account(of: user, in: account, on: db)
        }
        let file = try OutputFile(path: output)
        try file.write(format.head.utf8)
        var (bar, written) = (ProgressBar("Writing", total: nil), 0)
        defer { bar.erase() }
        var last: StoredLocation?
        while true {
            let page = try await app.database.run { [user, from, until, last] db in
                try TrackerStore().locations(
                    of: user, from: from?.seconds, until: until?.seconds,
                    after: last.map { LocationCursor(timestamp: $0.timestamp, id: $0.id) }, limit: Self.pageSize,
                    account: number, on: db)
            }
            for location in page {
                try file.write(format.text(of: location, isFirst: last == nil).utf8)
                last = location
            }
            written += page.count
            bar.update(done: written, label: "locations")
            if page.count < Self.pageSize { break }
        }
        try file.write(format.tail.utf8)
        try file.commit()
        await app.close()
        bar.erase()
        Screen.errors.writeLine("Wrote \(Words.count(written, "location")) to \(output).")
    }

    /// How many rows are read at a time.
    private static let pageSize = 5_000

    private func chosenFormat() throws(UsageError) -> TrackFormat {
        if output == "-" {
            guard let format else { throw UsageError("standard output needs --format, geojson or gpx") }
            return format
        }
        if format != nil {
            throw UsageError("--format is for standard output; the ending of a file name sets its format")
        }
        guard let format = TrackFormat(path: output) else {
            throw UsageError("the name of the file must end in .gpx, .geojson or .json")
        }
        return format
    }
}

extension TrackFormat: OptionValue {
    /// The format that fits the end of the name; nil for any other.
    fileprivate init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".gpx") {
            self = .gpx
        } else if name.hasSuffix(".geojson") || name.hasSuffix(".json") {
            self = .geojson
        } else {
            return nil
        }
    }
}
