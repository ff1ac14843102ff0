package import Postgres

extension JobQueue {
    /// Ends or requeues jobs as their worker reports, logs the calls, and adjusts the lane's pace and breaker. Returns
    /// the fate of each job that the worker still held.
    ///
    /// A job that has another lease is not changed, and its result must not be stored. So call this first in the
    /// transaction that stores results.
    package func finish(
        _ reports: [JobReport], in lane: String, by worker: WorkerID, on database: isolated Connection
    ) throws -> JobEnds {
        guard !reports.isEmpty else { return JobEnds() }
        let leftOvers = reports.flatMap { report in report.outcome.leftOvers.map { $0.row(of: report.job) } }
        let rows = try database.query(
            """
            SELECT job, fate, successor, subjects
            FROM finish_jobs(
                \(lane), \(worker)::integer, \(reports.map(\.row))::job_report[], \(leftOvers)::left_over[])
            """)
        var ends = JobEnds()
        for row in rows {
            if let successor = try row.readIfPresent("successor", as: Int.self) {
                let job = QueuedJob(id: successor, subjects: try row.read("subjects"))
                let isGivenUp = try row.read("fate") == "given up"
                if isGivenUp { ends.givenUp += job.subjects } else { ends.successors.append(job) }
            } else {
                ends.fates[try row.read("job")] = try Fate(rawValue: row.read("fate"))
            }
        }
        try note(reports.filter { $0.hasSlipped }, in: lane, by: worker, ends, on: database)
        for case .denied(let reason) in reports.map(\.outcome) {
            try deny(lane, because: reason, on: database)
            break
        }
        return ends
    }

    /// Charges the lane for calls that were sent after their slots had ended. Also logs those whose lease was lost: the
    /// rescue that logged them before could not know when they were sent.
    private func note(
        _ slipped: [JobReport], in lane: String, by worker: WorkerID, _ ends: JobEnds,
        on database: isolated Connection
    ) throws {
        guard !slipped.isEmpty else { return }
        let lost = slipped.filter { ends.fates[$0.job.id] == nil }
        try database.query(
            """
            SELECT note_slipped_calls(
                \(lane), \(worker)::integer, \(slipped.count)::integer,
                \(lost.map { $0.startedAt.map(seconds) }), \(lost.map { $0.took.map(seconds) })::real[],
                \(lost.map(\.job.subjects.count))::integer[], \(lost.map(\.outcome.name)),
                \(lost.map(\.epoch))::integer[])
            """)
    }
}

private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

/// A worker's report about a job that it held.
package struct JobReport: Sendable {
    package let job: Job
    package let outcome: JobOutcome

    /// When the call was sent, on the database's clock; nil if it was not sent.
    package let startedAt: Duration?
    package let took: Duration?

    /// The epoch of the clock that `startedAt` is on; nil for the present one.
    package let epoch: Int?

    /// The call was sent after its slot had ended: the process was stopped between reading the clock and writing the
    /// request.
    package let hasSlipped: Bool

    /// Pass `late`, the delay after the slot's end, if another clock measured it: the database's clock may have been
    /// set meanwhile.
    package init(
        _ job: Job, _ outcome: JobOutcome, startedAt: Duration? = nil, took: Duration? = nil, epoch: Int? = nil,
        late: Duration? = nil
    ) {
        self.job = job
        self.outcome = outcome
        self.startedAt = startedAt
        self.took = took
        self.epoch = epoch
        hasSlipped =
            late.map { $0 > .zero } ?? startedAt.flatMap { at in job.slot.map { at > $0.closes } } ?? false
    }

    private init(_ report: JobReport, _ outcome: JobOutcome) {
        job = report.job
        self.outcome = outcome
        startedAt = report.startedAt
        took = report.took
        epoch = report.epoch
        hasSlipped = report.hasSlipped
    }

    /// The report as a `job_report`.
    fileprivate var row: SQLRow {
        var row = SQLRow()
        row.add(job.id)
        row.add(job.lease)
        row.add(outcome.name)
        row.add(startedAt.map(seconds))
        row.add(took.map(seconds))
        row.add(outcome.pause)
        row.add(outcome.reason)
        row.add(epoch)
        return row
    }

    /// The same call with another outcome.
    package func ending(as outcome: JobOutcome) -> JobReport { JobReport(self, outcome) }
}

/// How a call ended, and what its job needs next.
package enum JobOutcome: Sendable, Hashable {
    /// The job ends. Subjects that need another call get new jobs.
    case done(leftOvers: [LeftOver] = [])
    /// The job ends, and all its subjects continue in other lanes.
    case moved([LeftOver])
    /// The call failed. It may succeed next time, after the wait `after` at the earliest.
    case retry(reason: String, after: Duration = .zero)
    /// The call failed, and would fail again.
    case failed(reason: String)
    /// The job waits for this time; no failure is counted.
    case snoozed(Duration)
    /// The provider wants fewer calls: the lane is blocked for a while, and then runs more slowly.
    case rate(retryAfter: Duration)
    /// The provider's quota is used up: the lane is blocked until the quota is back.
    case quota(resetIn: Duration)
    /// The provider refuses all our calls, for instance because of the key. The lane stops until a person resumes it.
    /// The lane of a sink is probed for a day before it stops.
    case denied(reason: String)
    /// The call was not begun, because the worker stops or the lane was halted.
    case released
    /// The call was not begun, because it missed its slot.
    case void
}

/// A subject of an ended job that needs another call.
package struct LeftOver: Sendable, Hashable {
    package let subject: Int
    /// The lane of the next call; nil for the same lane, counted as one more failure.
    package let lane: String?
    package let pause: Duration

    package init(_ subject: Int, lane: String? = nil, after pause: Duration = .zero) {
        self.subject = subject
        self.lane = lane
        self.pause = pause
    }

    /// The left-over of `job` as a `left_over`.
    fileprivate func row(of job: Job) -> SQLRow {
        var row = SQLRow()
        row.add(job.id)
        row.add(subject)
        row.add(lane)
        row.add(pause)
        return row
    }
}

/// The fates of the jobs in a report that were still held.
package struct JobEnds: Sendable {
    package var fates: [Job.ID: Fate] = [:]
    /// Jobs that were made of left-overs.
    package var successors: [QueuedJob] = []
    /// Left-overs that had their last attempt. They are stored as dead jobs.
    package var givenUp: [Int] = []

    package init() {}
}

package enum Fate: String, Sendable {
    case ended
    /// Given up, and stored in `dead_jobs` with its reason.
    case dead
    /// Waits again.
    case kept
}

extension JobOutcome {
    /// The outcome as reported and logged.
    package var inLog: CallOutcome {
        switch self {
        case .done: .done
        case .moved: .moved
        case .retry: .retry
        case .failed: .failed
        case .snoozed: .snoozed
        case .rate: .rate
        case .quota, .denied: .quota
        case .released: .released
        case .void: .void
        }
    }

    /// The outcome's name in the call log.
    package var name: String { inLog.rawValue }

    var pause: Duration? {
        switch self {
        case .retry(_, let pause), .snoozed(let pause), .rate(let pause), .quota(let pause): pause
        case .denied: .zero
        default: nil
        }
    }

    package var reason: String? {
        switch self {
        case .retry(let reason, _), .failed(let reason), .denied(let reason): reason
        default: nil
        }
    }

    var leftOvers: [LeftOver] {
        switch self {
        case .done(let leftOvers), .moved(let leftOvers): leftOvers
        default: []
        }
    }
}
