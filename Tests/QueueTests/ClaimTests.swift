import DatabaseTesting
import Postgres
import Queue
import Testing

/// A lane with a batch of one, so that each subject is a job.
func lane(_ queue: JobQueue, batch: Int = 1, on db: isolated Connection) throws -> String {
    try queue.setBatch(batch, of: "gazetteer", on: db)
    return "gazetteer"
}

func worker(_ name: String, on db: isolated Connection) throws -> WorkerID {
    try ProcessRegistry().register(.worker, name: name, host: "here", pid: 1, on: db)
}

@Suite(.database)
struct ClaimTests {
    private let queue = JobQueue()

    @Test func `a claimed job is hidden from every other worker`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let (ada, bob) = (try worker("ada", on: db), try worker("bob", on: db))
            _ = try queue.enqueue([1], in: lane, on: db)

            #expect(try queue.claim(10, from: lane, for: ada, on: db).map(\.subjects) == [[1]])
            #expect(try queue.claim(10, from: lane, for: bob, on: db).isEmpty)
        }
    }

    @Test func `two workers claiming at once never share a job, and leave none`() async throws {
        let database = try Database.test
        let (ada, bob) = try await database.run { db throws in
            _ = try queue.enqueue(Array(1...400), in: lane(queue, on: db), on: db)
            return (try worker("ada", on: db), try worker("bob", on: db))
        }
        @Sendable func claimAll(_ worker: WorkerID) async throws -> [Int] {
            var claimed: [Int] = []
            while true {
                let jobs = try await database.run { try queue.claim(7, from: "gazetteer", for: worker, on: $0) }
                if jobs.isEmpty { return claimed }
                claimed += jobs.flatMap(\.subjects)
            }
        }
        async let adas = claimAll(ada)
        async let bobs = claimAll(bob)
        let all = try await adas + bobs

        #expect(all.count == 400)
        #expect(Set(all).count == 400)
    }

    @Test func `a claim waits for nobody: it goes past what another transaction holds`() async throws {
        let database = try Database.test
        let (ada, bob) = try await database.run { db throws in
            _ = try queue.enqueue([1, 2], in: lane(queue, on: db), on: db)
            return (try worker("ada", on: db), try worker("bob", on: db))
        }
        let held = Rendezvous(of: 2)
        let done = Rendezvous(of: 2)
        async let adas = database.transaction { db in
            let jobs = try queue.claim(1, from: "gazetteer", for: ada, on: db)
            held.arriveAndWait()
            done.arriveAndWait()
            return jobs
        }
        async let bobs = database.transaction(within: .seconds(10)) { db in
            held.arriveAndWait()
            defer { done.arriveAndWait() }
            return try queue.claim(1, from: "gazetteer", for: bob, on: db)
        }
        #expect(try await (adas + bobs).map(\.subjects) == [[1], [2]])
    }

    @Test func `jobs carry as many subjects as the lane's batch allows, in order`() async throws {
        try await Database.test.run { db throws in
            let jobs = try queue.enqueue(Array(1...5), in: lane(queue, batch: 2, on: db), on: db)
            #expect(jobs.map(\.subjects).sorted { $0[0] < $1[0] } == [[1, 2], [3, 4], [5]])
        }
    }

    @Test func `higher priority goes first, then the older job`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            _ = try queue.enqueue([2], in: lane, on: db)
            _ = try queue.enqueue([3], in: lane, priority: 5, on: db)
            var order: [Int] = []
            for _ in 1...3 { order += try queue.claim(1, from: lane, for: ada, on: db).flatMap(\.subjects) }
            #expect(order == [3, 1, 2])
        }
    }

    @Test func `a job whose time has not come stays where it is`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            try db.query("UPDATE jobs SET run_at = now() + interval '1 hour'")
            #expect(try queue.claim(1, from: lane, for: ada, on: db).isEmpty)
            #expect(try queue.lanes(on: db).map(\.later) == [1])
        }
    }

    @Test func `a worker that was struck off gets no more jobs`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            try ProcessRegistry().leave(.worker, ada, on: db)
            #expect(try queue.claim(1, from: lane, for: ada, on: db).isEmpty)
        }
    }

    @Test func `a lane that doesn't exist is named`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { _ = try queue.enqueue([1], in: "nowhere", on: $0) }
        }
        #expect(error?.message == "there is no lane called \"nowhere\"")
    }

    @Test func `new jobs are announced once for each transaction`() async throws {
        let database = try Database.test
        var hearings = database.listen(on: [JobQueue.channel]).makeAsyncIterator()
        #expect(await hearings.next() == .listening)
        try await database.transaction { db throws in
            _ = try queue.enqueue(Array(1...3), in: lane(queue, on: db), on: db)
            _ = try queue.enqueue([4], in: "gazetteer", on: db)
        }
        try await database.run { try $0.query("SELECT pg_notify(\(JobQueue.channel), 'end')") }
        #expect(await hearings.next() == .heard(Notification(channel: JobQueue.channel, payload: "gazetteer")))
        #expect(await hearings.next() == .heard(Notification(channel: JobQueue.channel, payload: "end")))
    }

    @Test func `a claim among many waiting jobs reads the index and not the table`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue(Array(1...20_000), in: lane, on: db)
            try db.run(script: "ANALYZE jobs")
            // Past the first executions, a prepared statement may get a generic plan: that one counts.
            for _ in 1...7 { _ = try queue.claim(1, from: lane, for: ada, on: db) }
            try db.query("SELECT pg_stat_force_next_flush()")
            try db.query("SELECT pg_stat_clear_snapshot()")
            let before: Int = try rows(
                "SELECT seq_tup_read AS n FROM pg_stat_user_tables WHERE relname = 'jobs'", on: db)[0]
                .read("n")
            for _ in 1...20 { _ = try queue.claim(5, from: lane, for: ada, on: db) }
            try db.query("SELECT pg_stat_force_next_flush()")
            try db.query("SELECT pg_stat_clear_snapshot()")
            let after: Int = try rows(
                "SELECT seq_tup_read AS n FROM pg_stat_user_tables WHERE relname = 'jobs'", on: db)[0]
                .read("n")
            #expect(after - before == 0)
        }
    }
}
