package import Postgres
package import Processes

/// The state of a worker or coordinator while it runs, for health checks and metrics.
package final class ProcessVitals: Sendable {
    private struct State {
        var membership: Membership?
        var isStopping = false
        /// Why the database refuses answers, by lane.
        var refusals: [String: String] = [:]
    }

    private let state = Locked(State())

    package init() {}

    func begin(_ membership: Membership) { state.withLock { $0.membership = membership } }
    func stop() { state.withLock { $0.isStopping = true } }

    /// Notes that answers of a lane wait because the database refuses them; nil means that it has stored them.
    func note(refusal: String?, ofAnswersIn lane: String) { state.withLock { $0.refusals[lane] = refusal } }

    /// The reasons why it can't do its work at present; empty if it can.
    package var reasonsNotReady: [String] {
        let state = state.withLock { $0 }
        guard let membership = state.membership else { return ["it is not registered yet"] }
        return [
            state.isStopping ? "it is stopping" : nil,
            membership.isHeard ? nil : "the database has received no heartbeat for \(membership.silence.text)",
        ].compactMap(\.self)
            + state.refusals.sorted { $0.key < $1.key }.map { "the database refuses the answers of lane \($0): \($1)" }
    }

    /// Exports the age of this process's last heartbeat.
    package func export(to metrics: Metrics) {
        metrics.gauge("waypost_heartbeat_age_seconds", "Since the database last heard this process.")[].read {
            [state] in
            state.withLock { $0.membership }.map { $0.silence / .seconds(1) } ?? 0
        }
    }

    /// Exports if the database acknowledges this process's heartbeats, for a process without ``ClusterMetrics``.
    package func exportDatabase(to metrics: Metrics) {
        metrics.gauge("waypost_database_up", "1 where the database answers this process, else 0.")[].read { [state] in
            state.withLock { $0.membership }?.isHeard == true ? 1 : 0
        }
    }
}

extension Database {
    /// Exports the use of this pool under a name.
    package func export(as pool: String, to metrics: Metrics) {
        let connections = metrics.gauge(
            "waypost_database_connections", "Connections of a pool, by whether they are lent.", labels: "pool", "state")
        connections[pool, "busy"].read { [self] in Double(use.busy) }
        connections[pool, "idle"].read { [self] in Double(use.idle) }
        metrics.gauge(
            "waypost_database_connections_max", "The most connections that a pool opens.", labels: "pool")[pool]
            .set(Double(size))
        metrics.gauge(
            "waypost_database_waiters", "Callers that wait for a connection of a pool.", labels: "pool")[pool]
            .read { [self] in Double(use.waiting) }
    }
}
