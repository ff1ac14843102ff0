package import Postgres

/// A process that starts knows nothing about the database's clock except its present reading. If the clock was set and
/// no process has noticed yet, buckets and slots still count by the old clock. So a process on the host that last
/// checked the clock continues from that reading. Any other process waits until a process that knows the clock has used
/// it, which takes about as long as a coordinator's round. If no process does, none knows the clock, and the process
/// adopts the clock as it is.
extension JobQueue {
    /// Returns the id of the newest worker. Each worker read the clock before it got its id.
    package func newestWorker(on database: isolated Connection) throws -> WorkerID {
        try database.query("SELECT coalesce(max(id), 0) AS id FROM workers")[0].read("id")
    }

    /// Stores a check of the clock: a process that knew the clock of `epoch` found it unchanged when `worker` was the
    /// newest worker.
    package func confirmClock(
        of epoch: Int, for worker: WorkerID, _ check: ClockCheck, on database: isolated Connection
    ) throws {
        try database.query(
            """
            UPDATE server_clock
            SET checked_for = greatest(checked_for, \(worker)::integer), checked_at = to_timestamp(\(check.shown)),
                checked_boot = \(check.boot), checked_from = \(check.from), checked_to = \(check.to)
            WHERE epoch = \(epoch)::integer
            """)
    }

    /// Returns the last check of the clock in the present epoch; nil if no process has checked it.
    package func lastClockCheck(
        on database: isolated Connection
    ) throws -> (check: ClockCheck, epoch: Int, rate: Double)? {
        let row = try database.query(
            """
            SELECT epoch, rate, checked_boot, checked_from, checked_to, extract(epoch FROM checked_at)::float8 AS shown
            FROM server_clock
            WHERE checked_at IS NOT NULL
            """
        ).first
        return try row.map { row in
            let check = try ClockCheck(
                boot: row.read("checked_boot"), from: row.read("checked_from"), to: row.read("checked_to"),
                shown: row.read("shown"))
            return (check, try row.read("epoch"), try row.read("rate"))
        }
    }

    /// Returns true if a worker may claim in a lane: the clock was checked since the worker started, or the lane has no
    /// limits.
    package func isClockConfirmed(
        for worker: WorkerID, in lane: String, on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            """
            SELECT checked_for >= \(worker)::integer
                OR NOT EXISTS (SELECT FROM token_buckets JOIN lanes ON lanes.id = lane WHERE name = \(lane))
                AS is_confirmed
            FROM server_clock
            """)[0].read("is_confirmed")
    }

    /// Returns the last use of the clock by a process that knows it.
    package func clockUse(on database: isolated Connection) throws -> ClockUse {
        let row = try database.query(
            """
            SELECT concat_ws(' ', epoch, checked_at) AS checked,
                   (SELECT extract(epoch FROM max(charged_at))::float8 FROM token_buckets) AS charged
            FROM server_clock
            """)[0]
        return try ClockUse(checked: row.read("checked"), charged: row.readIfPresent("charged") ?? -.infinity)
    }

    /// Returns true if no process is registered.
    package func isUnattended(on database: isolated Connection) throws -> Bool {
        try database.query(
            "SELECT NOT EXISTS (SELECT FROM workers) AND NOT EXISTS (SELECT FROM coordinators) AS is_unattended")[0]
            .read("is_unattended")
    }

    /// Accepts the clock as it is, because no process knows if it was set after the last check in `epoch`. Returns how
    /// much time seems to have passed since that check, below zero if the clock was set back. Returns nil if there was
    /// no check, or another process was first. Run it in a transaction.
    package func adoptClock(after epoch: Int, on database: isolated Connection) throws -> Duration? {
        try database.query(
            "SELECT extract(epoch FROM unchecked) AS unchecked FROM adopt_clock(\(epoch)::integer)")[0]
            .readIfPresent("unchecked")
    }
}

/// The epochs of the database's clock.
extension JobQueue {
    /// Returns the database's clock, since 1970, with its epoch and its rate.
    package func clockReading(on database: isolated Connection) throws -> ClockReading {
        let row = try database.query(
            "SELECT extract(epoch FROM clock_timestamp()) AS shown, epoch, rate FROM server_clock")[0]
        return try ClockReading(shown: row.read("shown"), epoch: row.read("epoch"), rate: row.read("rate"))
    }

    /// Moves every stored moment by `step`, because the database's clock was set by that much after `epoch`. Returns
    /// false if another process did it first. Run it in a transaction.
    package func shiftClock(by step: Duration, after epoch: Int, on database: isolated Connection) throws -> Bool {
        try database.query("SELECT shift_clock(\(epoch)::integer, \(step)::interval) AS is_first")[0].read("is_first")
    }

    /// Announces that the database's clock is slewed: it gained `step` after `epoch`, and gains `rate` seconds in each
    /// second from now on. Returns false if another process was first. Run it in a transaction.
    package func slewClock(
        by step: Duration, to rate: Double, after epoch: Int, on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            "SELECT slew_clock(\(epoch)::integer, \(step)::interval, \(rate)) AS is_first")[0].read("is_first")
    }

    /// Returns how often the database's clock was set during the last `time`.
    package func clockSteps(last time: Duration, on database: isolated Connection) throws -> [ClockStep] {
        try clockChanges("noticed_at > now() - \(time)::interval", on: database).filter(\.isSet)
    }

    /// Returns the changes of the database's clock that began the epochs after `known`, up to `last`.
    package func clockChanges(
        from known: Int, to last: Int, on database: isolated Connection
    ) throws -> [ClockStep] {
        try clockChanges("epoch > \(known)::integer AND epoch <= \(last)::integer", on: database)
    }

    /// Returns the changes of the database's clock for which the condition holds: the clock was set, or its rate changed.
    func clockChanges(_ condition: SQL, on database: isolated Connection) throws -> [ClockStep] {
        try database.query(
            """
            SELECT extract(epoch FROM noticed_at) AS noticed_at, extract(epoch FROM size) AS size, rate,
                   extract(epoch FROM clock_timestamp() - noticed_at) AS age
            FROM clock_steps
            WHERE \(part: condition)
            ORDER BY clock_steps.epoch
            """
        ).map {
            try ClockStep(
                noticedAt: $0.read("noticed_at"), size: $0.read("size"), rate: $0.read("rate"), age: $0.read("age"))
        }
    }

    /// Returns the rate of the database's clock at a moment.
    func clockRate(at moment: SQL, on database: isolated Connection) throws -> Double {
        try database.query(
            """
            SELECT coalesce((
                SELECT rate FROM clock_steps WHERE noticed_at <= \(part: moment) ORDER BY epoch DESC LIMIT 1
            ), 0) AS rate
            """)[0].read("rate")
    }
}

/// A reading of the database's clock, since 1970. An epoch ends when the clock is set, when a server with another clock
/// takes over, or when the clock runs at another rate.
package struct ClockReading: Sendable {
    package let shown: Duration
    package let epoch: Int
    /// The seconds that the clock gains in each second.
    package let rate: Double
}

/// A change of the database's clock: it was set, forwards or back, or its rate changed.
package struct ClockStep: Sendable, Hashable {
    package let noticedAt: Duration
    package let size: Duration
    /// The seconds that the clock gains in each second, from then on.
    package var rate = 0.0
    package let age: Duration

    /// A smaller step moves only the limits: nothing else counts tenths of a second.
    package static let smallest: Duration = .milliseconds(250)

    /// True if the clock was set. A slew comes in smaller steps.
    package var isSet: Bool { max(size, .zero - size) >= Self.smallest }
}

/// The last check by a coordinator that knows the clock, and the last slot that a worker took which knows it.
package struct ClockUse: Sendable {
    let checked: String
    let charged: Double

    /// True if such a process has used the clock in between. A bucket may have been removed with its limit.
    package func isNew(since first: Self) -> Bool { checked != first.checked || charged > first.charged }
}

/// A reading of the database's clock, together with a reading of a clock that is never set.
package struct ClockCheck: Sendable, Equatable {
    /// The boot of the process's host.
    package let boot: String
    /// The clock was read between these moments, in seconds since that boot.
    package let from: Double
    package let to: Double
    /// The reading, in seconds since 1970: at `to` the clock showed this or more, at `from` this or less.
    package let shown: Double

    package init(boot: String, from: Double, to: Double, shown: Double) {
        (self.boot, self.from, self.to, self.shown) = (boot, from, to, shown)
    }
}
