import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct FinishTests {
    // MARK: Jobs

    @Test func `a finished job is deleted, logged and counted`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1, 2, 3], batch: 3, on: db)
            #expect(try held.finish(.done(), on: db).fates == [held.jobs[0].id: .ended])
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
            let call = try rows("SELECT took, worker, subjects, outcome FROM calls", on: db)[0]
            #expect(try call.read("took") == 0.005)
            #expect(try call.read("worker") == held.ada)
            #expect(try call.read("subjects") == 3)
            #expect(try call.read("outcome") == "done")
            let counted = try rows("SELECT calls, subjects, retries, voided, late FROM throughput", on: db)[0]
            #expect(try [counted.read("calls"), counted.read("subjects")] == [1, 3])
            #expect(try [counted.read("retries"), counted.read("voided"), counted.read("late")] == [0, 0, 0])
        }
    }

    @Test func `a job that ends without a call is not counted as a call`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            _ = try held.queue.finish([JobReport(held.jobs[0], .done())], in: held.lane, by: held.ada, on: db)
            #expect(try rows("SELECT FROM calls", on: db).isEmpty)
            #expect(try value("SELECT calls AS value FROM throughput", on: db) == 0)
        }
    }

    @Test(arguments: [
        JobOutcome.done(), .moved([LeftOver(1, lane: "gazetteer")]), .retry(reason: "test"), .failed(reason: "test"),
        .snoozed(.seconds(1)), .rate(retryAfter: .seconds(1)), .quota(resetIn: .seconds(1)), .released, .void,
    ])
    func `a worker without the lease changes nothing, even when it holds the job again`(_ outcome: JobOutcome)
        async throws
    {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            try db.query("UPDATE workers SET seen_at = '-infinity'")
            #expect(try ProcessRegistry().rescue(on: db).freed == 1)
            try db.query(
                "INSERT INTO workers (id, name, host, pid) OVERRIDING SYSTEM VALUE VALUES (\(held.ada), '', '', 1)")
            try db.query("DELETE FROM calls")
            let again = try held.queue.claim(1, from: held.lane, for: held.ada, on: db).jobs
            #expect(again.map(\.id) == held.jobs.map(\.id))
            let before = try rows("SELECT jobs::text AS row FROM jobs", on: db)[0].read("row", as: String.self)

            let ends = try held.finish(outcome, on: db)
            #expect(ends.fates.isEmpty && ends.successors.isEmpty && ends.givenUp.isEmpty)
            #expect(try rows("SELECT jobs::text AS row FROM jobs", on: db)[0].read("row") == before)
            #expect(try rows("SELECT FROM calls", on: db).isEmpty)
            #expect(try rows("SELECT FROM dead_jobs", on: db).isEmpty)
            #expect(try value("SELECT sum(late) AS value FROM throughput", on: db) == 1)
            #expect(try Health(on: db).faults == 0)
            #expect(try Health(on: db).blockedFor == nil)
            #expect(
                try held.queue.finish([JobReport(again[0], .done())], in: held.lane, by: held.ada, on: db).fates.count
                    == 1)
        }
    }

    @Test func `a failed call puts its job back for later, with the failure in its history`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            #expect(
                try held.finish(.retry(reason: "the line is down", after: .seconds(60)), on: db).fates.values.first
                    == .kept)
            let row = try rows(
                """
                SELECT failures, worker, history->0->>'reason' AS reason, history->0->'worker' AS by,
                       extract(epoch FROM run_at - now()) AS pause
                FROM jobs
                """, on: db)[0]
            #expect(try row.read("failures") == 1)
            #expect(try row.readIfPresent("worker", as: Int.self) == nil)
            #expect(try row.read("reason") == "the line is down")
            #expect(try row.read("by") == held.ada)
            let pause: Double = try row.read("pause")
            #expect(pause > 59 && pause <= 61)
        }
    }

    @Test func `a job's history of a failed call equals the call log`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            try db.query("UPDATE lanes SET most_failures = 2")
            try held.finish(.retry(reason: "first"), on: db)
            let again = try held.claimAgain(on: db).jobs
            let now = try held.queue.clock(on: db)
            let report = JobReport(again[0], .retry(reason: "second"), startedAt: now, took: .milliseconds(250))
            _ = try held.queue.finish([report], in: held.lane, by: held.ada, on: db)
            let history = try #require(try held.queue.job(again[0].id, on: db)).history
            let logged = try rows(
                "SELECT extract(epoch FROM started_at) AS at, took::float8 AS took FROM calls ORDER BY started_at",
                on: db)
            #expect(history.map(\.reason) == ["first", "second"])
            #expect(try history.map(\.startedAt) == logged.map { try $0.read("at", as: Duration.self) })
            #expect(history.map(\.took) == [.milliseconds(5), .milliseconds(250)])
            #expect(try logged.map { try $0.read("took", as: Double.self) }.map { ($0 * 1_000).rounded() } == [5, 250])
        }
    }

    @Test func `the wait before a retry grows as the lane is set, randomly within its bounds`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            try db.query("UPDATE lanes SET first_retry = '2 seconds', longest_retry = '1 minute', breaker_after = 1000")
            try db.query("UPDATE lanes SET most_failures = 1000")
            var job = held.jobs[0]
            for failures in [0, 1, 3, 20] {
                var pauses: Set<Double> = []
                for _ in 1...8 {
                    try db.query("UPDATE jobs SET failures = \(failures)")
                    // In a transaction, so that now() is before the finish on any machine.
                    try db.transaction { db in
                        let report = JobReport(job, .retry(reason: ""))
                        _ = try held.queue.finish([report], in: held.lane, by: held.ada, on: db)
                        pauses.insert(try value("SELECT extract(epoch FROM run_at - now()) AS value FROM jobs", on: db))
                    }
                    job = try held.claimAgain(on: db).jobs[0]
                }
                let ceiling: Double = [0: 2, 1: 4, 3: 16, 20: 60][failures] ?? 0
                #expect(pauses.allSatisfy { $0 >= 0 && $0 <= ceiling + 1 }, "after \(failures) failures")
                #expect(pauses.count == 8)
                #expect(pauses.max() ?? 0 > ceiling / 4)
            }
        }
    }

    @Test func `a job is dead after its lane's last try, and kept with its history`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            try db.query("UPDATE lanes SET most_failures = 2")
            try held.finish(.retry(reason: "first"), on: db)
            let again = try held.claimAgain(on: db).jobs
            let ends = try held.queue.finish(
                [JobReport(again[0], .retry(reason: "second"))], in: held.lane, by: held.ada, on: db)
            #expect(ends.fates == [again[0].id: .dead])
            let dead = try rows(
                "SELECT id, failures, subjects, reason, jsonb_array_length(history) AS failed FROM dead_jobs", on: db)[
                    0]
            #expect(try dead.read("id") == again[0].id)
            #expect(try dead.read("failures") == 2)
            #expect(try dead.read("subjects") == [1])
            #expect(try dead.read("reason") == "second")
            #expect(try dead.read("failed") == 2)
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
        }
    }

    @Test func `a permanent failure makes a job dead at once`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            #expect(try held.finish(.failed(reason: "gibberish"), on: db).fates.values.first == .dead)
            #expect(try value("SELECT reason AS value FROM dead_jobs", on: db) == "gibberish")
        }
    }

    @Test func `a snoozed, released or void job is not charged a failure`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1, 2, 3], on: db)
            let ends = try held.finish(.snoozed(.seconds(100)), .released, .void, on: db)
            #expect(ends.fates.values.allSatisfy { $0 == .kept })
            let waits: [Double] = try rows(
                "SELECT extract(epoch FROM run_at - now()) AS wait FROM jobs WHERE failures = 0 AND worker IS NULL ORDER BY id",
                on: db
            ).map { try $0.read("wait") }
            #expect(waits.count == 3)
            #expect(waits[0] > 99 && waits[1] <= 0 && waits[2] <= 0)
            #expect(try rows("SELECT outcome FROM calls", on: db).map { try $0.read("outcome") } == ["snoozed"])
            #expect(try value("SELECT voided AS value FROM throughput", on: db) == 1)
        }
    }

    // MARK: Left-overs

    @Test func `a call's remaining questions become jobs in the same statement, in batches of their lane`() async throws
    {
        try await Database.test.run { db throws in
            try db.query("INSERT INTO lanes (name, batch) VALUES ('other', 2)")
            let held = try Held(Array(1...8), batch: 8, on: db)
            let again = [3, 4].map { LeftOver($0, after: .seconds(60)) }
            let elsewhere = [5, 6, 7].map { LeftOver($0, lane: "other") }
            let ends = try held.finish(.done(leftOvers: again + elsewhere), on: db)
            #expect(ends.fates == [held.jobs[0].id: .ended])
            #expect(Set(ends.successors.map(\.subjects)) == [[3, 4], [5, 6], [7]])
            let jobs = try rows(
                """
                SELECT jobs.id, lanes.name AS lane, failures, run_at > now() + interval '59 seconds' AS is_later, subjects
                FROM jobs JOIN lanes ON lanes.id = lane ORDER BY subjects
                """, on: db)
            #expect(try jobs.map { try $0.read("lane", as: String.self) } == ["gazetteer", "other", "other"])
            #expect(try jobs.map { try $0.read("failures", as: Int.self) } == [1, 0, 0])
            #expect(try jobs.map { try $0.read("is_later", as: Bool.self) } == [true, false, false])
            #expect(try Set(jobs.map { try $0.read("id", as: Int.self) }) == Set(ends.successors.map(\.id)))
        }
    }

    @Test func `a question of an import is asked to its end before the next one begins`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            // All jobs of an import have one `run_at`, and were queued before the follow-up.
            try held.scene.jobs([2, 3, 4], on: db)
            try db.query("UPDATE jobs SET run_at = now() - interval '1 hour'")
            try db.query("UPDATE jobs SET run_at = run_at + interval '1 second' WHERE subjects = '{4}'")
            try held.finish(.moved([LeftOver(1, lane: held.lane)]), on: db)
            #expect(try held.queue.list(in: held.lane, limit: 5, on: db).map(\.subjects) == [[1], [2], [3], [4]])
            let again = try held.queue.claim(1, from: held.lane, for: held.ada, on: db).jobs
            #expect(again.map(\.subjects) == [[1]])
            let report = JobReport(again[0], .moved([LeftOver(1, lane: held.lane)]), startedAt: .seconds(1))
            _ = try held.queue.finish([report], in: held.lane, by: held.ada, on: db)
            let next = try held.queue.claim(2, from: held.lane, for: held.ada, on: db).jobs
            #expect(next.map(\.subjects).sorted { $0[0] < $1[0] } == [[1], [2]])
        }
    }

    @Test func `a whole job may move to another lane`() async throws {
        try await Database.test.run { db throws in
            try db.query("INSERT INTO lanes (name, batch) VALUES ('other', 10)")
            let held = try Held([1, 2], batch: 2, on: db)
            let ends = try held.finish(.moved([LeftOver(1, lane: "other"), LeftOver(2, lane: "other")]), on: db)
            #expect(ends.successors.map(\.subjects) == [[1, 2]])
            #expect(try value("SELECT outcome AS value FROM calls", on: db) == "moved")
        }
    }

    @Test func `jobs moved to other lanes notify sleeping workers once for each lane`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await database.run { db throws in
                try db.query("INSERT INTO lanes (name) VALUES ('other'), ('third')")
                for lane in ["other", "third"] {
                    _ = try JobQueue().prepareToSleep(in: lane, for: .seconds(3_600), on: db)
                }
                let held = try Held([1, 2, 3], batch: 3, on: db)
                let onward = [LeftOver(1, lane: "other"), LeftOver(2, lane: "other"), LeftOver(3, lane: "third")]
                try held.finish(.moved(onward), on: db)
            }
        }
        #expect(heard.filter { $0.hasPrefix("waypost_jobs") }.sorted() == ["waypost_jobs other", "waypost_jobs third"])
    }

    @Test func `remaining questions after the last try are dead, and returned`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1, 2, 3], batch: 3, on: db)
            try db.query("UPDATE lanes SET most_failures = 1")
            let ends = try held.finish(.done(leftOvers: [LeftOver(2), LeftOver(3)]), on: db)
            #expect(ends.givenUp == [2, 3])
            #expect(ends.successors.isEmpty)
            #expect(try value("SELECT subjects AS value FROM dead_jobs", on: db) == [2, 3])
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
        }
    }

    @Test func `remaining questions for an unknown lane are an error, and nothing is stored`() async throws {
        let database = try Database.test
        let held = try await database.run { try Held([1], on: $0) }
        await #expect(throws: DatabaseError.self) {
            try await database.run { _ = try held.finish(.done(leftOvers: [LeftOver(1, lane: "nowhere")]), on: $0) }
        }
        #expect(try await database.run { try $0.query("SELECT FROM jobs WHERE worker IS NOT NULL").count } == 1)
    }

    // MARK: Crashes

    @Test func `a session that ends between any two statements leaves everything as it was`() async throws {
        let database = try Database.test
        let held = try await database.run { db throws in
            let held = try Held([1, 2], on: db)
            try held.queue.setLimits([try #require(RateLimit(text: "5/s"))], of: held.lane, on: db)
            try held.scene.jobs([3], on: db)
            return held
        }
        struct Crash: Error {}
        func state() async throws -> [String] {
            try await database.run { db throws in
                try ["jobs", "token_buckets", "calls", "throughput", "dead_jobs", "lanes"].map { table in
                    try value(
                        "SELECT coalesce(string_agg(row::text, ' ' ORDER BY row::text), '') AS value FROM \(identifier: table) AS row",
                        on: db)
                }
            }
        }
        let before = try await state()
        await #expect(throws: Crash.self) {
            try await database.transaction { db throws in
                #expect(try held.queue.claim(1, from: held.lane, for: held.ada, on: db).jobs.count == 1)
                throw Crash()
            }
        }
        #expect(try await state() == before)
        await #expect(throws: Crash.self) {
            try await database.transaction { db throws in
                #expect(try held.finish(.done(), .retry(reason: "down"), on: db).fates.count == 2)
                throw Crash()
            }
        }
        #expect(try await state() == before)
    }
}
