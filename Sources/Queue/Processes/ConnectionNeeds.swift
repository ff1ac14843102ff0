/// The most connections to PostgreSQL that processes take.
package struct ConnectionNeeds: Sendable {
    package let worker: Int
    /// With the API.
    package let coordinator: Int

    /// For `WAYPOST_CONNECTIONS`, and the part of it that is for work.
    package init(connections: Int, work: Int) {
        worker = Self.process(work: work)
        coordinator = Self.process(work: work) + Self.api(pool: connections)
    }

    /// One for the heartbeats, and those of the pool. An idle worker keeps only the first one.
    package static func process(work: Int) -> Int { 1 + work }

    /// The pools of callers and of operators, one to check the database, and one to read the metrics.
    package static func api(pool: Int) -> Int { pool + admin(pool: pool) + 2 }

    package static func admin(pool: Int) -> Int { min(pool, 4) }
}
