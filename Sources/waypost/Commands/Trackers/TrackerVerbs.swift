import Contacts
import FoundationEssentials
import Locations
import Postgres
import Processes
import Shapes
import Terminal
import Tracking

enum TrackerVerbs {
    static let group = Node.group(
        "trackers", "See whose positions are taken in, turn tracking on and off, and erase a user's positions.",
        [list, show, start, stop, erase])

    private struct Listed: VerbInput {
        @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"
        @Option("--after", "USER", "Only those after this one.") var after = ""
    }

    private static let list = Node.pages(
        "list", Listed.self, "Show an account's trackers by their users, without positions.",
        look: { input, limit, app, db in
            try TrackerStore().trackers(
                account: app.account(withTrackers: input.account, on: db), after: input.after, limit: limit, on: db)
        }, as: { tracker, _ in TrackerView(tracker) },
        empty: { input in
            input.after.isEmpty
                ? "The account has no tracker. Create one with 'waypost trackers start USER --account \(input.account)'."
                : "There are no more."
        },
        [
            .left("USER") { $0.user },
            .left("TRACKING", style: { $0 == "on" ? nil : .yellow }) { $0.isOn ? "on" : "off" },
            .left("SINCE") { $0.switchedAt.map(Timestamp.text) ?? "-" },
            .left("LAST FIX") { $0.lastFixAt.map(Timestamp.text) ?? "-" }, .right("RADIUS") { $0.radiusText },
            .right("TOP SPEED") { $0.speedText }, .left("DOUBTED") { $0.doubtedText },
        ], next: { last, _ in "--after '\(last.user)'" })

    private struct OneUser: VerbInput {
        @Argument("USER", "What the account calls the user.") var user: String
        @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    }

    private struct Shown: VerbInput {
        let of = OneUser()
        @Flag("--coordinates", "Also show where the user was last.") var showsPosition
    }

    private static let show = Node.show(
        "show", Shown.self, "Show a user's tracker and how much it has taken in.",
        look: { input, app, db in
            let (trackers, user) = (TrackerStore(), input.of.user)
            let account = try app.account(withTrackers: input.of.account, on: db)
            guard let state = try trackers.tracker(of: user, account: account, on: db),
                let counts = try trackers.count(of: user, account: account, on: db)
            else { throw Failure.noTracker(in: input.of.account) }
            return KnownTracker(
                state: state, counts: counts, account: input.of.account,
                lastFix: input.showsPosition ? try trackers.lastFix(of: user, account: account, on: db) : nil)
        }, as: { TrackerView($0.state, $0.counts, lastFix: $0.lastFix) }, write: { $0.write(to: $1) })

    private struct Started: VerbInput {
        @Argument("USER", "What the account calls the user.") var user: String
        @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
        @Option("--radius", "METRES", "How near a fix must be to belong to a location.", in: 1.0...10_000.0)
        var radius: Double?
        @Option(
            "--top-speed", "METRES", "Fixes that are faster, in metres a second, are doubted.", in: 1.0...30_000_000.0)
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

        func check() throws {
            try checkUser(user)
            if account.isEmpty { throw UsageError("--account is empty; give the account of the tracker") }
            if keepsDoubted, dropsDoubted {
                throw UsageError("--keep-doubted and --drop-doubted contradict each other")
            }
            if sink != nil, uploadsNowhere { throw UsageError("--sink and --no-sink contradict each other") }
            if newestFirst, oldestFirst { throw UsageError("--newest-first and --oldest-first contradict each other") }
            if let since, since.seconds > Date().timeIntervalSince1970 { throw UsageError("--since is in the future") }
        }

        var settings: TrackerSettings {
            TrackerSettings(
                radius: radius, topSpeed: topSpeed, longestGap: longestGap.map { $0 / .seconds(1) },
                keepsDoubted: keepsDoubted ? true : dropsDoubted ? false : nil,
                sink: uploadsNowhere ? .nowhere : sink.map { .sink(named: $0) },
                newestFirst: newestFirst ? true : oldestFirst ? false : nil)
        }
    }

    private static let start = Node.act(
        "start", Started.self, "Turn a user's tracking on, or change how it works.",
        """
        The tracker and the account are created if they do not exist. Fixes count from now on, or from --since on. What \
        is not given stays as it is; a new tracker has a radius of 50 metres, a top speed of 350 metres a second, a longest \
        gap of 12 hours, and keeps doubted fixes. Its locations go to the account's default sink, if there is one ('waypost sinks').

          waypost trackers start ada --account app --radius 80

        The phone needs a token:  waypost tokens create phone --account app --scope track
        """
    ) { input, app, db in
        let account = try app.contacts.openAccount(named: input.account, on: db)
        do {
            try TrackerStore().start(
                input.user, since: input.since?.seconds, with: input.settings, account: account, by: .current, on: db)
        } catch let error as NoSuchSink { throw Failure.noSink(error.name) }
        let began = try TrackerStore().tracker(of: input.user, account: account, on: db)?.switchedAt
        return "Tracking is on\(began.map { "; it began at \(Timestamp.text($0))" } ?? "")."
    }

    private static let stop = Node.verb(
        "stop", OneUser.self, "Turn a user's tracking off: from now on no fix is stored.",
        """
        What is stored stays; 'waypost trackers erase' deletes it. A fix that the phone took while tracking was on, \
        and sends later, is refused until tracking is on again; one that it took while tracking was off is never stored.
        """, changes: true
    ) { input in
        try await Application.opened { try await $0.stopTracking(of: input.user, account: input.account) }
        Screen.output.writeLine("Tracking is off. From now on no fix of this user is stored, and no location uploaded.")
    }

    private struct Erased: ConfirmedInput {
        let of = OneUser()
        @Flag("--yes", "Don't ask for confirmation.") var yes
    }

    private static let erase = Node.confirmed(
        "erase", Erased.self, "Delete all that is known of a user's positions, and the tracker.",
        """
        All of it goes in one transaction; afterwards the rows that are left are counted in another one. Backups and \
        WAL archives that were made before still hold the positions until they are deleted. So does the sink to which they were uploaded.
        """,
        find: { input, app, db in
            let account = try app.account(withTrackers: input.of.account, on: db)
            guard let counts = try TrackerStore().count(of: input.of.user, account: account, on: db) else {
                throw Failure.noTracker(in: input.of.account)
            }
            return counts
        },
        question: { counts, _ in
            "Delete \(Words.count(counts.fixes, "fix", "fixes")) and \(Words.count(counts.locations, "location")) "
                + "of this user, and the tracker, for good?"
        }
    ) { _, input, app in
        let (user, account) = (input.of.user, input.of.account)
        // Otherwise a worker could upload locations after the erasure.
        try await app.stopTracking(of: user, account: account)
        let erased = try await app.database.transaction { db in
            try TrackerStore().erase(
                user, account: app.account(withTrackers: account, on: db), by: .current, on: db)
        }
        // Another command has erased the tracker meanwhile.
        guard let erased else { throw Failure.noTracker(in: account) }
        Screen.output.writeLine(
            "Deleted the tracker, \(Words.count(erased.fixes, "fix", "fixes")) and "
                + "\(Words.count(erased.locations, "location")).")
        let left = try await app.database.transaction { try TrackerStore().countLeft(of: erased, on: $0) }
        guard left == 0 else {
            throw Failure("counted again: \(Words.count(left, "row is", "rows are")) left of this user")
        }
        return Report(
            "Counted again: 0 rows are left.",
            note: "Backups and WAL archives that were made before still hold these positions until they are deleted.")
    }
}

private struct KnownTracker: Sendable {
    let state: TrackerState
    let counts: TrackerCounts
    let account: String
    let lastFix: Fix?

    func write(to screen: Screen) {
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
        if let lastFix {
            facts.add("last believed fix", "\(lastFix.lat),\(lastFix.lng)")
            facts.add("from", Timestamp.text(lastFix.timestamp))
        }
        facts.write(to: screen)
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
                throw Failure.noTracker(in: account)
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
