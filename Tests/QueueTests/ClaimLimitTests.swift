import DatabaseTesting
import Polling
import Postgres
import Processes
import Queue
import Testing

/// Claims in a lane with limits, caps or no jobs.
@Suite(.database)
struct ClaimLimitTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }

    @Test func `a claim that waited for the lane obeys a pause that was made meanwhile`() async throws {
        let database = try Database.test
        let worker = try await database.run { db throws in
            try scene.jobs([1, 2], on: db)
            try scene.limit("100/s", on: db)
            return try scene.worker(on: db)
        }
        let isPaused = Rendezvous(of: 2)
        async let pause: Void = database.transaction { db in
            _ = try scene.queue.pause(scene.lane, on: db)
            isPaused.arriveAndWait()
            // Until the claim waits for this transaction.
            while try db.query(
                "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
            ).isEmpty {}
        }
        let claim = try await database.run { db in
            isPaused.arriveAndWait()
            return try scene.queue.claim(2, from: scene.lane, for: worker, on: db)
        }
        try await pause
        #expect(claim.obstacle == .paused)
        #expect(claim.jobs.isEmpty)
    }

    // MARK: Slots and tokens

    @Test func `one worker's slots begin at the end of another's`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...20), on: db)
            let (ada, bob) = (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
            try scene.limit("10/s:burst=1", on: db)
            let adas = try queue.claim(5, from: lane, for: ada, on: db).jobs.compactMap(\.slot?.opens).sorted()
            let bobs = try queue.claim(5, from: lane, for: bob, on: db).jobs.compactMap(\.slot?.opens).sorted()
            let all = adas + bobs
            #expect(all.count == 10)
            for (one, next) in zip(all, all.dropFirst()) {
                #expect(next - one >= .milliseconds(110) && next - one < .milliseconds(111))
            }
        }
    }

    @Test func `the most urgent job gets the earliest slot`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2, 3], on: db)
            _ = try queue.enqueue([9], in: lane, priority: .now, on: db)
            try scene.limit("10/s:burst=1", on: db)
            let claim = try queue.claim(10, from: lane, for: scene.worker(on: db), on: db)
            let order = claim.jobs.sorted { ($0.slot?.opens ?? .zero) < ($1.slot?.opens ?? .zero) }.flatMap(\.subjects)
            #expect(order == [9, 1, 2, 3])
        }
    }

    @Test func `no token is spent without a job`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2], on: db)
            try scene.limit("1/s:burst=10", on: db)
            try db.query("UPDATE lanes SET grace = '0'")
            #expect(try queue.claim(10, from: lane, for: ada, on: db).jobs.count == 2)
            let missing = { (db: isolated Connection) throws -> Double in
                try db.query("SELECT extract(epoch FROM full_at - clock_timestamp()) AS missing FROM token_buckets")[0]
                    .read("missing")
            }
            let after = try missing(db)
            #expect(after <= 2 && after > 1)
            #expect(try queue.claim(10, from: lane, for: ada, on: db).obstacle == .empty)
            #expect(try missing(db) <= after)
        }
    }

    @Test func `slots are given two seconds ahead and not further, and the wait is exact`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...100), on: db)
            try scene.limit("5/s:burst=1", on: db)
            try db.query("UPDATE lanes SET grace = '0'")
            let first = try queue.claim(100, from: lane, for: ada, on: db)
            #expect(first.jobs.count == 11)
            #expect(first.obstacle == .tokens)
            let then = try queue.claim(100, from: lane, for: ada, on: db)
            #expect(then.jobs.isEmpty)
            #expect(then.obstacle == .tokens)
            // The twelfth slot is 2.2 s after the first, and may be given 2 s before it opens.
            let last = try #require(first.jobs.compactMap(\.slot?.opens).max())
            let lookAt = try then.toldAt + #require(then.lookIn)
            #expect(abs((lookAt + .seconds(2) - last - .milliseconds(200)) / .microseconds(1)) < 10)
        }
    }

    @Test func `a clock set back costs the lane at most its debt`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1], on: db)
            try scene.limit("1/s:burst=3", on: db)
            try db.query("UPDATE token_buckets SET full_at = now() + interval '1 year'")
            let wait = try #require(try queue.claim(1, from: lane, for: ada, on: db).lookIn)
            #expect(wait < .seconds(5))
        }
    }

    @Test func `an idle lane saves up its burst and not more`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...100), on: db)
            try scene.limit("1/s:burst=4", on: db)
            try db.query("UPDATE lanes SET grace = '0'")
            try db.query("UPDATE token_buckets SET full_at = now() - interval '1 day'")
            let opens = try queue.claim(100, from: lane, for: ada, on: db).jobs.compactMap(\.slot?.opens).sorted()
            #expect(opens.count { $0 == opens[0] } == 4)
            #expect(opens.count == 6)
        }
    }

    // MARK: What stands in the way

    @Test func `every obstacle is named, with the time to look again`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            func met(on db: isolated Connection) throws -> (Obstacle?, Bool) {
                let claim = try queue.claim(10, from: lane, for: ada, on: db)
                #expect(claim.jobs.isEmpty)
                // The lane's state gives the same reason.
                let word = try queue.lane(lane, on: db).condition.word
                let isOfLane = claim.obstacle == .paused || claim.obstacle == .blocked
                #expect(word == (isOfLane ? claim.obstacle?.rawValue : "open") || claim.obstacle == .quiet)
                return (claim.obstacle, claim.lookIn != nil)
            }
            #expect(try met(on: db) == (.empty, false))
            try scene.jobs([1], on: db)
            try db.query("UPDATE jobs SET run_at = clock_timestamp() + interval '1 hour'")
            #expect(try met(on: db) == (.scheduled, true))
            try db.query("UPDATE jobs SET run_at = now()")
            try db.query("UPDATE lanes SET blocked_until = now() + interval '1 minute', blocked_because = 'test'")
            #expect(try met(on: db) == (.blocked, true))
            try queue.pause(lane, on: db)
            #expect(try met(on: db) == (.paused, false))
            try db.query("UPDATE workers SET quiet = true")
            #expect(try met(on: db) == (.quiet, false))
            try queue.resume(lane, on: db)
            try db.query("UPDATE workers SET quiet = false")
            try scene.limit("1/s", on: db)
            try db.query("UPDATE token_buckets SET full_at = now() + interval '2.5 seconds'")
            #expect(try met(on: db) == (.tokens, true))
            try queue.setLimits([], of: lane, on: db)
            let bob = try scene.worker("bob", on: db)
            try db.query("UPDATE lanes SET calls_at_once = 1")
            #expect(try queue.claim(1, from: lane, for: bob, on: db).jobs.count == 1)
            #expect(try met(on: db) == (.full, false))
            try scene.registry.leave(.worker, ada, on: db)
            #expect(try met(on: db) == (.struckOff, false))
        }
    }

    @Test func `a claim returns how many workers share the claims of a lane`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            func crowd(_ room: Int = 16, on db: isolated Connection) throws -> Double {
                try queue.claim(room, from: lane, for: ada, on: db).crowd
            }
            for number in 2...200 { _ = try scene.worker("worker \(number)", on: db) }
            _ = try scene.worker("other", lanes: ["elsewhere"], on: db)
            #expect(try crowd(on: db) == 25)
            try scene.limit("50/s", on: db)
            #expect(try crowd(on: db) == 25)
            // With little room in each claim, more claims are needed.
            #expect(try crowd(1, on: db) == 4)
            // The highest rate counts: the others may hold saved tokens.
            try scene.limit("320/s", "6000/min", on: db)
            #expect(try crowd(on: db) == 10)
            try db.query("UPDATE workers SET quiet = true WHERE id <> \(ada)")
            #expect(try crowd(on: db) == 1)
        }
    }

    @Test func `a scheduled job is waited for exactly, whatever its priority`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1], on: db)
            _ = try queue.enqueue([2], in: lane, priority: .now, on: db)
            try db.query("UPDATE jobs SET run_at = clock_timestamp() + interval '1 hour' / subjects[1]")
            let claim = try queue.claim(1, from: lane, for: ada, on: db)
            let lookIn = try #require(claim.lookIn)
            #expect(lookIn <= .seconds(1_800) && lookIn > .seconds(1_799))
        }
    }

    @Test func `a lane's cap holds for all workers together, and a worker's cap for each`() async throws {
        try await Database.test.run { db throws in
            let (ada, bob) = (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
            try scene.jobs(Array(1...20), on: db)
            try queue.change(lane, on: db) {
                $0.callsAtOnce = 5
                $0.callsPerWorker = 3
            }
            #expect(try queue.claim(10, from: lane, for: ada, on: db).jobs.count == 3)
            #expect(try queue.claim(10, from: lane, for: ada, on: db).obstacle == .full)
            let bobs = try queue.claim(10, from: lane, for: bob, on: db).jobs
            #expect(bobs.count == 2)
            _ = try queue.finish(bobs.map { JobReport($0, .done()) }, in: lane, by: bob, on: db)
            #expect(try queue.claim(10, from: lane, for: ada, on: db).jobs.isEmpty)
            #expect(try queue.claim(10, from: lane, for: bob, on: db).jobs.count == 2)
        }
    }

    @Test func `a lane for one machine gives jobs to the workers of the first one, until the last of them leaves`()
        async throws
    {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...9), on: db)
            // Its lanes do not include this one, so it does not count.
            _ = try scene.worker("eve", at: "zero", lanes: ["other"], on: db)
            let (ada, bob) = (try scene.worker("ada", at: "one", on: db), try scene.worker("bob", at: "two", on: db))
            let cid = try scene.worker("cid", at: "one", on: db)
            try queue.change(lane, on: db) { $0.machines = 1 }
            let refused = try queue.claim(1, from: lane, for: bob, on: db)
            #expect(refused.jobs.isEmpty && refused.obstacle == .quiet)
            #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.count == 1)
            #expect(try queue.claim(1, from: lane, for: cid, on: db).jobs.count == 1)
            try scene.registry.leave(.worker, ada, on: db)
            #expect(try queue.claim(1, from: lane, for: bob, on: db).jobs.isEmpty)
            try scene.registry.leave(.worker, cid, on: db)
            #expect(try queue.claim(1, from: lane, for: bob, on: db).jobs.count == 1)
            try queue.change(lane, on: db) { $0.machines = nil }
            #expect(try queue.claim(1, from: lane, for: scene.worker("dan", at: "six", on: db), on: db).jobs.count == 1)
        }
    }

    @Test func `a lane's cap counts a claim that is not committed yet`() async throws {
        let database = try Database.test
        let (ada, bob) = try await database.run { db throws in
            try scene.jobs(Array(1...9), on: db)
            try queue.change(lane, on: db) { $0.callsAtOnce = 2 }
            return (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
        }
        let (claimed, over) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let first = Task { [queue, lane] in
            try await database.transaction { db in
                let claim = try queue.claim(2, from: lane, for: ada, on: db)
                claimed.arriveAndWait()
                over.arriveAndWait()
                return claim
            }
        }
        await claimed.arrive()
        let isAnswered = Locked(false)
        let second = Task { [queue, lane] in
            defer { isAnswered.withLock { $0 = true } }
            return try await database.run { try queue.claim(2, from: lane, for: bob, on: $0) }
        }
        // Until the claim waits for the end of the first one.
        let waits: SQL = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        try await pollUntil {
            let waits = try await !database.run { try rows(waits, on: $0).isEmpty }
            return waits || isAnswered.withLock { $0 }
        }
        await over.arrive()
        #expect(try await first.value.jobs.count == 2)
        let late = try await second.value
        #expect(late.jobs.isEmpty && late.obstacle == .full)
    }

    @Test func `an unknown lane is named in the error`() async throws {
        let ada = try await Database.test.run { try scene.worker(on: $0) }
        let claimed = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { _ = try queue.claim(1, from: "nowhere", for: ada, on: $0) }
        }
        #expect(claimed?.message.contains("there is no lane called \"nowhere\"") == true)
        let queued = await #expect(throws: DatabaseError.self) {
            try await Database.test.run { _ = try queue.enqueue([1], in: "nowhere", on: $0) }
        }
        #expect(queued?.message.contains("there is no lane called \"nowhere\"") == true)
    }
}
