import Contacts
import Locations
import Operations
import Terminal

struct LocationsListCommand: Command {
    static let name = "list"
    static let summary = "Show where a user was, in the order of time."

    @Option("--user", "USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Option("--from", "Only locations that began at this time or later.") var from: PointInTime?
    @Option("--until", "Only locations that began before this time.") var until: PointInTime?
    @Option("--uploaded", "Only locations that are uploaded, or that are not.") var uploaded: Bool?
    @Option("--limit", "N", "Show at most N.", in: 1...100_000) var limit = 50
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let found = try await Application.asking { [user, account, from, until, uploaded, limit] app, db in
            let (trackers, number) = (TrackerStore(), try app.account(withTrackers: account, on: db))
            guard try trackers.tracker(of: user, account: number, on: db) != nil else {
                throw NoSuchTracker(account: account)
            }
            // One more than asked for tells whether there are more.
            return try trackers.locations(
                of: user, from: from?.seconds, until: until?.seconds, uploaded: uploaded, limit: limit + 1,
                account: number, on: db)
        }
        let shown = found.prefix(limit)
        if json { return try Screen.output.writeJSON(shown.map(LocationJSON.init)) }
        if found.isEmpty { return Screen.output.writeLine("No location of this user matches.") }
        var table = Table(
            .left("SINCE"), .left("STAYED"), .right("LATITUDE"), .right("LONGITUDE"), .right("ACCURACY"),
            .left("UPLOADED"))
        for location in shown {
            table.add(
                Timestamp.text(location.timestamp),
                location.waitTime == 0 ? "-" : Readable.duration(.seconds(location.waitTime)),
                "\(location.lat)", "\(location.lng)", location.accuracy.map { "\($0.short) m" } ?? "-",
                location.uploaded ? "yes" : "no")
        }
        table.write(to: .output)
        if found.count > limit {
            Screen.errors.writeLine(
                "There are more: --from \(Timestamp.text(found[limit].timestamp)) shows the next, "
                    + "--limit N shows more at once.")
        }
    }
}
