import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct RegistryTests {
    private let scene = Scene()
    private let registry = ProcessRegistry()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }

    /// Makes every process silent.
    private func silence(on db: isolated Connection) throws {
        try db.query("UPDATE workers SET seen_at = now() - interval '11 seconds'")
    }

    @Test func `a silent worker loses its jobs to the next one and can't finish them`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1], on: db)
            let ada = try scene.worker("ada", on: db)
            let late = try queue.claim(1, from: lane, for: ada, on: db).jobs
            try silence(on: db)
            #expect(try registry.rescue(on: db).freed == 1)
            #expect(try registry.beat(.worker, ada, on: db) == false)
            let bob = try scene.worker("bob", on: db)
            let current = try queue.claim(1, from: lane, for: bob, on: db).jobs
            #expect(current.map(\.id) == late.map(\.id))
            #expect(try queue.finish([JobReport(late[0], .done())], in: lane, by: ada, on: db).fates.isEmpty)
            #expect(try queue.finish([JobReport(current[0], .done())], in: lane, by: bob, on: db).fates.count == 1)
        }
    }

    @Test func `a worker with a recent heartbeat keeps its jobs`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1], on: db)
            let ada = try scene.worker(on: db)
            let jobs = try queue.claim(1, from: lane, for: ada, on: db).jobs
            try silence(on: db)
            #expect(try registry.beat(.worker, ada, on: db))
            #expect(try registry.rescue(on: db).freed == 0)
            #expect(try queue.finish([JobReport(jobs[0], .done())], in: lane, by: ada, on: db).fates.count == 1)
        }
    }

    @Test func `a silent worker's job is freed after its slot has begun, and its call is logged`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2], on: db)
            try queue.setLimits([try #require(RateLimit(text: "1/s"))], of: lane, on: db)
            let ada = try scene.worker(on: db)
            #expect(try queue.claim(2, from: lane, for: ada, on: db).jobs.count == 2)
            try silence(on: db)
            // The worker may be alive, and may still use the slot ahead.
            #expect(try registry.rescue(on: db).freed == 1)
            let calls = try rows("SELECT worker, subjects, took, outcome FROM calls", on: db)
            #expect(calls.count == 1)
            #expect(try calls[0].read("worker") == ada)
            #expect(try calls[0].read("outcome") == "lost")
            #expect(try calls[0].readIfPresent("took", as: Double.self) == nil)
            try db.query("UPDATE jobs SET starts_at = starts_at - interval '2 seconds' WHERE worker IS NOT NULL")
            #expect(try registry.rescue(on: db).freed == 1)
            #expect(try rows("SELECT FROM calls WHERE outcome = 'lost'", on: db).count == 2)
            #expect(try rows("SELECT FROM jobs WHERE losses = 1 AND failures = 0", on: db).count == 2)
        }
    }

    @Test func `a future slot of a worker that has surely ended is freed at once, without a call`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2], on: db)
            try queue.setLimits([try #require(RateLimit(text: "1/min"))], of: lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = now() + interval '1 second'")
            let ada = try registry.register(.worker, name: "ada", host: "here", pid: 7, on: db)
            #expect(try queue.claim(2, from: lane, for: ada, on: db).jobs.count == 1)
            try registry.bury(host: "here", pid: 7, on: db)
            #expect(try rows("SELECT FROM jobs WHERE worker IS NULL AND losses = 0", on: db).count == 2)
            #expect(try rows("SELECT FROM calls", on: db).isEmpty)
        }
    }

    @Test func `a job lost by ten workers is dead`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([7], on: db)
            for loss in 1...10 {
                let ada = try scene.worker(on: db)
                #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.count == 1)
                try silence(on: db)
                let rescue = try registry.rescue(on: db)
                #expect(rescue.freed == (loss < 10 ? 1 : 0))
                #expect(rescue.dead.map(\.subjects) == (loss < 10 ? [] : [[7]]))
            }
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
            let dead = try rows("SELECT losses, reason FROM dead_jobs", on: db)[0]
            #expect(try dead.read("losses") == 10)
            #expect(try dead.read("reason") == "10 workers vanished while they held it")
        }
    }

    /// A worker claims all jobs and vanishes.
    private func lose(on db: isolated Connection) throws -> Rescue {
        _ = try queue.claim(10, from: lane, for: scene.worker(on: db), on: db)
        try silence(on: db)
        return try registry.rescue(on: db)
    }

    private func subjects(on db: isolated Connection) throws -> [[Int]] {
        try rows("SELECT subjects FROM jobs ORDER BY subjects", on: db).map { try $0.read("subjects") }
    }

    @Test func `a lost job with several subjects is split, and one with a single subject is counted`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...5), batch: 5, on: db)
            let first = try lose(on: db)
            #expect(first.freed == 1)
            #expect(first.halves.map(\.subjects) == [[4, 5]])
            #expect(try subjects(on: db) == [[1, 2, 3], [4, 5]])
            _ = try lose(on: db)
            _ = try lose(on: db)
            #expect(try subjects(on: db) == [[1], [2], [3], [4], [5]])
            // Three of them had one subject at the last loss: only [1, 2] was split.
            #expect(try rows("SELECT FROM jobs WHERE losses = 1", on: db).count == 3)
            #expect(try rows("SELECT FROM jobs WHERE failures > 0", on: db).isEmpty)
            for _ in 1...8 { #expect(try lose(on: db).dead.isEmpty) }
            #expect(try lose(on: db).dead.map(\.subjects).count == 3)
            #expect(try lose(on: db).dead.map(\.subjects).count == 2)
        }
    }

    @Test func `a lost job that still waited for its slot is freed whole`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...5), batch: 5, on: db)
            try queue.setLimits([try #require(RateLimit(text: "1/min"))], of: lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = now() + interval '1 second'")
            let ada = try registry.register(.worker, name: "ada", host: "here", pid: 7, on: db)
            #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.count == 1)
            #expect(try registry.bury(host: "here", pid: 7, on: db).halves.isEmpty)
            #expect(try rows("SELECT FROM jobs WHERE cardinality(subjects) = 5", on: db).count == 1)
        }
    }

    @Test func `a coordinator that was itself silent declares no process dead`() async throws {
        try await Database.test.run { db throws in
            let witness = try registry.register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            _ = try scene.worker(on: db)
            // The database was away for an hour, and the coordinator's round is the first statement after it.
            try db.query("UPDATE workers SET seen_at = now() - interval '1 hour'")
            try db.query("UPDATE coordinators SET seen_at = now() - interval '1 hour', heard_since = '-infinity'")
            try registry.rescue(by: witness, on: db)
            #expect(try registry.workers(on: db).count == 1)
            #expect(try rows("SELECT FROM coordinators", on: db).count == 1)
        }
    }

    @Test func `a job claimed while its worker was removed is still freed`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1], on: db)
            try db.query("UPDATE jobs SET worker = 4711, lease = nextval('leases'), starts_at = now()")
            #expect(try registry.rescue(on: db).freed == 1)
        }
    }

    @Test func `freed jobs are announced`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            try scene.jobs([1], on: db)
            _ = try queue.claim(1, from: lane, for: scene.worker(on: db), on: db)
            try silence(on: db)
        }
        let heard = try await heard(database) { try await database.run { _ = try registry.rescue(on: $0) } }
        #expect(heard == ["waypost_jobs gazetteer"])
    }

    @Test func `a leaving worker frees its jobs, and a supervisor frees those of its dead child`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2, 3], on: db)
            let child = try registry.register(.worker, name: "child", host: "here", pid: 7, on: db)
            let other = try registry.register(.worker, name: "other", host: "there", pid: 7, on: db)
            let third = try registry.register(.worker, name: "third", host: "here", pid: 8, on: db)
            _ = try registry.register(.coordinator, name: "coordinator", host: "here", pid: 7, on: db)
            for worker in [child, other, third] { _ = try queue.claim(1, from: lane, for: worker, on: db) }
            try registry.bury(host: "here", pid: 7, on: db)
            #expect(try registry.workers(on: db).map(\.held) == [1, 1])
            #expect(try registry.isAlive(.coordinator, host: "here", on: db) == false)
            try registry.leave(.worker, third, on: db)
            #expect(try registry.workers(on: db).map(\.id) == [other])
            #expect(try rows("SELECT FROM jobs WHERE worker IS NULL", on: db).count == 2)
        }
    }

    @Test func `jobs that their worker does not know are freed, and others are not`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2], on: db)
            let (ada, bob) = (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
            let known = try queue.claim(1, from: lane, for: ada, on: db).jobs
            #expect(try queue.claim(1, from: lane, for: bob, on: db).jobs.count == 1)
            #expect(try queue.releaseStrays(in: lane, of: ada, knowing: known.map(\.id), on: db) == 0)
            #expect(try queue.releaseStrays(in: lane, of: ada, knowing: [], on: db) == 1)
            #expect(try rows("SELECT FROM jobs WHERE worker = \(bob)", on: db).count == 1)
        }
    }

    private func standing(on db: isolated Connection) throws -> [Bool] {
        let standing = try registry.standing(ofCoordinatorAt: "here", pid: 1, on: db)
        return [standing.isHeard, standing.isLed]
    }

    @Test func `a coordinator's standing shows its heartbeat and whether there is a leader`() async throws {
        try await Database.test.run { db throws in
            #expect(try standing(on: db) == [false, false])
            let id = try registry.register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            #expect(try standing(on: db) == [true, false])
            _ = try Leadership().acquire(for: id, within: .seconds(10), on: db)
            #expect(try standing(on: db) == [true, true])
            try db.query("UPDATE coordinators SET seen_at = now() - interval '11 seconds'")
            #expect(try standing(on: db) == [false, true])
            try db.query("DELETE FROM coordinators")
            #expect(try standing(on: db) == [false, false])
        }
    }

    @Test func `health distinguishes roles and hosts`() async throws {
        try await Database.test.run { db throws in
            #expect(try registry.isAlive(nil, host: "here", on: db) == false)
            let id = try registry.register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            #expect(try registry.isAlive(nil, host: "here", on: db))
            #expect(try registry.isAlive(.coordinator, host: "here", on: db))
            #expect(try registry.isAlive(.worker, host: "here", on: db) == false)
            #expect(try registry.isAlive(nil, host: "there", on: db) == false)
            #expect(try registry.beat(.coordinator, id, on: db))
            try registry.leave(.coordinator, id, on: db)
            #expect(try registry.isAlive(nil, host: "here", on: db) == false)
        }
    }
}
