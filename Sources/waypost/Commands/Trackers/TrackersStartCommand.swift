import Contacts
import FoundationEssentials
import Locations
import Terminal
import Wording

struct TrackersStartCommand: ChangingCommand {
    static let name = "start"
    static let summary = "Turn a user's tracking on, or change how it works."
    static let discussion = """
        The tracker and the account are created if they do not exist. Fixes count from now on, or from --since on. What \
        is not given stays as it is; a new tracker has a radius of 50 metres, a top speed of 350 metres a second, a longest \
        gap of 12 hours, and keeps doubted fixes. Its locations go to the account's default sink, if there is one ('waypost sinks').

          waypost trackers start ada --account app --radius 80

        The phone needs a token:  waypost tokens create phone --account app --scope track
        """

    @Argument("USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Option("--radius", "METRES", "How near a fix must be to belong to a location.", in: 1.0...10_000.0)
    var radius: Double?
    @Option("--top-speed", "METRES", "Fixes that are faster, in metres a second, are doubted.", in: 1.0...30_000_000.0)
    var topSpeed: Double?
    @Option(
        "--longest-gap", "A stay does not go on after so long without a fix.",
        in: Duration.seconds(60)...Duration.seconds(31_622_400))
    var longestGap: Duration?
    @Flag("--keep-doubted", "Store doubted fixes, apart from the locations.") var keepsDoubted
    @Flag("--drop-doubted", "Don't store doubted fixes.") var dropsDoubted
    @Option("--sink", "NAME", "Upload the locations to this sink.") var sink: String?
    @Flag("--no-sink", "Don't upload the locations.") var uploadsNowhere
    @Flag("--newest-first", "Upload the newest location first.") var newestFirst
    @Flag("--oldest-first", "Upload the locations in the order of time.") var oldestFirst
    @Option("--since", "Fixes count from this time on; by default from now.") var since: PointInTime?

    func run() async throws {
        try checkUser(user)
        if account.isEmpty { throw UsageError("--account is empty; give the account of the tracker") }
        if keepsDoubted, dropsDoubted { throw UsageError("--keep-doubted and --drop-doubted contradict each other") }
        if sink != nil, uploadsNowhere { throw UsageError("--sink and --no-sink contradict each other") }
        if newestFirst, oldestFirst { throw UsageError("--newest-first and --oldest-first contradict each other") }
        if let since, since.seconds > Date().timeIntervalSince1970 { throw UsageError("--since is in the future") }
        let settings = TrackerSettings(
            radius: radius, topSpeed: topSpeed, longestGap: longestGap.map { $0 / .seconds(1) },
            keepsDoubted: keepsDoubted ? true : dropsDoubted ? false : nil,
            sink: uploadsNowhere ? .nowhere : sink.map { .sink(named: $0) },
            newestFirst: newestFirst ? true : oldestFirst ? false : nil)
        let start = try await Application.asking { [user, account, since] app, db in
            let (trackers, number) = (TrackerStore(), try app.contacts.openAccount(named: account, on: db))
            do {
                try trackers.start(user, since: since?.seconds, with: settings, account: number, by: .current, on: db)
            } catch let
                error
                as NoSuchSink
            { throw NoSinkOfThisName(name: error.name) }
            return try trackers.tracker(of: user, account: number, on: db)?.switchedAt
        }
        Screen.output.writeLine("Tracking is on\(start.map { "; it began at \(Timestamp.text($0))" } ?? "").")
    }
}
