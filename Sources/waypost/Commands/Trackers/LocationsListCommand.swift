import Contacts
import Geocoding
import Locations
import Operations
import Terminal

struct LocationsListCommand: Command {
    static let name = "list"
    static let summary = "Show where a user was, in the order of time."
    static let discussion = "The place is shown where it is known: 'waypost locations name' asks for it."

    @Option("--user", "USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Option("--from", "Only locations that began at this time or later.") var from: PointInTime?
    @Option("--until", "Only locations that began before this time.") var until: PointInTime?
    @Option("--uploaded", "Only locations that are uploaded, or that are not.") var uploaded: Bool?
    @Option("--limit", "N", "Show at most N.", in: 1...100_000) var limit = 50
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let (found, places) = try await Application.asking { [user, account, from, until, uploaded, limit] app, db in
            let (trackers, number) = (TrackerStore(), try app.account(withTrackers: account, on: db))
            guard try trackers.tracker(of: user, account: number, on: db) != nil else {
                throw NoSuchTracker(account: account)
            }
            // One more than asked for tells whether there are more.
            let found = try trackers.locations(
                of: user, from: from?.seconds, until: until?.seconds, uploaded: uploaded, limit: limit + 1,
                account: number, on: db)
            return (found, try trackers.places(of: found, on: db).map { $0?.line })
        }
        let shown = found.prefix(limit)
        if json { return try Screen.output.writeJSON(zip(shown, places).map { LocationJSON($0, place: $1) }) }
        if found.isEmpty { return Screen.output.writeLine("No location of this user matches.") }
        var table = Table(
            .left("SINCE"), .left("STAYED"), .right("LATITUDE"), .right("LONGITUDE"), .right("ACCURACY"),
            .left("UPLOADED"), .left("PLACE"))
        for (location, place) in zip(shown, places) {
            table.add(
                Timestamp.text(location.timestamp),
                location.waitTime == 0 ? "-" : Readable.duration(.seconds(location.waitTime)),
                "\(location.lat)", "\(location.lng)", location.accuracy.map { "\($0.short) m" } ?? "-",
                location.uploaded ? "yes" : "no", place ?? "-")
        }
        table.write(to: .output)
        if found.count > limit {
            Screen.errors.writeLine(
                "There are more: --from \(Timestamp.text(found[limit].timestamp)) shows the next, "
                    + "--limit N shows more at once.")
        }
    }
}
