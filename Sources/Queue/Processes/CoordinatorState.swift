package import Postgres

/// A running coordinator process, as other processes see it.
package struct CoordinatorState: Sendable {
    package let host: String
    package let pid: Int
    package let leads: Bool
    /// The time since it started, and since its last heartbeat, on the database's clock.
    package let age: Duration
    package let silence: Duration
}

extension ProcessRegistry {
    /// Returns the registered coordinators, oldest first.
    package func coordinators(on database: isolated Connection) throws -> [CoordinatorState] {
        try database.query(
            """
            SELECT host, pid,
                   EXISTS (SELECT FROM leadership WHERE coordinator = coordinators.id AND until > now()) AS leads,
                   extract(epoch FROM now()) - extract(epoch FROM started_at) AS age,
                   extract(epoch FROM now()) - extract(epoch FROM seen_at) AS silence
            FROM coordinators
            ORDER BY id
            """
        ).map {
            try CoordinatorState(
                host: $0.read("host"), pid: $0.read("pid"), leads: $0.read("leads"), age: $0.read("age"),
                silence: $0.read("silence"))
        }
    }
}
