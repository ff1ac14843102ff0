import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// The clock of a database without processes, which is set meanwhile.
@Suite(.database)
struct AdoptedClockTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    /// Makes a lane of ten tokens, a waiting job, a held job, processes and a leader, with times of one moment. The
    /// clock now shows `later` seconds more. The last clock check was at that moment too.
    private func prepare(_ later: Double, on db: isolated Connection) throws {
        let past = Duration.seconds(-later)
        let ada = try scene.worker(on: db)
        try scene.jobs([1, 2, 3], on: db)
        try scene.limit("1/s:burst=10", on: db)
        _ = try scene.registry.register(.coordinator, name: "c", host: "h", pid: 1, on: db)
        let now: Double = try value("SELECT extract(epoch FROM clock_timestamp())::float8 AS value", on: db)
        try queue.confirmClock(of: 0, for: ada, ClockCheck(boot: "another", from: 1, to: 1, shown: now - later), on: db)
        try db.query("UPDATE workers SET seen_at = clock_timestamp() + \(past)::interval")
        try db.query("UPDATE coordinators SET seen_at = clock_timestamp() + \(past)::interval, heard_since = seen_at")
        try db.query("UPDATE leadership SET until = clock_timestamp() + \(past)::interval + interval '10 seconds'")
        try db.query(
            """
            UPDATE jobs SET run_at = clock_timestamp() + \(past)::interval
                + CASE WHEN subjects = '{1}' THEN interval '1000 seconds' ELSE '0' END
            """)
        try db.query(
            """
            UPDATE jobs SET worker = \(ada), lease = 1, starts_at = clock_timestamp() + \(past)::interval
            WHERE subjects = '{3}'
            """)
        try db.query(
            """
            UPDATE lanes SET blocked_because = 'test',
                blocked_until = clock_timestamp() + \(past)::interval + interval '60 seconds'
            """)
        // Four tokens are missing.
        try db.query(
            """
            UPDATE token_buckets SET full_at = clock_timestamp() + \(past)::interval + interval '4 seconds', worker = \(ada)
            """)
    }

    private func seconds(_ what: String, of table: String, on db: isolated Connection) throws -> [Double] {
        try db.query(
            "SELECT extract(epoch FROM \(identifier: what) - clock_timestamp())::float8 AS value FROM \(identifier: table)"
        ).map { try $0.read("value") }
    }

    @Test(arguments: [600.0, 3, 0, -3, -600])
    func `after an unmeasured clock step, buckets keep their tokens and no time is too far ahead`(
        _ later: Double
    ) async throws {
        try await Database.test.run { db throws in
            try prepare(later, on: db)
            let unchecked = try #require(try queue.adoptClock(after: 0, on: db))
            #expect(abs(unchecked / .seconds(1) - later) < 3)
            #expect(try queue.adoptClock(after: 0, on: db) == nil)
            #expect(abs(try seconds("full_at", of: "token_buckets", on: db)[0] - 4) < 3)
            #expect(try seconds("seen_at", of: "workers", on: db)[0] <= 0)
            #expect(try seconds("seen_at", of: "coordinators", on: db)[0] <= 0)
            #expect(try seconds("until", of: "leadership", on: db)[0] <= 0)
            // The longest wait before a retry is five minutes.
            #expect(try seconds("run_at", of: "jobs", on: db).allSatisfy { $0 <= 300 })
            #expect(try seconds("blocked_until", of: "lanes", on: db)[0] <= 70)
            #expect(
                try db.query("SELECT FROM jobs WHERE worker IS NOT NULL AND starts_at < clock_timestamp() + '4 s'")
                    .count
                    == 1)
            let steps = try queue.clockSteps(last: .seconds(3_600), on: db)
            #expect(steps.count == (later < 0 ? 1 : 0))
            #expect(steps.allSatisfy { abs($0.size / .seconds(1) - later) < 3 })
        }
    }

    @Test func `after a clock step, a full bucket stays full, and one charged without a check is empty`() async throws {
        try await Database.test.run { db throws in
            try prepare(600, on: db)
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() - interval '601 seconds'")
            _ = try queue.adoptClock(after: 0, on: db)
            #expect(abs(try seconds("full_at", of: "token_buckets", on: db)[0]) < 3)
            // The state that programs of earlier versions left.
            try db.query("UPDATE token_buckets SET worker = 1")
            _ = try queue.adoptClock(after: 1, on: db)
            #expect(abs(try seconds("full_at", of: "token_buckets", on: db)[0] - 16) < 3)
        }
    }

    @Test func `a bucket keeps its tokens as of the last claim by a worker that knew the clock`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...4), on: db)
            try scene.limit("1/min:burst=10", on: db)
            let now = try queue.clockReading(on: db).shown
            // Checked an hour ago.
            try queue.confirmClock(
                of: 0, for: ada, ClockCheck(boot: "b", from: 1, to: 1, shown: now / .seconds(1) - 3_600), on: db)
            let use = try queue.clockUse(on: db)
            let claim = try queue.claim(
                4, from: scene.lane, for: ada,
                expecting: ExpectedClock(epoch: 0, earliest: now - .seconds(1), latest: now + .seconds(60)), on: db)
            #expect(claim.jobs.count == 4)
            #expect(try queue.clockUse(on: db).isNew(since: use))
            _ = try queue.adoptClock(after: 0, on: db)
            #expect(abs(try seconds("full_at", of: "token_buckets", on: db)[0] - 240) < 4)
        }
    }

    @Test func `after a restore, each bucket is empty, no lease is used again, and no process is waited for`()
        async throws
    {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2], on: db)
            try scene.limit("1/s:burst=10", on: db)
            let before = try queue.claim(1, from: scene.lane, for: ada, on: db).jobs[0].lease
            // Full at the moment of the backup.
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() - interval '1 hour'")
            _ = try scene.registry.register(.coordinator, name: "c", host: "h", pid: 1, on: db)
            try db.query("UPDATE leadership SET coordinator = 1, until = now() + interval '1 minute'")
            try queue.beginAfterRestore(on: db)
            // No process of that moment is waited for, and its jobs are freed.
            #expect(try queue.isUnattended(on: db))
            #expect(try scene.registry.rescue(on: db).freed == 1)
            let next = try scene.registry.register(.coordinator, name: "d", host: "h", pid: 2, on: db)
            #expect(try Leadership().acquire(for: next, within: .seconds(10), on: db) != nil)
            let bob = try scene.worker("bob", on: db)
            // 10 s for the burst, and 6 s for slots that were promised.
            #expect(abs(try seconds("full_at", of: "token_buckets", on: db)[0] - 16) < 3)
            #expect(try queue.claim(1, from: scene.lane, for: bob, on: db).jobs.isEmpty)
            try scene.limit(on: db)
            #expect(try queue.claim(1, from: scene.lane, for: bob, on: db).jobs[0].lease > before + 1_000_000)
        }
    }

    @Test func `after a step forwards, no bucket is further ahead than an empty one`() async throws {
        try await Database.test.run { db throws in
            try scene.limit("1/s:burst=10", on: db)
            // On a host that booted with a clock 600 s behind, which is then set right.
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() + interval '1 second'")
            #expect(try queue.shiftClock(by: .seconds(600), after: 0, on: db))
            let ahead = try seconds("full_at", of: "token_buckets", on: db)[0]
            #expect(ahead > 14 && ahead < 17)
        }
    }

    /// The clock was set forwards by half a second at the tenth second, and this was noticed 0.3 s later.
    @Test(arguments: [
        // On the old clock, by a worker that had not noticed the step, before and after others did.
        (9.9, 0, 9.9), (10.2, 0, 10.2), (10.4, 0, 10.9),
        // On the new clock, by a worker that had noticed the step, for calls before and after it.
        (10.3, 1, 9.8), (10.7, 1, 10.2), (10.9, 1, 10.9),
    ])
    func `the log dates calls by the clock of their time of sending`(
        _ told: Double, _ epoch: Int, _ logged: Double
    ) async throws {
        try await Database.test.transaction { db throws in
            let held = try Held([1], on: db)
            try db.query("UPDATE server_clock SET epoch = 1")
            try db.query("INSERT INTO clock_steps (epoch, size, noticed_at) VALUES (1, '0.5 s', to_timestamp(10.8))")
            let report = JobReport(
                held.jobs[0], .done(), startedAt: .seconds(told), took: .milliseconds(1), epoch: epoch)
            _ = try queue.finish([report], in: held.lane, by: held.ada, on: db)
            let at: Double = try value("SELECT extract(epoch FROM started_at)::float8 AS value FROM calls", on: db)
            #expect(abs(at - logged) < 1e-5)
        }
    }
}
