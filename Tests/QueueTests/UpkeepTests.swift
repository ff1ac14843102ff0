import DatabaseTesting
import Polling
import Postgres
import Queue
import Testing

@Suite(.database)
struct UpkeepTests {
    private let queue = JobQueue()

    @Test func `partitions are created ahead, take rows from the default, and are dropped whole`() async throws {
        try await Database.test.transaction { db throws in
            try db.query(
                """
                INSERT INTO calls (started_at, worker, subjects, lane, outcome)
                SELECT now() - n * interval '1 day', 1, 1, 1, 'done' FROM unnest(ARRAY[0, 1, 3, 30]) AS n
                """)
            let kept = try queue.maintainCallPartitions(ahead: 2, retention: .seconds(7 * 86_400), on: db)
            #expect(kept.made.count == 4)
            #expect(kept.dropped.isEmpty)
            let left = try rows("SELECT tableoid::regclass::text AS day FROM calls", on: db).map {
                try $0.read("day", as: String.self)
            }
            #expect(left.count == 3, "the one of last month is gone")
            #expect(left.count { $0 == "calls_default" } == 1, "the day before yesterday has no place of its own")
            #expect(try queue.maintainCallPartitions(retention: .seconds(7 * 86_400), on: db).made.isEmpty)

            try db.query(
                """
                CREATE TABLE calls_20200101 PARTITION OF calls FOR VALUES FROM ('2020-01-01Z') TO ('2020-01-02Z')
                """)
            #expect(
                try queue.maintainCallPartitions(retention: .seconds(7 * 86_400), on: db).dropped == ["calls_20200101"])
        }
    }

    @Test func `the upkeep of partitions gives up rather than block writers`() async throws {
        let database = try Database.test
        let reading = Rendezvous(of: 2)
        let done = Rendezvous(of: 2)
        async let reader: Void = database.transaction { db in
            try db.query("SELECT count(*) FROM calls")
            reading.arriveAndWait()
            done.arriveAndWait()
        }
        await reading.arrive()
        let error = await #expect(throws: DatabaseError.self) {
            try await database.transaction { db in
                _ = try queue.maintainCallPartitions(retention: .seconds(2 * 86_400), on: db)
            }
        }
        await done.arrive()
        try await reader
        #expect(error?.isWorthRetrying == true)
    }

    private func sums(on db: isolated Connection) throws -> [[Int]] {
        try db.query(
            """
            SELECT ARRAY[sum(calls), sum(subjects), sum(retries), sum(retried), sum(limited), sum(failed), sum(lost),
                         sum(voided), sum(late), sum(slipped)]::bigint[] AS sums
            FROM throughput GROUP BY lane ORDER BY lane
            """
        ).map { try $0.read("sums") }
    }

    @Test func `old minutes are merged over workers, then into hours, and no sum changes`() async throws {
        try await Database.test.run { db throws in
            try db.query(
                """
                INSERT INTO throughput (
                    minute, lane, worker, calls, subjects, retries, retried, limited, failed, lost, voided, late, slipped)
                SELECT date_trunc('minute', now()) - n * interval '7 minutes', 1 + n % 2, 1 + n % 3, n, n * 1000000, 1, 2, 3,
                       4, 5, 6, 7, 8
                FROM generate_series(0, 500) AS n
                """)
            let before = try sums(on: db)
            // In two steps, so that an existing hour is added to.
            #expect(try queue.rollUpThroughput(50, on: db) == 50)
            #expect(try queue.rollUpThroughput(10_000, on: db) > 400)
            #expect(try queue.rollUpThroughput(10_000, on: db) == 0)
            #expect(try sums(on: db) == before)
            // A minute that was merged over workers becomes old.
            try db.query(
                """
                UPDATE throughput SET minute = date_trunc('hour', now()) - interval '40 hours 7 minutes'
                WHERE ctid = (
                    SELECT ctid FROM throughput
                    WHERE worker = 0 AND minute BETWEEN now() - interval '20 hours' AND now() - interval '3 hours' LIMIT 1)
                """)
            #expect(try queue.rollUpThroughput(10_000, on: db) == 1)
            #expect(try sums(on: db) == before)
            #expect(
                try rows("SELECT FROM throughput WHERE worker <> 0 AND minute < now() - interval '122 minutes'", on: db)
                    .isEmpty)
            #expect(
                try rows("SELECT FROM throughput WHERE worker = 0 AND minute > now() - interval '2 hours'", on: db)
                    .isEmpty)
            #expect(
                try rows(
                    "SELECT FROM throughput WHERE minute < now() - interval '26 hours' AND extract(minute FROM minute) <> 0",
                    on: db
                )
                .isEmpty)
        }
    }

    private func age(_ table: String, on db: isolated Connection) throws {
        try db.query("UPDATE \(identifier: table) SET seen_at = now() - interval '1 minute'")
    }

    @Test func `no worker is declared dead for a time without any heartbeats`() async throws {
        try await Database.test.run { db throws in
            let registry = ProcessRegistry()
            let judge = try registry.register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            _ = try registry.register(.worker, name: "ada", host: "here", pid: 2, on: db)
            // The database was away for a minute, and the coordinator sends the first heartbeat after it.
            try db.query("UPDATE coordinators SET heard_since = now() - interval '1 hour'")
            try age("workers", on: db)
            try age("coordinators", on: db)
            #expect(try registry.beat(.coordinator, judge, on: db))
            try registry.rescue(by: judge, on: db)
            #expect(try registry.workers(on: db).count == 1)

            // The coordinator's heartbeats have been regular for long enough, and the worker has none.
            try db.query("UPDATE coordinators SET heard_since = now() - interval '11 seconds'")
            #expect(try registry.beat(.coordinator, judge, on: db))
            try registry.rescue(by: judge, on: db)
            #expect(try registry.workers(on: db).count == 0)

            // An unregistered process can't declare others dead.
            _ = try registry.register(.worker, name: "bob", host: "here", pid: 2, on: db)
            try age("workers", on: db)
            try registry.rescue(by: judge + 1, on: db)
            #expect(try registry.workers(on: db).count == 1)
        }
    }

    @Test func `a call that is logged while its day gets a partition waits, and is in it`() async throws {
        let database = try Database.test
        let (attached, waited) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let keeper = Task {
            try await database.transaction { db in
                try db.query("SELECT FROM keep_call_partitions(1, '90 days')")
                attached.arriveAndWait()
                waited.arriveAndWait()
            }
        }
        await attached.arrive()
        let logging = Task {
            try await database.query(
                "INSERT INTO calls (started_at, worker, subjects, lane, outcome) VALUES (now(), 1, 1, 1, 'done')")
        }
        try await pollUntil {
            try await !database.run {
                try $0.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'calls'::regclass").isEmpty
            }
        }
        await waited.arrive()
        try await keeper.value
        _ = try await logging.value
        let place = try await database.run { try rows("SELECT tableoid::regclass::text AS day FROM calls", on: $0) }
        #expect(try place.map { try $0.read("day", as: String.self) != "calls_default" } == [true])
    }
}
