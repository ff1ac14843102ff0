import FoundationEssentials
package import Postgres
import Processes

/// Finds the causes that slow or stop a cluster.
package struct Doctor: Sendable {
    let queue: JobQueue
    let registry: ProcessRegistry
    let needs: ConnectionNeeds

    /// A transaction that is open for longer is reported.
    let longTransaction: Duration

    package init(
        queue: JobQueue = JobQueue(), registry: ProcessRegistry = ProcessRegistry(),
        needs: ConnectionNeeds = ConnectionNeeds(connections: 4, work: 2), longTransaction: Duration = .seconds(60)
    ) {
        self.queue = queue
        self.registry = registry
        self.needs = needs
        self.longTransaction = longTransaction
    }

    /// Examines the server's own views, so a lock on one of our tables can't stop it. Changes nothing.
    package func examineServer(on database: isolated Connection) throws -> [Finding] {
        try [connections(on: database)] + timeLimits(on: database) + transactions(on: database)
    }

    /// Examines our own tables. Changes nothing.
    package func examine(on database: isolated Connection) throws -> [Finding] {
        let lanes = try queue.lanes(on: database)
        let workers = try registry.workers(on: database)
        return try [
            copy(on: database),
            [clock(on: database)],
            clockSteps(on: database),
            deadRows(on: database),
            partitions(on: database),
            [leader(on: database)],
            [silence(of: workers)],
            [listeners(for: workers, on: database)],
            [connectionNeeds(of: workers.count, coordinators: registry.coordinators(on: database).count, on: database)],
            lanes.map { self.service(of: $0) },
            lanes.compactMap { self.closure(of: $0) },
            calls(of: lanes, on: database),
            lanes.compactMap { self.punctuality(of: $0) },
        ].flatMap(\.self)
    }

    /// The database's clock decides everything; this host's clock is only shown in logs and tables.
    private func clock(on database: isolated Connection) throws -> Finding {
        let asked = now()
        let told: Duration = try database.query("SELECT extract(epoch FROM clock_timestamp()) AS now")[0].read("now")
        let answered = now()
        return Self.clock(skew: (asked + answered) / 2 - told, roundTrip: answered - asked)
    }

    static func clock(skew: Duration, roundTrip: Duration) -> Finding {
        let milliseconds = Int(clamping: skew / .milliseconds(1))
        let text =
            "this host's clock is \(abs(milliseconds)) ms \(milliseconds < 0 ? "behind" : "ahead of") PostgreSQL's"
        let certain = (skew < .zero ? .zero - skew : skew) - roundTrip / 2
        guard certain > .seconds(1) else { return .ok("clock", text) }
        return .warning(
            "clock", text, "let NTP set both. Nothing is decided by this clock, but logs and tables seem to disagree")
    }

    private func now() -> Duration {
        Duration(clampingSeconds: Date.now.timeIntervalSince1970)
    }
}
