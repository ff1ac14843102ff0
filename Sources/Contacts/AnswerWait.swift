package import Postgres
package import Queue

/// Waits until the addresses of a feed are answered.
package struct AnswerWait: Sendable {
    private let database: Database
    private let registry: ProcessRegistry
    private let account: String
    private let feed: String
    /// The longest wait; nil to wait until nothing moves for ``Standstill/limit``.
    private let limit: Duration?

    package struct Outcome: Sendable {
        package let progress: AddressProgress
        /// The lanes for which the remaining addresses wait, if the limit ended the wait.
        package let open: [LaneWait]
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

    package init(
        database: Database, workers registry: ProcessRegistry, account: String, feed: String, limit: Duration? = nil
    ) {
        (self.database, self.registry, self.account, self.feed, self.limit) = (database, registry, account, feed, limit)
    }

    /// `onProgress` gets each count with the reasons for the wait. `onAway` is called when the database gets
    /// unreachable.
    package func run(
        onProgress: (AddressProgress, [LaneWait]) -> Void, onAway: () -> Void
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        var rhythm = PollRhythm()
        var cameEarly = false
        var standstill = Standstill()
        while true {
            let began = ContinuousClock.now
            let moment = try await lookPatiently(onAway)
            let left = limit.map { $0 - (ContinuousClock.now - start) }
            let isStuck = standstill.isOver(
                waiting: moment.progress.waiting, in: moment.lanes, workers: moment.workers, at: .now)
            if moment.progress.waiting == 0 || left.map({ $0 <= .zero }) ?? isStuck {
                return Outcome(progress: try await count(), open: moment.waits)
            }
            onProgress(moment.progress, moment.waits)
            let pause = rhythm.pause(after: ContinuousClock.now - began, waiting: moment.progress.waiting, at: .now)
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
            return try await database.run { [account] db in
                let own = try ContactStore().lanes(of: account, on: db)
                return try JobQueue().lanes(on: db).filter { own.contains($0.lane) }
                    .allSatisfy { $0.ready + $0.later + $0.held == 0 }
            }
        } catch is DatabaseError { return false }
    }

    /// Retries while the database is unreachable: longer than a restart takes, but not forever.
    private func lookPatiently(_ onAway: () -> Void) async throws -> Moment {
        do { return try await look() } catch let error as DatabaseError where error.isWorthRetrying { onAway() }
        do {
            return try await Database.retrying(until: .now + .seconds(120)) { try await look() }
        } catch let error as DatabaseError where error.isWorthRetrying {
            throw DatabaseError(
                message: "was away for two minutes: \(error.message)", sqlState: error.sqlState,
                hint: "nothing is lost; when the database is back, run the same command again to resume",
                isConnectionLost: true)
        }
    }

    private func look() async throws -> Moment {
        try await database.run { [registry, account, feed] db in
            let progress = try ContactStore().progress(
                account: account, feed: feed, countingQuestions: false, on: db)
            guard progress.waiting > 0 else { return Moment(progress: progress, lanes: [], workers: 0) }
            // Other lanes may have many jobs of other accounts.
            let own = try ContactStore().lanes(of: account, on: db)
            return Moment(
                progress: progress, lanes: try JobQueue().lanes(on: db).filter { own.contains($0.lane) },
                workers: try registry.workers(on: db).count)
        }
    }

    /// The final progress, with the distinct addresses counted.
    private func count() async throws -> AddressProgress {
        try await database.run { [account, feed] db in
            var progress = try ContactStore().progress(account: account, feed: feed, on: db)
            if progress.waiting > 0 {
                progress.soFarByPrecision = try ContactStore().placesSoFar(account: account, feed: feed, on: db)
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
