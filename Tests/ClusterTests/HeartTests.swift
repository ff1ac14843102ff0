import DatabaseTesting
import Operations
import Postgres
import Queue
import Testing

@testable import Cluster

@Suite(.database, .timeLimit(.minutes(5)))
struct HeartTests {
    /// Returns when the process has been heard of from now on, or will not be heard of any more.
    private func waitForBeat(_ database: Database, orUntil hasEnded: () -> Bool = { false }) async throws {
        try await database.run { try $0.query("UPDATE workers SET seen_at = '-infinity'") }
        while !hasEnded(),
            try await database.run({ try $0.query("SELECT FROM workers WHERE seen_at > '-infinity'").isEmpty })
        {
            await Task.yield()
        }
    }

    @Test func `a worker whose pool is taken by long statements is heard all the same`() async throws {
        let database = try Database.test
        let own = Database(url: try Database.testURL, options: .init(size: 1))
        let registry = ProcessRegistry(silenceLimit: .milliseconds(400))
        try await with(worker(.everywhere, on: own, registry: registry)) { () async throws in
            let (taken, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
            let statement = Task {
                try await own.run { _ in
                    taken.arriveAndWait()
                    over.arriveAndWait()
                }
            }
            await taken.arrive()
            for _ in 1...5 { try await waitForBeat(database) }
            await over.arrive()
            try await statement.value
        }
        await own.close()
    }

    @Test func `a heart that was heard until now may miss a beat, each time`() async throws {
        let database = try Database.test
        let registry = ProcessRegistry(silenceLimit: .seconds(2))
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: registry, database: database, log: silent)
        let hasEnded = Locked(false)
        let heart = Task {
            defer { hasEnded.withLock { $0 = true } }
            try await membership.keepAlive(throughOutages: false)
        }
        // For longer than the limit.
        for _ in 1...6 { try await waitForBeat(database) { hasEnded.withLock { $0 } } }
        // Whoever forgets that it was heard forgives itself the first failure only.
        for _ in 1...2 {
            try await database.run {
                try $0.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'UPDATE workers SET seen_at = now()%'
                    """)
            }
            for _ in 1...2 { try await waitForBeat(database) { hasEnded.withLock { $0 } } }
        }
        heart.cancel()
        try await heart.value
        await membership.leave()
    }

    @Test func `a database that answers, and will not have the heartbeat, ends even who stays through outages`()
        async throws
    {
        let database = try Database.test
        let membership = try await Membership.join(
            as: .coordinator, name: "c", host: .current, registry: ProcessRegistry(silenceLimit: .milliseconds(200)),
            database: database, log: silent)
        try await database.run { try $0.run(script: "ALTER TABLE coordinators RENAME TO gone") }
        await #expect(throws: ClusterError.self) { try await membership.keepAlive(throughOutages: true) }
    }
}
