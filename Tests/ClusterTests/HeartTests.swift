import DatabaseTesting
import Polling
import Postgres
import Processes
import Queue
import Schema
import Testing

@testable import Cluster

@Suite(.database)
struct HeartTests {
    /// Returns after the next heartbeat, or when the process has ended.
    private func waitForBeat(_ database: Database, orUntil hasEnded: () -> Bool = { false }) async throws {
        try await database.run { try $0.query("UPDATE workers SET seen_at = '-infinity'") }
        try await pollUntil {
            if hasEnded() { return true }
            return try await !database.run {
                try $0.query("SELECT FROM workers WHERE seen_at > '-infinity'").isEmpty
            }
        }
    }

    @Test func `a worker whose pool is busy with long statements still sends its heartbeat`() async throws {
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

    @Test func `a worker that can't reach the direct URL sends its heartbeat over the other one`() async throws {
        let database = try Database.test
        var options = Database.Options(size: 1)
        options.directURL = "host=/nowhere"
        let own = Database(url: try Database.testURL, options: options)
        try await with(worker(.everywhere, on: own, registry: ProcessRegistry(silenceLimit: .seconds(2)))) {
            for _ in 1...3 { try await waitForBeat(database) }
        }
        await own.close()
    }

    @Test func `one missed heartbeat does not end a worker, also the second time`() async throws {
        let database = try Database.test
        let registry = ProcessRegistry(silenceLimit: .seconds(2))
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: registry, database: database, log: silent)
        let hasEnded = Locked(false)
        let heart = Task {
            defer { hasEnded.withLock { $0 = true } }
            try await membership.keepAlive(outageLimit: .seconds(600))
        }
        // Waits for longer than the limit.
        for _ in 1...6 { try await waitForBeat(database) { hasEnded.withLock { $0 } } }
        // A process must remember its last heartbeat, or it would survive only the first failure.
        for _ in 1...2 {
            try await database.run { try cutHeartbeats($0) }
            for _ in 1...2 { try await waitForBeat(database) { hasEnded.withLock { $0 } } }
        }
        heart.cancel()
        try await heart.value
        await membership.leave()
    }

    /// Fails the running heartbeat, or the next one. The same happens to a process that is suspended during a
    /// heartbeat.
    private func cutHeartbeats(_ database: isolated Connection) throws {
        try database.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'UPDATE workers SET seen_at = now()%'
            """)
    }

    @Test func `a process suspended for longer than the limit tries again and rejoins`() async throws {
        let database = try Database.test
        let stopped = Locked(Duration.zero)
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(silenceLimit: .seconds(2)),
            database: database, log: silent, now: { .now + stopped.withLock { $0 } })
        let hasEnded = Locked(false)
        let heart = Task {
            defer { hasEnded.withLock { $0 = true } }
            try await membership.keepAlive(outageLimit: .seconds(600))
        }
        try await waitForBeat(database) { hasEnded.withLock { $0 } }
        for _ in 1...2 {
            let number = membership.id
            // The process is removed while suspended for an hour, and then its heartbeat fails.
            try await database.transaction { db throws in
                try db.query("LOCK TABLE workers")
                stopped.withLock { $0 += .seconds(3_600) }
                try cutHeartbeats(db)
                try db.query("DELETE FROM workers")
            }
            try await pollUntil { membership.id != number || hasEnded.withLock { $0 } }
            try await waitForBeat(database) { hasEnded.withLock { $0 } }
        }
        #expect(!hasEnded.withLock { $0 })
        heart.cancel()
        try await heart.value
        await membership.leave()
    }

    @Test func `a process suspended for longer than the limit ends if its second try fails`() async throws {
        let database = try Database.test
        let stopped = Locked(Duration.zero)
        let warnings = Locked(0)
        let log = Log(format: .logfmt) { if $0.contains("can't send a heartbeat") { warnings.withLock { $0 += 1 } } }
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(silenceLimit: .seconds(2)),
            database: database, log: log, now: { .now + stopped.withLock { $0 } })
        stopped.withLock { $0 = .seconds(3_600) }
        try await database.run { try $0.run(script: "ALTER TABLE workers RENAME TO gone") }
        await #expect(throws: ClusterError.self) { try await membership.keepAlive(outageLimit: .seconds(600)) }
        #expect(warnings.withLock { $0 } == 2)
    }

    @Test func `while the disk is full, a coordinator stays and a worker ends after its limit`() async throws {
        let database = try Database.test
        let registry = ProcessRegistry(silenceLimit: .milliseconds(500))
        let (failures, failed) = AsyncStream.makeStream(of: Void.self)
        let log = Log(format: .logfmt) { if $0.contains("can't send a heartbeat") { failed.yield() } }
        let coordinator = try await Membership.join(
            as: .coordinator, name: "c", host: .current, registry: registry, database: database, log: log)
        let worker = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: registry, database: database, log: silent)
        try await database.run(
            script: """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
                CREATE TRIGGER full_disk BEFORE UPDATE ON workers EXECUTE FUNCTION refuse();
                CREATE TRIGGER full_disk BEFORE UPDATE ON coordinators EXECUTE FUNCTION refuse();
                """)
        let hasEnded = Locked(false)
        let staying = Task {
            defer {
                hasEnded.withLock { $0 = true }
                failed.finish()
            }
            try await coordinator.keepAlive(outageLimit: nil)
        }
        await #expect(throws: ClusterError.self) { try await worker.keepAlive(outageLimit: .zero) }
        // Longer than the coordinator would have lived otherwise.
        var count = 0
        for await _ in failures {
            count += 1
            if count == 8 { break }
        }
        try await database.run { db throws in
            try db.run(script: "DROP TRIGGER full_disk ON coordinators")
            try db.query("UPDATE coordinators SET seen_at = '-infinity'")
        }
        try await pollUntil {
            if hasEnded.withLock({ $0 }) { return true }
            return try await !database.run {
                try $0.query("SELECT FROM coordinators WHERE seen_at > '-infinity'").isEmpty
            }
        }
        staying.cancel()
        try await staying.value
    }

    @Test func `a database that rejects the heartbeat ends even a process that survives outages`() async throws {
        let database = try Database.test
        let membership = try await Membership.join(
            as: .coordinator, name: "c", host: .current, registry: ProcessRegistry(silenceLimit: .milliseconds(200)),
            database: database, log: silent)
        try await database.run { try $0.run(script: "ALTER TABLE coordinators RENAME TO gone") }
        await #expect(throws: ClusterError.self) { try await membership.keepAlive(outageLimit: nil) }
    }

    @Test(arguments: [ProcessRole.coordinator, .worker])
    func `a migration that this program can't use ends the process`(role: ProcessRole) async throws {
        let database = try Database.test
        let membership = try await Membership.join(
            as: role, name: "ada", host: .current, registry: ProcessRegistry(silenceLimit: .milliseconds(400)),
            database: database, log: silent)
        let heart = Task { try await membership.keepAlive(outageLimit: nil) }
        // A process continues after a migration that is not breaking.
        try await database.query(
            "INSERT INTO schema_migrations (number, name, is_breaking) VALUES (901, 'next', false)")
        try await membership.beat()
        try await database.query(
            "INSERT INTO schema_migrations (number, name, is_breaking) VALUES (902, 'breaking', true)")
        let error = await #expect(throws: SchemaError.self) { try await heart.value }
        #expect(error == .tooNew(unknown: [902], known: Schema.scripts.migrations.count))
    }
}
