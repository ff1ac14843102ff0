import Contacts
import Postgres
import Processes
import Queue
import Terminal
import Wording

/// Waits until the addresses of a feed are answered. Prints progress, and the reasons for the wait.
struct AnswerWait {
    let app: Application
    let account: String
    let feed: String
    /// The longest wait; nil for no limit.
    let limit: Duration?

    struct Outcome: Sendable {
        let progress: AddressProgress
        /// The lanes for which the remaining addresses wait, if the limit ended the wait.
        let open: [LaneWait]
    }

    private struct Moment: Sendable {
        let progress: AddressProgress
        let lanes: [LaneState]
        let workers: Int

        /// The reasons for the wait, one for each lane.
        var waits: [LaneWait] {
            if progress.waiting == 0 { return [] }
            return workers == 0 ? [.nobody] : lanes.compactMap(LaneWait.init)
        }
    }

    func run() async throws -> Outcome {
        let start = ContinuousClock.now
        var bar: ProgressBar?
        defer { bar?.erase() }
        var teller = WaitTeller()
        var rhythm = PollRhythm()
        var cameEarly = false
        while true {
            let asked = ContinuousClock.now
            let moment = try await lookPatiently()
            let progress = moment.progress
            let left = limit.map { $0 - (ContinuousClock.now - start) }
            if progress.waiting == 0 || left.map({ $0 <= .zero }) == true {
                return Outcome(progress: try await count(), open: moment.waits)
            }
            let done = progress.total - progress.waiting
            // Earlier answers are not counted, because they would make the speed look too high.
            if bar == nil { bar = ProgressBar("Geocoding", total: progress.total, from: done) }
            let lasting = teller.tell(moment.waits, at: .now)
            bar?.update(
                done: done, total: progress.total,
                label: ([progress.words] + lasting).filter { !$0.isEmpty }.joined(separator: "; "))
            let pause = rhythm.pause(after: ContinuousClock.now - asked, waiting: progress.waiting, at: .now)
            try await rest(for: min(pause, left ?? pause), cameEarly: &cameEarly)
        }
    }

    /// Waits for this duration, or until no lane has a job. Checking for jobs is cheap, but counting addresses takes
    /// seconds.
    ///
    /// Addresses without a job would end the wait at once each time, so it ends early only every other time.
    private func rest(for pause: Duration, cameEarly: inout Bool) async throws {
        let end = ContinuousClock.now + pause
        while case let left = end - ContinuousClock.now, left > .zero {
            try await Task.sleep(for: min(left, .milliseconds(200)))
            let mayComeEarly = !cameEarly && end - ContinuousClock.now > .zero
            guard mayComeEarly, try await isIdle() else { continue }
            cameEarly = true
            return
        }
        cameEarly = false
    }

    /// Returns whether no lane of this account has a job. An unreachable database is reported by the next read.
    private func isIdle() async throws -> Bool {
        do {
            return try await app.database.run { [app, account] db in
                let own = try app.contacts.lanes(of: account, on: db)
                return try app.queue.lanes(on: db).filter { own.contains($0.lane) }
                    .allSatisfy { $0.ready + $0.later + $0.held == 0 }
            }
        } catch is DatabaseError { return false }
    }

    /// Retries while the database is unreachable: longer than a restart takes, but not forever.
    private func lookPatiently() async throws -> Moment {
        let hasTold = Locked(false)
        do {
            return try await Database.retrying(
                until: .now + .seconds(120),
                beforePause: { _ in
                    let isFirst = hasTold.withLock { told in
                        defer { told = true }
                        return !told
                    }
                    if isFirst { Screen.errors.writeLine("The database is away. Waiting.") }
                }
            ) { try await look() }
        } catch let error as DatabaseError where error.isWorthRetrying {
            throw DatabaseError(
                message: "was away for two minutes: \(error.message)", sqlState: error.sqlState,
                hint: "nothing is lost; when the database is back, run the same command again to resume",
                isConnectionLost: true)
        }
    }

    private func look() async throws -> Moment {
        try await app.database.run { [app, account, feed] db in
            let progress = try app.contacts.progress(
                account: account, feed: feed, countingQuestions: false, on: db)
            guard progress.waiting > 0 else { return Moment(progress: progress, lanes: [], workers: 0) }
            // Other lanes may have many jobs of other accounts.
            let own = try app.contacts.lanes(of: account, on: db)
            return Moment(
                progress: progress, lanes: try app.queue.lanes(on: db).filter { own.contains($0.lane) },
                workers: try app.registry.workers(on: db).count)
        }
    }

    /// The final progress, with the distinct addresses counted.
    private func count() async throws -> AddressProgress {
        try await app.database.run { [app, account, feed] db in
            var progress = try app.contacts.progress(account: account, feed: feed, on: db)
            if progress.waiting > 0 {
                progress.soFarByPrecision = try app.contacts.placesSoFar(account: account, feed: feed, on: db)
            }
            return progress
        }
    }
}

/// Decides how often to count. Counting a million addresses takes seconds, and the database is needed by the workers.
struct PollRhythm {
    private var last: (waiting: Int, at: ContinuousClock.Instant)?

    /// Ten times the duration of a count, and at most five seconds. It is shorter if everything will be done before.
    mutating func pause(after took: Duration, waiting: Int, at now: ContinuousClock.Instant) -> Duration {
        defer { last = (waiting, now) }
        let calm = min(max(.milliseconds(100), took * 10), max(.seconds(5), took))
        guard let last, last.waiting > waiting, now > last.at else { return calm }
        let rest = (now - last.at) * (Double(waiting) / Double(last.waiting - waiting))
        return max(.milliseconds(100), took, min(calm, rest))
    }
}

/// Prints once for each lane the reason why the command waits for it.
struct WaitTeller {
    private var told: Set<String> = []
    private var since: [String: ContinuousClock.Instant] = [:]
    private let screen: Screen

    /// A new cluster needs a moment until its workers run.
    private static let patience = Duration.seconds(5)

    init(on screen: Screen = .errors) {
        self.screen = screen
    }

    /// Returns the reasons that persist, in a few words each.
    mutating func tell(_ waits: [LaneWait], at now: ContinuousClock.Instant) -> [String] {
        var keys: Set<String> = []
        var lasting: [String] = []
        for wait in waits {
            let key = "\(wait.lane) \(wait.kind)"
            keys.insert(key)
            let start = since[key] ?? now
            since[key] = start
            guard wait.kind != .noWorker || now - start >= Self.patience else { continue }
            lasting.append(wait.words)
            if told.insert(key).inserted { screen.writeLine(wait.sentence) }
        }
        since = since.filter { keys.contains($0.key) }
        return lasting
    }
}

extension AddressProgress {
    /// `1,100 located, 32 of them weak, 12 not found`
    fileprivate var words: String {
        [
            (located, "located"), (weak, "of them weak"), (needsReview, "to review"), (notFound, "not found"),
            (failed, "failed"),
        ]
        .filter { $0.0 > 0 }.map { "\(Readable.count($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
