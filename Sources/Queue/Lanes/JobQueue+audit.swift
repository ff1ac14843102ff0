package import Postgres

extension JobQueue {
    /// Checks the calls of a lane during the last `time` against its present limits. Calls from before the last change
    /// of the limits are left out.
    ///
    /// Calls under way are not known yet. Run it in a transaction, because it reads with a cursor: the rows of a long
    /// time don't fit into memory.
    package func audit(_ lane: String, last time: Duration, on database: isolated Connection) throws -> LaneAudit {
        let state = try self.lane(lane, on: database)
        let row = try database.query(
            """
            SELECT id, greatest(now() - \(time)::interval, limits_changed_at) AS since,
                   limits_changed_at > now() - \(time)::interval AS is_shorter,
                   extract(epoch FROM now() - limits_changed_at) AS unchanged_for
            FROM lanes
            WHERE name = \(lane)
            """)[0]
        let (id, since): (Int, String) = (try row.read("id"), try row.read("since"))
        let steps = try clockSteps(last: time, on: database)
        let begin: Double = try database.query(
            "SELECT extract(epoch FROM \(since)::timestamptz)::float8 AS since")[0].read("since")
        let start: SQL = "\(since)::timestamptz"
        var timeline = try SteppedTimeline(
            clockChanges("noticed_at > \(part: start)", on: database), since: begin,
            rate: clockRate(at: start, on: database))
        var audit = CallAudit(of: state.limits.map(\.limit))
        let length: Duration = try row.read("is_shorter") ? try row.read("unchanged_for") : time
        var staircase = CallStaircase(of: length / .seconds(1))
        try readCalls(of: id, since: since, on: database) { moment in
            if timeline.add(moment, to: &audit) { staircase.add(audit) }
        }
        return LaneAudit(
            lane: lane, time: length, since: .seconds(begin), calls: audit, staircase: staircase,
            slipped: try slipped(of: id, since: since, on: database), clockSteps: steps, unclear: timeline.unclear,
            outcomes: try outcomes(of: id, since: since, on: database))
    }

    /// Calls `body` with the start of each call, in seconds after `since`.
    private func readCalls(
        of lane: Int, since: String, on database: isolated Connection, _ body: (Double) -> Void
    ) throws {
        // DECLARE takes no parameters. Both values come from the server, and the casts check them.
        try database.query(
            "SELECT set_config('waypost.audit_lane', \(String(lane)), true), set_config('waypost.audit_since', \(since), true)"
        )
        try database.query(
            """
            DECLARE audited_calls NO SCROLL CURSOR FOR
            SELECT (extract(epoch FROM started_at - current_setting('waypost.audit_since')::timestamptz) * 1000000)
                       ::bigint AS moment
            FROM calls
            WHERE lane = current_setting('waypost.audit_lane')::smallint
              AND started_at >= current_setting('waypost.audit_since')::timestamptz
            ORDER BY started_at
            """)
        while true {
            let rows = try database.query("FETCH 10000 FROM audited_calls")
            for row in rows { body(Double(try row.read("moment", as: Int.self)) / 1_000_000) }
            if rows.isEmpty { break }
        }
        try database.query("CLOSE audited_calls")
    }

    private func outcomes(
        of lane: Int, since: String, on database: isolated Connection
    ) throws -> [LaneAudit.Outcome] {
        try database.query(
            """
            SELECT outcome, count(*) AS calls, sum(subjects) AS subjects, avg(took) AS took
            FROM calls
            WHERE lane = \(lane)::smallint AND started_at >= \(since)::timestamptz
            GROUP BY outcome
            ORDER BY outcome
            """
        ).map {
            try LaneAudit.Outcome(
                outcome: $0.read("outcome"), calls: $0.read("calls"), subjects: $0.read("subjects"),
                averageTook: $0.readIfPresent("took"))
        }
    }

    private func slipped(of lane: Int, since: String, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT coalesce(sum(slipped), 0) AS slipped
            FROM throughput
            WHERE lane = \(lane)::smallint AND minute >= date_trunc('minute', \(since)::timestamptz)
            """)[0].read("slipped")
    }
}

/// The calls that a lane's provider received.
package struct LaneAudit: Sendable {
    package struct Outcome: Sendable, Equatable {
        package let outcome: String
        package let calls: Int
        package let subjects: Int
        package let averageTook: Duration?
    }

    package let lane: String
    /// How far back the audit went: at most to the last change of the limits.
    package let time: Duration
    /// When the audited time began, since 1970.
    package let since: Duration
    package let calls: CallAudit
    package let staircase: CallStaircase
    /// Calls that were sent after their slots had ended, because a process was stopped in between; counted by the
    /// minute.
    package let slipped: Int
    /// The steps of the database's clock in this time. `unclear` counts the calls that were not checked, because their
    /// moments came twice.
    package let clockSteps: [ClockStep]
    package let unclear: Int
    package let outcomes: [Outcome]
}

/// Moves the moments of calls on a clock that was set, or slewed, to a clock that was neither.
///
/// This is exact for a step forwards and for a slew. After a step back, also at the end of a fast slew, some moments came
/// twice, and it is unknown which one a call means. Such calls are left out, and no window reaches across the step.
struct SteppedTimeline {
    /// A time in which the clock ran evenly.
    private struct Epoch {
        let rate: Double
        /// When the epoch began, on the clock and in true seconds.
        var from = 0.0, begin = 0.0
        /// The last moment of the epoch before, on the clock.
        var end = -Double.infinity

        func trueTime(_ moment: Double) -> Double { begin + (moment - from) / (1 + rate) }
    }

    private let epochs: [Epoch]
    private let isBack: [Bool]
    /// The moments that came twice. Other changes of the clock may have been noticed at such moments.
    private let doubled: [ClosedRange<Double>]
    private(set) var unclear = 0
    private var place = 0

    init(_ steps: [ClockStep], since begin: Double, rate: Double = 0) {
        var epochs = [Epoch(rate: rate)]
        for step in steps {
            let noticed = step.noticedAt / .seconds(1) - begin
            let end = noticed - step.size / .seconds(1)
            let begin = epochs[epochs.count - 1].trueTime(end)
            epochs.append(Epoch(rate: step.rate, from: noticed, begin: begin, end: end))
        }
        self.epochs = epochs
        isBack = [false] + steps.map { $0.size < .zero }
        doubled = zip(epochs, isBack).filter(\.1).map { $0.0.from...$0.0.end }
    }

    /// Adds a call, unless its moment is unclear. Add calls in the order of the clock's moments.
    @discardableResult
    mutating func add(_ moment: Double, to audit: inout CallAudit) -> Bool {
        // The log has no moment inside a step forwards, except for a worker's uncertainty of the clock.
        while place + 1 < epochs.count, moment > (epochs[place + 1].from + epochs[place + 1].end) / 2 {
            place += 1
            if isBack[place] { audit.breakOff() }
        }
        if doubled.contains(where: { $0.contains(moment) }) {
            unclear += 1
            return false
        }
        audit.add(epochs[place].trueTime(moment))
        return true
    }
}
