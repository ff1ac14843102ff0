import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct ThroughputTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    /// Logs calls that left this many seconds ago.
    private func log(
        _ calls: [(ago: Double, outcome: String)], worker: WorkerID = 1, subjects: Int = 1, on db: isolated Connection
    ) throws {
        try db.query(
            """
            INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
            SELECT now() - ago * interval '1 second', 0.1, 1, \(worker)::integer, \(subjects)::integer, outcome::call_outcome
            FROM unnest(\(calls.map(\.ago)), \(calls.map(\.outcome))) AS call (ago, outcome)
            """)
    }

    private func lane(on db: isolated Connection) throws -> Throughput.Lane {
        try #require(try queue.throughput(on: db).lanes.first { $0.name == scene.lane })
    }

    @Test func `recent calls are counted by their time of sending and by their outcome`() async throws {
        try await Database.test.transaction { db throws in
            try log(
                [
                    (1, "done"), (9, "moved"), (5, "snoozed"), (2, "retry"), (3, "rate"), (4, "quota"), (6, "failed"),
                    (7, "lost"), (11, "done"), (59, "done"), (61, "done"),
                ], subjects: 10, on: db)
            let spans = try lane(on: db).spans
            let seconds = try #require(spans[.tenSeconds]?.counts)
            #expect(
                [seconds.answered, seconds.retried, seconds.limited, seconds.failed, seconds.lost] == [3, 1, 2, 1, 1])
            #expect(seconds.subjects == 30, "a snoozed call dealt with nothing yet")
            #expect(seconds.calls == 8)
            #expect(spans[.minute]?.counts.calls == 10)
            #expect(spans[.minute]?.callsPerSecond == 10.0 / 60)
        }
    }

    @Test func `a running call counts, and one whose slot is still ahead doesn't`() async throws {
        try await Database.test.transaction { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2, 3], on: db)
            let jobs = try queue.claim(3, from: scene.lane, for: ada, on: db).jobs
            #expect(jobs.count == 3)
            try db.query("UPDATE jobs SET starts_at = now() + interval '1 second' WHERE id = \(jobs[0].id)")
            try db.query("UPDATE jobs SET starts_at = now() - interval '5 seconds' WHERE id = \(jobs[1].id)")
            try db.query("UPDATE jobs SET starts_at = now() - interval '90 seconds' WHERE id = \(jobs[2].id)")
            let throughput = try queue.throughput(on: db)
            let worker = try #require(throughput.workers.first { $0.id == ada })
            for spans in [try lane(on: db).spans, worker.spans] {
                #expect(spans[.tenSeconds]?.counts.underWay == 1)
                #expect(spans[.minute]?.counts.calls == 1)
                #expect(spans[.hour]?.counts.underWay == 2)
            }
            #expect(try queue.lane(scene.lane, on: db).callsLastMinute == 1)
        }
    }

    @Test func `the end of a call moves it from running to its outcome, and it stays one call`() async throws {
        try await Database.test.transaction { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...6), on: db)
            let jobs = try queue.claim(6, from: scene.lane, for: ada, on: db).jobs
            try db.query("UPDATE jobs SET starts_at = now() - interval '2 seconds'")
            let now: Double = try db.query("SELECT extract(epoch FROM now())::float8 AS now")[0].read("now")
            let outcomes: [JobOutcome] = [
                .done(), .retry(reason: "x"), .failed(reason: "x"), .rate(retryAfter: .seconds(1)), .void,
            ]
            var reports = zip(jobs, outcomes).map {
                JobReport($0, $1, startedAt: .seconds(now - 2), took: .seconds(1))
            }
            reports[4] = JobReport(jobs[4], .void)
            _ = try queue.finish(reports, in: scene.lane, by: ada, on: db)
            let spans = try lane(on: db).spans
            for span in ThroughputSpan.allCases {
                let counts = try #require(spans[span]?.counts)
                #expect(
                    [counts.answered, counts.retried, counts.failed, counts.limited, counts.underWay] == [
                        1, 1, 1, 1, 1,
                    ],
                    "\(span)")
                #expect(counts.subjects == 2)
            }
        }
    }

    @Test func `calls of a vanished worker count as lost`() async throws {
        try await Database.test.transaction { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2], on: db)
            _ = try queue.claim(2, from: scene.lane, for: ada, on: db)
            try db.query("UPDATE jobs SET starts_at = now() - interval '2 seconds'")
            try scene.registry.leave(.worker, ada, on: db)
            let spans = try lane(on: db).spans
            for span in ThroughputSpan.allCases {
                #expect(spans[span]?.counts.lost == 2)
                #expect(spans[span]?.counts.calls == 2)
            }
        }
    }

    @Test func `the permitted calls of a time include refill and, for a longer period, the burst`() throws {
        func permitted(_ texts: String..., pace: Double = 1, in seconds: Double) -> Double? {
            texts.compactMap(RateLimit.init(text:)).map { LimitState($0, pace: pace, fullIn: 0) }
                .permitted(in: seconds)
        }
        #expect(permitted(in: 10) == nil)
        #expect(permitted("10/s", in: 10) == 100)
        #expect(permitted("10/s", pace: 0.5, in: 60) == 300)
        #expect(permitted("10/s", "2400/d:burst=2400", in: 86_400) == 2_400)
        let tenSeconds = try #require(permitted("100/s", "2400/d:burst=2400", in: 10))
        #expect(tenSeconds == 1_000)
        let hour = try #require(permitted("1/s", "2400/d:burst=2400", in: 3_600))
        #expect(hour == 2_500)
    }

    @Test func `a history has a step for each minute, also for lanes that did nothing`() async throws {
        try await Database.test.transaction { db throws in
            try db.query("INSERT INTO lanes (name) VALUES ('idle')")
            try db.query(
                """
                INSERT INTO throughput (minute, lane, worker, calls, subjects, retried, limited, failed, lost)
                SELECT date_trunc('minute', now()) - ago * interval '1 minute', 1, worker, 10, 20, 1, 2, 3, 1
                FROM (VALUES (0, 1), (1, 1), (1, 2), (59, 1), (60, 1)) AS done (ago, worker)
                """)
            let history = try queue.history(.hour, on: db)
            let steps = try #require(history.lanes.first { $0.name == scene.lane }?.steps)
            #expect(steps.count == 60)
            #expect(steps.map(\.calls).reduce(0, +) == 40)
            #expect([steps[59].calls, steps[58].calls, steps[0].calls] == [10, 20, 10])
            #expect([steps[59].answered, steps[59].retried, steps[59].limited] == [3, 1, 2])
            #expect(steps[58].subjects == 40)
            let idle = try #require(history.lanes.first { $0.name == "idle" }?.steps)
            #expect(idle.count == 60 && idle.allSatisfy { $0.calls == 0 })
            #expect(history.lastSeconds <= 60)
            for span in HistorySpan.allCases {
                let history = try queue.history(span, on: db)
                #expect(history.lanes[0].steps.count == span.length / span.step)
                #expect(history.lanes[0].steps.map(\.calls).reduce(0, +) >= 40, "\(span)")
            }
        }
    }

    /// Adds jobs of which nine in ten are due.
    private func add(_ count: Int, on db: isolated Connection) throws {
        try db.query(
            """
            INSERT INTO jobs (lane, subjects, run_at)
            SELECT 1, ARRAY[n], now() + CASE WHEN n % 10 = 0 THEN interval '1 hour' ELSE '-1 minute' END
            FROM generate_series(1, \(count)) AS n
            """)
    }

    @Test func `a large backlog is counted by the leader, and by the reader when that count is old`() async throws {
        try await Database.test.transaction { db throws in
            try add(5_000, on: db)
            #expect(try queue.noteBacklogs(on: db) == 0)
            try add(1_000, on: db)
            let uncounted = try queue.lane(scene.lane, on: db)
            #expect([uncounted.ready, uncounted.later] == [5_400, 600], "nobody counted, so it was counted now")
            #expect(uncounted.countedAt <= uncounted.asOf)

            #expect(try queue.noteBacklogs(on: db) == 1)
            #expect(try queue.noteBacklogs(on: db) == 0, "it was counted just now")
            try db.query("DELETE FROM jobs WHERE subjects[1] > 900")
            try add(4_000, on: db)
            #expect(try queue.lane(scene.lane, on: db).ready == 5_400, "the number that was noted")
            try db.query("UPDATE backlogs SET counted_at = now() - interval '2 minutes'")
            let now = try queue.lane(scene.lane, on: db)
            #expect([now.ready, now.later] == [5_220, 580], "too old a number is not shown")
            let waited = try #require(now.oldestWaited)
            #expect(waited >= .seconds(60) && waited < .seconds(600))

            try db.query("DELETE FROM jobs WHERE subjects[1] > 10")
            #expect(try queue.lane(scene.lane, on: db).ready == 27)
            #expect(try queue.noteBacklogs(on: db) == 0)
            #expect(try db.query("SELECT FROM backlogs").isEmpty)
        }
    }

    @Test func `many dead jobs are a large backlog too`() async throws {
        try await Database.test.transaction { db throws in
            try db.query(
                """
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason)
                SELECT n, 1, 1, 5, 0, ARRAY[n], 'x' FROM generate_series(1, 5001) AS n
                """)
            #expect(try queue.noteBacklogs(on: db) == 1)
            try db.query("DELETE FROM dead_jobs WHERE id < 10 AND id > 8")
            let lane = try queue.lane(scene.lane, on: db)
            #expect([lane.dead, lane.ready] == [5_000, 0])
        }
    }
}
