import Contacts
import Formats
import Geocoding
import Locations
import Postgres
import Processes
import Shapes
import Sinks
import Terminal

enum LocationVerbs {
    static let group = Node.group(
        "locations", "See, name and export where a user was, and upload it again.",
        [list, name, .command(LocationsExportCommand.self), retry])

    private struct Listed: VerbInput {
        @Option("--user", "USER", "What the account calls the user.") var user: String
        @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
        @Option("--from", "Only locations that began at this time or later.") var from: PointInTime?
        @Option("--until", "Only locations that began before this time.") var until: PointInTime?
        @Option("--uploaded", "Only locations that are uploaded, or that are not.") var uploaded: Bool?
    }

    private static let list = Node.pages(
        "list", Listed.self, "Show where a user was, in the order of time.",
        "The place is shown where it is known: 'waypost locations name' asks for it.",
        look: { input, limit, app, db in
            let account = try app.account(of: input.user, in: input.account, on: db)
            let found = try TrackerStore().locations(
                of: input.user, from: input.from?.seconds, until: input.until?.seconds, uploaded: input.uploaded,
                limit: limit, account: account, on: db)
            return zip(found, try TrackerStore().places(of: found, on: db)).map { (location: $0, place: $1) }
        }, as: { row, _ in LocationView(row.location, at: row.place) },
        empty: { _ in "No location of this user matches." },
        [
            .left("SINCE") { Timestamp.text($0.location.timestamp) },
            .left("STAYED") { row in
                let time = row.location.waitTime
                return time == 0 ? "-" : Readable.duration(Duration(clampingSeconds: time))
            },
            .right("LATITUDE") { "\($0.location.lat)" }, .right("LONGITUDE") { "\($0.location.lng)" },
            .right("ACCURACY") { $0.location.accuracy.map { "\($0.short) m" } ?? "-" },
            .left("UPLOADED") { $0.location.uploaded ? "yes" : "no" },
            .left("PLACE") { $0.place?.matchedAddress ?? "-" },
        ], next: { _, following in "--from \(Timestamp.text(following.location.timestamp))" })

    private struct Named: VerbInput {
        @Option("--user", "USER", "Only this user's stays.") var user: String?
        @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"
        @Option("--stay", "Only stays that last so long or longer.") var shortest = Duration.seconds(300)
        @Option("--chain", "NAME", "The chain to use.") var chain = "reverse"
        @Flag("--json", "Print JSON.") var json
    }

    private static let name = Node.verb(
        "name", Named.self, "Ask what is at each place where users stayed.",
        """
        Stays within about fifty metres are one place, and a place is asked once, for all users and accounts. The \
        questions are background work: workers put them to the providers of the chain, within the limits of the \
        lanes, after everything that somebody waits for. 'waypost locations list' shows the answers.

          waypost locations name --user ada --account app --stay 15m
        """, changes: true
    ) { input in
        let summary = try await Application.opened { app in
            let account = try await app.database.run { try app.account(of: input.user, in: input.account, on: $0) }
            return try await StayNaming.work(
                of: input.user, account: account, chain: input.chain, shortest: input.shortest, in: app)
        }
        if input.json {
            Screen.output.writeJSON(["stays": summary.stays, "places": summary.places, "asked": summary.asked])
        } else {
            Screen.output.writeLine(summary.sentence)
        }
    }

    private struct Retried: VerbInput {
        @Option("--user", "USER", "Only this user's locations.") var user: String?
        @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"
    }

    private static let retry = Node.act(
        "retry", Retried.self,
        "Retry failed uploads now, and refused ones again."
    ) { input, app, db in
        let account = try app.account(of: input.user, in: input.account, on: db)
        let refused = Words.count(try UploadStore().retry(user: input.user, account: account, on: db), "location")
        return
            "Uploads that waited after a failure are due now. \(refused) that the sink had refused will be sent once more."
    }
}

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
