import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct SteerTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    @Test func `jobs are listed in order: held, ready, later, and the latest dead`() async throws {
        try await Database.test.run { db throws in
            let jobs = try scene.jobs(Array(1...5), on: db)
            try scene.fail("no such place", for: true, on: db)
            try scene.fail("timeout", for: false, on: db)
            let ada = try scene.worker(on: db)
            _ = try queue.claim(1, from: scene.lane, for: ada, on: db)
            _ = try queue.hurry(jobs[4], on: db)
            let list = try queue.list(limit: 10, on: db)
            #expect(list.map(\.id) == [jobs[2], jobs[4], jobs[3], jobs[1], jobs[0]])
            #expect(list.map(\.kind) == [.held, .ready, .ready, .later, .dead])
            #expect(list.map(\.reason) == [nil, nil, nil, "timeout", "no such place"])
            #expect(list[0].worker?.name == "ada")
            #expect(try queue.list(limit: 2, on: db).map(\.id) == [jobs[2], jobs[4]])
            #expect(try queue.list([.ready], in: scene.lane, limit: 1, on: db).map(\.id) == [jobs[4]])
            #expect(try queue.list([.later, .dead], in: scene.lane, limit: 9, on: db).map(\.id) == [jobs[1], jobs[0]])
            try queue.addLane("empty", on: db)
            #expect(try queue.list(in: "empty", limit: 9, on: db).isEmpty)
            #expect(throws: QueueError.self) { try queue.list(in: "nowhere", limit: 9, on: db) }
        }
    }

    @Test func `a job shows its failures, also when it is dead`() async throws {
        try await Database.test.run { db throws in
            let job = try scene.jobs([1], on: db)[0]
            try scene.fail("timeout", for: false, on: db)
            #expect(try queue.job(job, on: db)?.history.map(\.reason) == ["timeout"])
            try db.query("UPDATE jobs SET run_at = now()")
            try scene.fail("no such place", for: true, on: db)
            let dead = try #require(try queue.job(job, on: db))
            #expect(dead.kind == .dead)
            #expect(dead.failures == 2)
            #expect(dead.history.map(\.reason) == ["timeout", "no such place"])
            #expect(try queue.job(4_711, on: db) == nil)
        }
    }

    @Test func `a revived job keeps its id and the subjects that still need an answer`() async throws {
        let database = try Database.test
        let heard = try await heard(database) {
            try await database.transaction { db throws in
                let job = try scene.jobs([1, 2, 3], batch: 3, on: db)[0]
                try scene.fail("no such place", for: true, on: db)
                let dead = try queue.lockDead(.job(job), limit: 5, on: db).ofQuestions
                #expect(dead.map(\.subjects) == [[1, 2, 3]])
                #expect(try queue.revive(dead, carrying: [3, 1, 99], on: db) == 1)
                let alive = try #require(try queue.job(job, on: db))
                #expect(alive.kind == .ready)
                #expect(alive.failures == 0)
                #expect(alive.subjects == [1, 3])
                #expect(alive.history.count == 1)
                #expect(try queue.count(.all(), on: db).dead == 0)
                // The id is not used again.
                #expect(try queue.enqueue([9], in: scene.lane, on: db).map(\.id) != [job])
            }
        }
        #expect(heard == ["waypost_lanes gazetteer", "waypost_jobs gazetteer"])
    }

    @Test func `a dead job without open questions is deleted`() async throws {
        try await Database.test.run { db throws in
            let job = try scene.jobs([1], on: db)[0]
            try scene.fail("no such place", for: true, on: db)
            let dead = try queue.lockDead(.job(job), limit: 5, on: db).ofQuestions
            #expect(try queue.revive(dead, carrying: [], on: db) == 0)
            #expect(try queue.job(job, on: db) == nil)
        }
    }

    private func count(_ lane: String?, _ reason: String?, on db: isolated Connection) throws -> [Int] {
        let count = try queue.count(.all(lane: lane, reason: reason), on: db)
        return [count.waiting, count.delayed, count.dead]
    }

    @Test func `a filter selects by lane and by a text in the reason, in any case`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...4), on: db)
            try scene.fail("No 100% match", for: true, on: db)
            try scene.fail("Timeout after 5 s", for: false, on: db)
            try queue.addLane("other", on: db)
            _ = try queue.enqueue([9], in: "other", on: db)
            #expect(try count(nil, nil, on: db) == [4, 1, 1])
            #expect(try count("gazetteer", nil, on: db) == [3, 1, 1])
            #expect(try count(nil, "100%", on: db) == [0, 0, 1])
            #expect(try count(nil, "1%0", on: db) == [0, 0, 0])
            #expect(try count(nil, "timeOUT", on: db) == [1, 1, 0])
            #expect(try count("other", nil, on: db) == [1, 0, 0])
            #expect(try queue.lockDead(.all(reason: "match"), limit: 9, on: db).ofQuestions.count == 1)
            #expect(try queue.lockDead(.all(lane: "other"), limit: 9, on: db).ofQuestions.isEmpty)
            #expect(try queue.hasten(.all(lane: "other"), on: db) == 0)
            #expect(try queue.hasten(.all(reason: "nope"), on: db) == 0)
            #expect(try queue.hasten(.all(lane: "gazetteer", reason: "timeout"), on: db) == 1)
            #expect(try queue.discard(.all(lane: "other"), on: db) == 0)
            #expect(try queue.discard(.all(lane: "gazetteer", reason: "match"), on: db) == 1)
            #expect(try queue.cancel(.all(reason: "nope"), limit: 9, on: db).isEmpty)
            #expect(try queue.cancel(.all(lane: "other"), limit: 9, on: db).map(\.subjects) == [[9]])
            #expect(throws: QueueError.self) { try queue.count(.all(lane: "nowhere"), on: db) }
        }
    }

    @Test func `a hastened job may run now, and its failures are forgotten`() async throws {
        try await Database.test.run { db throws in
            let jobs = try scene.jobs([1, 2], on: db)
            try scene.fail("timeout", for: false, on: db)
            #expect(try queue.hasten(.all(), on: db) == 1)
            let job = try #require(try queue.job(jobs[0], on: db))
            #expect(job.kind == .ready)
            #expect(job.failures == 0)
            #expect(try queue.hasten(.job(jobs[1]), on: db) == 1)
        }
    }

    @Test func `a job held by a worker is not cancelled, hastened or hurried`() async throws {
        try await Database.test.run { db throws in
            let jobs = try scene.jobs([1, 2], on: db)
            let ada = try scene.worker(on: db)
            _ = try queue.claim(1, from: scene.lane, for: ada, on: db)
            #expect(try queue.hasten(.job(jobs[0]), on: db) == 0)
            #expect(try queue.hurry(jobs[0], on: db) == false)
            #expect(try queue.hurry(subject: 1, of: jobs[0], on: db) == nil)
            #expect(try queue.cancel(.job(jobs[0]), limit: 5, on: db).isEmpty)
            #expect(try queue.cancel(.all(), limit: 5, on: db).map(\.id) == [jobs[1]])
            #expect(try queue.list([.held, .ready, .later], limit: 5, on: db).map(\.id) == [jobs[0]])
        }
    }

    @Test func `cancelling skips a job that is being claimed and obeys its limit`() async throws {
        let database = try Database.test
        let jobs = try await database.run { db throws in try scene.jobs([1, 2, 3], on: db) }
        let (held, done) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let claim: Void = database.transaction { db in
            _ = try queue.claim(1, from: scene.lane, for: scene.worker(on: db), on: db)
            held.arriveAndWait()
            done.arriveAndWait()
        }
        async let cancelled = database.transaction(within: .seconds(10)) { db in
            held.arriveAndWait()
            defer { done.arriveAndWait() }
            return [try queue.cancel(.all(), limit: 1, on: db).count, try queue.cancel(.all(), limit: 9, on: db).count]
        }
        #expect(try await cancelled == [1, 1])
        try await claim
        try await database.run { db throws in
            #expect(try queue.list([.held, .ready, .later], limit: 5, on: db).map(\.id) == [jobs[0]])
        }
    }

    @Test func `a hurried job goes first, after those hurried before`() async throws {
        try await Database.test.run { db throws in
            let jobs = try scene.jobs([1, 2, 3, 4], on: db)
            let ada = try scene.worker(on: db)
            try db.query("UPDATE jobs SET run_at = now() + interval '1 hour' WHERE id = \(jobs[3])")
            #expect(try queue.hurry(jobs[3], on: db))
            #expect(try queue.hurry(jobs[2], on: db))
            // Once more: it keeps its place.
            #expect(try queue.hurry(jobs[3], on: db))
            #expect(try queue.claim(4, from: scene.lane, for: ada, on: db).jobs.map(\.id).sorted() == jobs)
            try db.query("UPDATE jobs SET worker = NULL, lease = NULL, starts_at = NULL")
            var order: [Int] = []
            for _ in 1...4 { order += try queue.claim(1, from: scene.lane, for: ada, on: db).jobs.map(\.id) }
            #expect(order == [jobs[3], jobs[2], jobs[0], jobs[1]])
        }
    }

    @Test func `one subject is moved from a waiting batch into its own job, which goes first`() async throws {
        let database = try Database.test
        let heard = try await heard(database) {
            try await database.transaction { db throws in
                let job = try scene.jobs([1, 2, 3], batch: 3, on: db)[0]
                let own = try #require(try queue.hurry(subject: 2, of: job, on: db))
                #expect(own.id != job)
                #expect(own.subjects == [2])
                #expect(try queue.list(limit: 9, on: db).map(\.subjects) == [[2], [1, 3]])
                #expect(try queue.list(limit: 9, on: db).map(\.priority) == [3, 1])
                // The subject is no longer in that job. Hurrying the only subject of a job moves the whole job.
                #expect(try queue.hurry(subject: 2, of: job, on: db) == nil)
                #expect(try queue.hurry(subject: 3, of: job, on: db) != nil)
                #expect(try queue.hurry(subject: 1, of: job, on: db)?.id == job)
                #expect(try queue.list(limit: 9, on: db).map(\.subjects) == [[2], [3], [1]])
            }
        }
        #expect(heard.last == "waypost_jobs gazetteer")
    }
}
