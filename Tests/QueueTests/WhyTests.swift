import DatabaseTesting
import Postgres
import Testing

@testable import Queue

@Suite(.database)
struct WhyTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    /// A function, because `#expect` can't call an actor's own methods.
    private func why(_ job: Int, on db: isolated Connection) throws -> WhyJobWaits {
        try WhyJobWaits(queue.circumstances(of: job, on: db))
    }

    @Test func `a job that ended or never existed is unknown`() async throws {
        try await Database.test.run { db throws in #expect(try why(4_711, on: db) == .unknown) }
    }

    @Test func `a ready job without a worker waits for one, and quiet workers don't count`() async throws {
        try await Database.test.run { db throws in
            let job = try scene.jobs([1], on: db)[0]
            #expect(try why(job, on: db) == .noWorker(quiet: 0))
            _ = try scene.worker("bob", lanes: ["elsewhere"], on: db)
            _ = try scene.worker(on: db)
            _ = try scene.registry.setQuiet(true, "ada", on: db)
            #expect(try why(job, on: db) == .noWorker(quiet: 1))
        }
    }

    @Test func `a job waits behind those of higher priority and older ones`() async throws {
        try await Database.test.run { db throws in
            let jobs = try scene.jobs([1, 2, 3], on: db)
            _ = try scene.worker(on: db)
            _ = try queue.enqueue([4], in: scene.lane, priority: .soon, on: db)
            _ = try queue.enqueue([5], in: scene.lane, priority: .idle, on: db)
            #expect(try why(jobs[0], on: db) == .behind(ahead: 1))
            #expect(try why(jobs[2], on: db) == .behind(ahead: 3))
        }
    }

    @Test func `a job waits for the limits, after the jobs ahead of it`() async throws {
        try await Database.test.transaction { db throws in
            let jobs = try scene.jobs(Array(1...42), on: db)
            _ = try scene.worker(on: db)
            try queue.setLimits([#require(RateLimit(text: "1/s"))], of: scene.lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() + interval '302 seconds'")
            guard case .limits(41, let next, let own) = try why(jobs[41], on: db) else { return #expect(Bool(false)) }
            #expect(next > .seconds(200) && next <= .milliseconds(302_050))
            #expect(own - next > .seconds(41) && own - next < .seconds(42))
            guard case .limits(0, let first, let mine) = try why(jobs[0], on: db) else { return #expect(Bool(false)) }
            #expect(first > .seconds(200) && mine > .seconds(200))
        }
    }

    @Test func `a job waits for a free place in a lane with few concurrent calls`() async throws {
        try await Database.test.transaction { db throws in
            let jobs = try scene.jobs([1, 2], on: db)
            let ada = try scene.worker(on: db)
            _ = try queue.change(scene.lane, on: db) { $0.callsAtOnce = 1 }
            _ = try queue.claim(1, from: scene.lane, for: ada, on: db)
            #expect(try why(jobs[1], on: db) == .full(callsAtOnce: 1, ahead: 0))
        }
    }

    @Test func `a held job shows its worker and when its call may start`() async throws {
        try await Database.test.transaction { db throws in
            let job = try scene.jobs([1], on: db)[0]
            let ada = try scene.worker(on: db)
            _ = try queue.claim(1, from: scene.lane, for: ada, on: db)
            guard case .held(let holder, _) = try why(job, on: db) else { return #expect(Bool(false)) }
            #expect(holder == .init(id: ada, name: "ada", host: "here"))
        }
    }

    @Test func `a pause is shown before a block, and a block before a later time`() async throws {
        try await Database.test.transaction { db throws in
            let job = try scene.jobs([1], on: db)[0]
            try scene.fail("timeout", for: false, on: db)
            guard case .scheduled(let until, 1, "timeout") = try why(job, on: db) else { return #expect(Bool(false)) }
            try db.query(
                "UPDATE lanes SET blocked_until = now() + interval '10 minutes', blocked_because = 'the quota'")
            #expect(try why(job, on: db) == .scheduled(until: until, failures: 1, lastReason: "timeout"))
            try db.query("UPDATE lanes SET blocked_until = now() + interval '2 hours'")
            guard case .blocked(_, "the quota") = try why(job, on: db) else { return #expect(Bool(false)) }
            try queue.pause(scene.lane, on: db)
            guard case .paused = try why(job, on: db) else { return #expect(Bool(false)) }
        }
    }

    @Test func `after the breaker opened, jobs wait for a successful call`() async throws {
        try await Database.test.run { db throws in
            let job = try scene.jobs([1], on: db)[0]
            _ = try scene.worker(on: db)
            try db.query("UPDATE lanes SET faults = 5")
            #expect(try why(job, on: db) == .probing(ahead: 0))
        }
    }

    @Test func `a dead job shows its reason`() async throws {
        try await Database.test.run { db throws in
            let job = try scene.jobs([1], on: db)[0]
            try scene.fail("no such place", for: true, on: db)
            guard case .dead(_, "no such place") = try why(job, on: db) else { return #expect(Bool(false)) }
        }
    }
}
