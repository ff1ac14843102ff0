import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct FinishTests {
    private let queue = JobQueue()
    private let registry = ProcessRegistry(silenceLimit: .zero)

    @Test func `a job that ends is gone and counted`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, batch: 3, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1, 2, 3], in: lane, on: db)
            let jobs = try queue.claim(5, from: lane, for: ada, on: db)

            #expect(try queue.finish(jobs, by: ada, on: db) == Set(jobs.map(\.id)))
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
            let counted = try rows("SELECT calls, subjects, retries FROM throughput", on: db)
            #expect(try counted.map { try $0.read("calls", as: Int.self) } == [1])
            #expect(try counted.map { try $0.read("subjects", as: Int.self) } == [3])
        }
    }

    @Test func `a worker that lost its lease changes nothing, even when it holds the job again under another`()
        async throws
    {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            let late = try queue.claim(1, from: lane, for: ada, on: db)
            try db.query("UPDATE jobs SET worker = NULL, lease = NULL")
            let current = try queue.claim(1, from: lane, for: ada, on: db)

            #expect(late.map(\.id) == current.map(\.id))
            #expect(try queue.finish(late, by: ada, on: db).isEmpty)
            #expect(try queue.retry(late[0], by: ada, on: db) == false)
            #expect(try rows("SELECT FROM throughput", on: db).isEmpty)
            #expect(try queue.finish(current, by: ada, on: db).count == 1)
        }
    }

    @Test func `a failed call puts its job back for later, and counts`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            let job = try queue.claim(1, from: lane, for: ada, on: db)[0]

            #expect(try queue.retry(job, after: .seconds(60), by: ada, on: db))
            let row = try rows(
                "SELECT failures, worker, extract(epoch FROM run_at - now()) AS pause FROM jobs", on: db)[0]
            #expect(try row.read("failures") == 1)
            #expect(try row.readIfPresent("worker", as: Int.self) == nil)
            let pause: Double = try row.read("pause")
            #expect(pause > 59 && pause <= 60)
            #expect(try queue.lanes(on: db).map(\.retries) == [1])
        }
    }

    @Test func `the wait before a retry grows and stays within its bounds`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            for failures in [0, 3, 20] {
                try db.query("UPDATE jobs SET failures = \(failures), run_at = now()")
                let job = try queue.claim(1, from: lane, for: ada, on: db)[0]
                #expect(try queue.retry(job, by: ada, on: db))
                let pause: Double = try rows("SELECT extract(epoch FROM run_at - now()) AS pause FROM jobs", on: db)[0]
                    .read("pause")
                let ceiling: Double = failures == 0 ? 1 : failures == 3 ? 8 : 300
                #expect(pause >= 0 && pause <= ceiling, "after \(failures) failures")
            }
        }
    }

    @Test func `a job fails for good at its last try`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            try db.query("UPDATE jobs SET failures = 3")
            let fourth = try queue.claim(1, from: lane, for: ada, on: db)[0]
            #expect(!queue.isLastTry(fourth))
            try db.query("UPDATE jobs SET failures = 4, worker = NULL, lease = NULL")
            let fifth = try queue.claim(1, from: lane, for: ada, on: db)[0]
            #expect(queue.isLastTry(fifth))
        }
    }

    @Test func `a silent worker loses its jobs to the next one, and can't finish them`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            let late = try queue.claim(1, from: lane, for: ada, on: db)

            try db.query("UPDATE workers SET seen_at = now() - interval '1 second'")
            #expect(try registry.rescue(on: db) == 1)
            #expect(try registry.beat(.worker, ada, on: db) == false)
            let bob = try worker("bob", on: db)
            let current = try queue.claim(1, from: lane, for: bob, on: db)

            #expect(try queue.finish(late, by: ada, on: db).isEmpty)
            #expect(try queue.finish(current, by: bob, on: db).count == 1)
        }
    }

    @Test func `a worker that is heard of keeps its jobs`() async throws {
        let patient = ProcessRegistry(silenceLimit: .seconds(10))
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let ada = try worker("ada", on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            let jobs = try queue.claim(1, from: lane, for: ada, on: db)
            try db.query("UPDATE workers SET seen_at = now() - interval '20 seconds'")
            #expect(try patient.beat(.worker, ada, on: db))
            #expect(try patient.rescue(on: db) == 0)
            #expect(try queue.finish(jobs, by: ada, on: db).count == 1)
        }
    }

    @Test func `a job claimed in the moment its worker was struck off is found all the same`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            _ = try queue.enqueue([1], in: lane, on: db)
            try db.query("UPDATE jobs SET worker = 4711, lease = nextval('leases')")
            #expect(try registry.rescue(on: db) == 1)
        }
    }

    @Test func `a parent that buries its child frees the child's jobs and nobody else's`() async throws {
        try await Database.test.run { db throws in
            let lane = try lane(queue, on: db)
            let child = try registry.register(.worker, name: "child", host: "here", pid: 7, on: db)
            let other = try registry.register(.worker, name: "other", host: "there", pid: 7, on: db)
            _ = try registry.register(.coordinator, name: "coordinator", host: "here", pid: 7, on: db)
            _ = try queue.enqueue([1, 2], in: lane, on: db)
            _ = try queue.claim(1, from: lane, for: child, on: db)
            _ = try queue.claim(1, from: lane, for: other, on: db)

            try registry.bury(host: "here", pid: 7, on: db)
            #expect(try queue.lanes(on: db).map(\.ready) == [1])
            #expect(try registry.workers(on: db).map(\.held) == [1])
            #expect(try registry.isAlive(.coordinator, host: "here", on: db) == false)
        }
    }

    @Test func `health tells roles and hosts apart`() async throws {
        let patient = ProcessRegistry()
        try await Database.test.run { db throws in
            #expect(try patient.isAlive(nil, host: "here", on: db) == false)
            let id = try patient.register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            #expect(try patient.isAlive(nil, host: "here", on: db))
            #expect(try patient.isAlive(.coordinator, host: "here", on: db))
            #expect(try patient.isAlive(.worker, host: "here", on: db) == false)
            #expect(try patient.isAlive(nil, host: "there", on: db) == false)
            #expect(try patient.beat(.coordinator, id, on: db))
            try patient.leave(.coordinator, id, on: db)
            #expect(try patient.isAlive(nil, host: "here", on: db) == false)
        }
    }
}
