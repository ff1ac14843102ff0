import Contacts
import Locations
import Postgres
import Shapes
import Terminal
import Tracking
import Wording

struct TrackersListCommand: Command {
    static let name = "list"
    static let summary = "Show an account's trackers by their users, without positions."

    @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"
    @Option("--after", "USER", "Only those after this one.") var after = ""
    let list = ListOptions()

    func run() async throws {
        let limit = list.limit
        try await list.look.show { [account, after] app, db in
            // One more than requested shows whether there are more.
            try TrackerStore().trackers(
                account: app.account(withTrackers: account, on: db), after: after, limit: limit + 1, on: db)
        } as: { trackers in
            trackers.prefix(limit).map { TrackerView($0) }
        } write: { trackers, screen in
            write(trackers, limit, to: screen)
        }
    }

    private func write(_ trackers: [TrackerState], _ limit: Int, to screen: Screen) {
        let shown = trackers.prefix(limit)
        guard let last = shown.last else {
            return screen.writeLine(
                after.isEmpty
                    ? "The account has no tracker. Create one with 'waypost trackers start USER --account \(account)'."
                    : "There are no more.")
        }
        var table = Table(
            .left("USER"), .left("TRACKING") { $0 == "on" ? nil : .yellow }, .left("SINCE"), .left("LAST FIX"),
            .right("RADIUS"), .right("TOP SPEED"), .left("DOUBTED"))
        for state in shown {
            table.add(
                state.user, state.isOn ? "on" : "off", state.switchedAt.map(Timestamp.text) ?? "-",
                state.lastFixAt.map(Timestamp.text) ?? "-", state.radiusText, state.speedText, state.doubtedText)
        }
        table.write(to: screen)
        if trackers.count > limit { list.tellOfMore("--after '\(last.user)'", on: screen) }
    }
}

struct TrackersShowCommand: Command {
    static let name = "show"
    static let summary = "Show a user's tracker and how much it has taken in."

    @Argument("USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Flag("--coordinates", "Also show where the user was last.") var showsPosition
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let (state, counts, current) = try await Application.asking { [user, account, showsPosition] app, db in
            let (trackers, number) = (TrackerStore(), try app.account(withTrackers: account, on: db))
            guard let state = try trackers.tracker(of: user, account: number, on: db),
                let counts = try trackers.count(of: user, account: number, on: db)
            else { throw NoSuchTracker(account: account) }
            return (state, counts, showsPosition ? try trackers.lastFix(of: user, account: number, on: db) : nil)
        }
        if json { return Screen.output.writeJSON(TrackerView(state, counts, lastFix: current)) }
        var facts = Table(.left("TRACKER"), .left(state.user))
        facts.add("account", account)
        facts.add("tracking", state.isOn ? "on" : "off")
        if let moment = state.switchedAt { facts.add("since", Timestamp.text(moment)) }
        facts.add("last fix", state.lastFixAt.map(Timestamp.text) ?? "none")
        facts.add("fixes", Readable.count(counts.fixes))
        facts.add("of them doubted", Readable.count(counts.doubtedFixes))
        for refused in state.refused {
            facts.add(
                "not kept: \(refused.reason.rawValue)",
                "\(Readable.count(refused.count)), the last at \(Timestamp.text(refused.lastAt))")
        }
        facts.add("locations", Readable.count(counts.locations))
        facts.add("radius", state.radiusText)
        facts.add("top speed", state.speedText)
        facts.add("longest gap", Readable.duration(Duration(clampingSeconds: state.rule.longestGap)))
        facts.add("doubted fixes", "are \(state.doubtedText)")
        facts.add("sink", state.sink ?? "none")
        if state.sink != nil {
            facts.add("not uploaded yet", Readable.count(counts.due))
            facts.add("refused by the sink", Readable.count(counts.refused))
            if let signIn = state.signIn.text { facts.add("signed in", signIn) }
        }
        if let current {
            facts.add("last believed fix", "\(current.lat),\(current.lng)")
            facts.add("from", Timestamp.text(current.timestamp))
        }
        facts.write(to: .output)
    }
}

struct TrackersStopCommand: ChangingCommand {
    static let name = "stop"
    static let summary = "Turn a user's tracking off: from now on no fix is stored."
    static let discussion = """
        What is stored stays; 'waypost trackers erase' deletes it. A fix that the phone took while tracking was on, \
        and sends later, is refused until tracking is on again; one that it took while tracking was off is never stored.
        """

    @Argument("USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"

    func run() async throws {
        let app = try await Application.forCommand()
        try await app.stopTracking(of: user, account: account)
        await app.close()
        Screen.output.writeLine("Tracking is off. From now on no fix of this user is stored, and no location uploaded.")
    }
}

extension SignInState {
    /// Nil if the sink needs no sign-in.
    var text: String? {
        switch self {
        case .unneeded: nil
        case .missing: "no: the locations are only stored"
        case .valid: "yes"
        case .refused(let reason): "no: \(reason)"
        }
    }
}

extension Application {
    /// Stops tracking, and returns when no worker is uploading the user's locations.
    func stopTracking(of user: String, account: String) async throws {
        let number = try await database.transaction { [self] db in
            let number = try self.account(withTrackers: account, on: db)
            guard try TrackerStore().stop(user, account: number, by: .current, on: db) else {
                throw NoSuchTracker(account: account)
            }
            return number
        }
        try await TrackerStore.waitForUploads {
            try await database.run { try TrackerStore().isBeingUploaded(user, account: number, on: $0) }
        }
    }
}

extension TrackerState {
    fileprivate var radiusText: String { "\(rule.radius.short) m" }
    fileprivate var speedText: String { "\(rule.topSpeed.short) m/s" }
    fileprivate var doubtedText: String { keepsDoubted ? "kept" : "dropped" }
}

extension Double {
    /// `50` and not `50.0`
    var short: String { Int(exactly: self).map(String.init) ?? String(self) }
}
