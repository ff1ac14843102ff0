import Contacts
import Geocoding
import Locations
import Shapes
import Terminal
import Wording

struct LocationsListCommand: Command {
    static let name = "list"
    static let summary = "Show where a user was, in the order of time."
    static let discussion = "The place is shown where it is known: 'waypost locations name' asks for it."

    @Option("--user", "USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Option("--from", "Only locations that began at this time or later.") var from: PointInTime?
    @Option("--until", "Only locations that began before this time.") var until: PointInTime?
    @Option("--uploaded", "Only locations that are uploaded, or that are not.") var uploaded: Bool?
    let list = ListOptions()

    private struct Seen: Sendable {
        let found: [StoredLocation]
        let places: [Placemark?]
    }

    func run() async throws {
        let limit = list.limit
        try await list.look.show { [user, account, from, until, uploaded] app, db in
            let (trackers, number) = (TrackerStore(), try app.account(withTrackers: account, on: db))
            guard try trackers.tracker(of: user, account: number, on: db) != nil else {
                throw NoSuchTracker(account: account)
            }
            // One more than requested shows whether there are more.
            let found = try trackers.locations(
                of: user, from: from?.seconds, until: until?.seconds, uploaded: uploaded, limit: limit + 1,
                account: number, on: db)
            return Seen(found: found, places: try trackers.places(of: found, on: db))
        } as: { seen in
            zip(seen.found.prefix(limit), seen.places).map { LocationView($0, at: $1) }
        } write: { seen, screen in
            write(seen, limit, to: screen)
        }
    }

    private func write(_ seen: Seen, _ limit: Int, to screen: Screen) {
        let found = seen.found
        if found.isEmpty { return screen.writeLine("No location of this user matches.") }
        var table = Table(
            .left("SINCE"), .left("STAYED"), .right("LATITUDE"), .right("LONGITUDE"), .right("ACCURACY"),
            .left("UPLOADED"), .left("PLACE"))
        for (location, place) in zip(found.prefix(limit), seen.places) {
            table.add(
                Timestamp.text(location.timestamp),
                location.waitTime == 0 ? "-" : Readable.duration(Duration(clampingSeconds: location.waitTime)),
                "\(location.lat)", "\(location.lng)", location.accuracy.map { "\($0.short) m" } ?? "-",
                location.uploaded ? "yes" : "no", place?.matchedAddress ?? "-")
        }
        table.write(to: screen)
        if found.count > limit { list.tellOfMore("--from \(Timestamp.text(found[limit].timestamp))", on: screen) }
    }
}
