import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct WakeUpTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }
    private let told = "waypost_jobs gazetteer"

    /// Finds the lane empty and falls asleep.
    private func sleep(_ database: Database) async throws {
        #expect(try await firstAdvice(database) == .again)
        #expect(try await advice(database) == .sleep)
    }

    private func firstAdvice(_ database: Database) async throws -> SleepAdvice {
        try await database.run { try queue.prepareToSleep(in: lane, for: .seconds(3_600), on: $0) }
    }

    /// The advice after the mark was left. A slow machine leaves several, because each is only good for a while.
    private func advice(_ database: Database) async throws -> SleepAdvice {
        while true {
            let advice = try await firstAdvice(database)
            if advice != .again { return advice }
        }
    }

    /// Enqueues in its own transaction, which ends when `body` does.
    private func whileEnqueueing(
        _ subject: Int, in database: Database, _ alsoRun: String = "", _ body: () async throws -> Void
    ) async throws {
        let (queued, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let enqueue: Void = database.transaction { db in
            defer { over.arriveAndWait() }
            _ = try queue.enqueue([subject], in: lane, on: db)
            try db.run(script: alsoRun)
            queued.arriveAndWait()
        }
        await queued.arrive()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await over.arrive()
        try await enqueue
        try outcome.get()
    }

    @Test func `sleeping workers are notified once of jobs, and busy ones are not`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await database.run { _ = try scene.jobs([1], on: $0) }
            let ada = try await database.run { try scene.worker(on: $0) }
            try await database.run { _ = try queue.claim(10, from: lane, for: ada, on: $0) }
            try await sleep(database)
            for subject in 2...9 { try await database.run { _ = try queue.enqueue([subject], in: lane, on: $0) } }
        }
        #expect(heard.filter { $0 == told }.count == 1)
    }

    @Test func `a worker that falls asleep between an enqueue and its commit is notified`() async throws {
        let database = try Database.test
        let ada = try await database.run { db throws in
            try scene.jobs([1], on: db)
            return try scene.worker(on: db)
        }
        let heard = try await heard(database) { () async throws in
            // The enqueue sees a ready job, so all workers seem to be awake.
            try await whileEnqueueing(2, in: database) { () async throws in
                let claim = try await database.run { try queue.claim(10, from: lane, for: ada, on: $0) }
                #expect(claim.jobs.map(\.subjects) == [[1]])
                #expect(claim.obstacle == .empty)
                try await sleep(database)
            }
        }
        #expect(heard == [told])
    }

    @Test func `a worker doesn't sleep while an enqueue that saw it awake is uncommitted`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            // Runs the commit's trigger here, so that the commit is still to come.
            try await whileEnqueueing(1, in: database, "SET CONSTRAINTS ALL IMMEDIATE") { () async throws in
                #expect(try await advice(database) == .busy)
                #expect(try await advice(database) == .busy)
            }
            // If the commit took long, the worker's row has expired and is made again.
            var last = try await advice(database)
            while last == .again || last == .busy { last = try await advice(database) }
            #expect(last == .look)
        }
        #expect(heard == [])
    }

    @Test func `a long import does not keep workers awake, and wakes them when it commits`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await whileEnqueueing(1, in: database) { try await sleep(database) }
        }
        #expect(heard == [told])
    }

    @Test func `a left-over that can be called now notifies sleeping workers once, and no others`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            let ada = try await database.run { db throws in
                try scene.jobs([1, 2], on: db)
                return try scene.worker(on: db)
            }
            // In the first round no worker sleeps. In the second the new jobs are due in an hour.
            for (isAsleep, pause) in [(false, Duration.zero), (true, .seconds(3_600)), (true, .zero)] {
                try await database.run { try $0.query("UPDATE jobs SET run_at = now()") }
                let jobs = try await database.run { try queue.claim(10, from: lane, for: ada, on: $0).jobs }
                #expect(jobs.count == 2)
                if isAsleep { try await sleep(database) }
                let reports = jobs.map { job in
                    JobReport(job, .moved([LeftOver(job.subjects[0], lane: lane, after: pause)]))
                }
                _ = try await database.run { try queue.finish(reports, in: lane, by: ada, on: $0) }
                try await database.run { try $0.query("DELETE FROM sleepers") }
            }
        }
        #expect(heard.filter { $0 == told }.count == 1)
    }

    @Test func `one look finds the lanes that have jobs for a worker`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            func lanes(on db: isolated Connection) throws -> [String] {
                try queue.lookForJobs(in: [lane, "elsewhere"], for: ada, on: db).lanes
            }
            #expect(try lanes(on: db) == [])
            try scene.jobs([1], on: db)
            #expect(try lanes(on: db) == [lane])
            #expect(try queue.lookForJobs(in: ["elsewhere"], for: ada, on: db).lanes == [])
            try queue.pause(lane, on: db)
            #expect(try lanes(on: db) == [])
            _ = try queue.resume(lane, on: db)
            try db.query("UPDATE workers SET quiet = true")
            #expect(try lanes(on: db) == [])
            try db.query("UPDATE workers SET quiet = false")
            try db.query("UPDATE jobs SET run_at = now() + interval '1 hour'")
            #expect(try lanes(on: db) == [])
            try db.query("UPDATE jobs SET run_at = now()")
            #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.count == 1)
            #expect(try lanes(on: db) == [])
            for number in 2...200 { _ = try scene.worker("worker \(number)", on: db) }
            #expect(try queue.lookForJobs(in: [], for: ada, on: db).crowd == 25)
        }
    }

    @Test func `an enqueue that is rolled back leaves the wake-up to the next one`() async throws {
        let database = try Database.test
        struct Regret: Error {}
        let heard = try await heard(database) { () async throws in
            try await sleep(database)
            await #expect(throws: Regret.self) {
                try await database.transaction { db in
                    _ = try queue.enqueue([1], in: lane, on: db)
                    try db.run(script: "SET CONSTRAINTS ALL IMMEDIATE")
                    throw Regret()
                }
            }
            try await database.run { _ = try queue.enqueue([2], in: lane, on: $0) }
        }
        #expect(heard == [told])
    }

    @Test func `an enqueue with an old snapshot always notifies, because it can't see who sleeps`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await database.transaction { db in
                try db.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                _ = try queue.enqueue([1], in: lane, on: db)
            }
        }
        #expect(heard == [told])
    }

    @Test func `later jobs and jobs in other lanes wake no worker`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await database.transaction { try queue.addLane("other", on: $0) }
            try await sleep(database)
            try await database.run { db in
                try db.query("SELECT queue_jobs(\(lane), '{1}', 1::smallint, now() + interval '1 hour')")
                _ = try queue.enqueue([2], in: "other", on: db)
            }
        }
        #expect(heard == [])
    }

    @Test func `a second sleeper needs no second row, and old rows are deleted`() async throws {
        let database = try Database.test
        try await sleep(database)
        // For a shorter time than the row still lasts, even on a busy machine.
        let second = try await database.run { try queue.prepareToSleep(in: lane, for: .seconds(1), on: $0) }
        #expect(second == .sleep)
        try await database.run { db throws in
            #expect(try queue.forgetSleepers(on: db) == 0)
            try db.query("UPDATE sleepers SET until = now() - interval '2 minutes'")
            #expect(try queue.forgetSleepers(on: db) == 1)
        }
    }

    @Test func `reserved jobs wake sleeping workers too`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            try await sleep(database)
            try await database.transaction { db in
                let reserved = try queue.reserve(forAtMost: 3, in: lane, on: db)
                try queue.enqueue(reserved.jobs.map { (job: $0, subject: 1) }, in: lane, on: db)
            }
        }
        #expect(heard == [told])
    }

    @Test func `a clock step is announced to all lanes, because their slots have moved`() async throws {
        let database = try Database.test
        let heard = try await heard(database) { () async throws in
            let epoch = try await database.run { try queue.clockReading(on: $0).epoch }
            let isFirst = try await database.transaction {
                try queue.shiftClock(by: .seconds(60), after: epoch, on: $0)
            }
            #expect(isFirst)
        }
        #expect(heard.contains("waypost_lanes gazetteer"))
    }
}
