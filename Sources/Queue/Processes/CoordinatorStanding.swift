package import Postgres

/// The state of a coordinator in its cluster.
package struct CoordinatorStanding: Sendable {
    /// It is registered, and its last heartbeat is within the silence limit.
    package let isHeard: Bool
    /// Some coordinator leads: this one or another.
    package let isLed: Bool

    package init(isHeard: Bool, isLed: Bool) {
        self.isHeard = isHeard
        self.isLed = isLed
    }
}

extension ProcessRegistry {
    package func standing(
        ofCoordinatorAt host: String, pid: Int, on database: isolated Connection
    ) throws -> CoordinatorStanding {
        let row = try database.query(
            """
            SELECT EXISTS (
                       SELECT FROM coordinators
                       WHERE host = \(host) AND pid = \(pid) AND seen_at > now() - \(silenceLimit)::interval
                   ) AS is_heard,
                   EXISTS (
                       SELECT FROM leadership JOIN coordinators ON coordinators.id = coordinator WHERE until > now()
                   ) AS is_led
            """)[0]
        return try CoordinatorStanding(isHeard: row.read("is_heard"), isLed: row.read("is_led"))
    }
}
