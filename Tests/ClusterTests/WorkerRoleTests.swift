import Cluster
import DatabaseTesting
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// A whole cluster under the worker's role.
@Suite(.database)
struct WorkerRoleTests {
    @Test func `a worker claims, calls and records under the worker's role`() async throws {
        let database = try Database.test(as: "waypost_worker")
        try await fill(Database.test, with: 20)
        try await with(worker(.everywhere, on: database)) {
            try await pollUntil { try await counts(Database.test).located == 20 }
        }
        await database.close()
    }

    @Test func `a coordinator performs each act under the worker's role`() async throws {
        let lines = Locked<[String]>([])
        let database = try Database.test(as: "waypost_worker")
        let coordinator = Coordinator(
            name: "c", database: database, registry: ProcessRegistry(),
            log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } })
        try await Database.test.run { db throws in
            try db.query("INSERT INTO accounts (name) VALUES ('ada')")
            try db.query("INSERT INTO friends (account, source_key, name) SELECT id, 'k', 'n' FROM accounts")
            try db.query("INSERT INTO addresses (friend, position, city) SELECT id, 1, 'Reno' FROM friends")
            // An expired answer, a silent worker with a job, a slowed lane, an old minute and an old day.
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, geocoded_at, expires_at)
                VALUES (sha256('x'), '', 'Elko', '', '', '', 'not_found', now(), now())
                """)
            try db.query(
                "INSERT INTO workers (name, host, pid, seen_at) VALUES ('w', 'h', 1, now() - interval '1 hour')")
            try db.query(
                """
                INSERT INTO jobs (lane, subjects, worker, lease, starts_at, losses)
                SELECT lanes.id, '{1}', workers.id, 1, now(), 100 FROM lanes, workers
                """)
            try db.query(
                "INSERT INTO token_buckets (lane, per, refill, capacity) SELECT id, '1 second', 1, 1 FROM lanes")
            try db.query(
                "INSERT INTO throughput (minute, lane, worker, calls, subjects) VALUES (now() - interval '3 days', 1, 1, 1, 1)"
            )
            try db.query(
                "INSERT INTO calls (started_at, worker, subjects, lane, outcome) VALUES (now() - interval '30 days', 1, 1, 1, 'done')"
            )
        }
        let id = try await database.run { db throws in
            try ProcessRegistry().register(.coordinator, name: "c", host: "here", pid: 1, on: db)
        }
        try await Database.test.query(
            "UPDATE coordinators SET heard_since = now() - interval '1 hour', seen_at = now() + interval '1 minute'"
        )
        var duty = CoordinatorDuty()
        while try await coordinator.round(duty: &duty, as: id, at: .now) {}
        while try await coordinator.round(duty: &duty, as: id, at: .now + .seconds(3_600)) {}
        #expect(lines.withLock { $0 }.filter { $0.contains("an act failed") } == [])
        try await Database.test.run { db throws in
            #expect(try rows("SELECT FROM addresses WHERE hash IS NULL", on: db).isEmpty)
            #expect(try rows("SELECT FROM geocodes WHERE job IS NULL", on: db).isEmpty)
            #expect(try rows("SELECT FROM workers", on: db).isEmpty)
            #expect(try rows("SELECT FROM dead_jobs", on: db).count == 1)
            #expect(try rows("SELECT FROM throughput WHERE worker = 0", on: db).count == 1)
            #expect(try rows("SELECT FROM calls WHERE outcome = 'done'", on: db).isEmpty)
            #expect(try rows("SELECT FROM pg_class WHERE relname ~ '^calls_[0-9]{8}$'", on: db).count >= 3)
            #expect(try rows("SELECT FROM pg_class WHERE relname ~ '^fixes_[0-9]{8}$'", on: db).count >= 3)
        }
        await database.close()
    }
}
