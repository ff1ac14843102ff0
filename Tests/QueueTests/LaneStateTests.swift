import DatabaseTesting
import Postgres
import Testing

@testable import Queue

@Suite
struct RateLimitTests {
    @Test(arguments: [
        ("20/s", 20.0, 1, 2.0), ("300/min", 300, 60, 12), ("2500/d", 2_500, 86_400, 100), ("1/2s", 1, 2, 1),
        ("500/s", 500, 1, 50), ("1/s", 1, 1, 1), ("20/s:burst=5", 20, 1, 5), ("0.5/s", 0.5, 1, 1),
        ("60/h", 60, 3_600, 3),
    ]) func `a limit is parsed, gets a suitable burst, and is written back unchanged`(
        _ text: String, _ calls: Double, _ seconds: Int, _ burst: Double
    ) throws {
        let limit = try #require(RateLimit(text: text))
        #expect(limit.calls == calls)
        #expect(limit.per == .seconds(seconds))
        #expect(limit.burst == burst)
        #expect(limit.text == text)
    }

    @Test func `a minute may be written as in a duration`() throws {
        let limit = try #require(RateLimit(text: "90/m"))
        #expect(limit == RateLimit(text: "90/min"))
        let slow = try #require(RateLimit(text: "1/5m:burst=2"))
        #expect(slow.text == "1/5min:burst=2")
    }

    @Test(arguments: [
        "", "20", "20/", "/s", "0/s", "-1/s", "20/fortnight", "nan/s", "inf/s", "20/s:5", "20/s:burst=0", "20/0s",
        "20/s:burst=2:burst=3", "20/s/min", "20/1.5s",
    ]) func `a text that is not a limit is refused`(_ text: String) {
        #expect(RateLimit(text: text) == nil)
    }

    @Test func `the wait for many calls is the backlog minus the burst, divided by the rate`() throws {
        let limit = try #require(RateLimit(10, per: .seconds(1), burst: 5))
        let full = LimitState(limit, fullIn: 0)
        #expect(full.wait(for: 5) == 0)
        #expect(abs(full.wait(for: 105) - 10) < 1e-9)
        #expect(abs(full.wait(for: 105, after: 3) - 13) < 1e-9)
        // Three seconds of tokens are missing: 30 calls.
        let debt = LimitState(limit, fullIn: 3)
        #expect(abs(debt.wait(for: 1) - 2.6) < 1e-9)
        #expect(abs(debt.tokens - -25) < 1e-9)
        // A pause fills the bucket up, but not further.
        #expect(abs(debt.wait(for: 5, after: 3) - 3) < 1e-9)
        #expect([full, debt].wait(for: 1) == debt.wait(for: 1))
        let slow = LimitState(limit, pace: 0.5, fullIn: 0)
        #expect(abs(slow.wait(for: 105) - 20) < 1e-9)
    }
}

@Suite(.database)
struct LaneStateTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    private func limits(_ texts: String...) throws -> [RateLimit] {
        try texts.map { try #require(RateLimit(text: $0)) }
    }

    @Test func `a lane shows its waiting, held and dead jobs and its workers`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...5), on: db)
            try scene.fail("no such place", for: true, on: db)
            try scene.fail("timeout", for: false, on: db)
            let ada = try scene.worker(on: db)
            _ = try scene.worker("bob", lanes: ["elsewhere"], on: db)
            _ = try queue.claim(1, from: scene.lane, for: ada, on: db)
            let lane = try queue.lane(scene.lane, on: db)
            #expect([lane.ready, lane.later, lane.held, lane.dead, lane.workers] == [2, 1, 1, 1, 1])
            #expect(lane.retries == 1)
            #expect(lane.limits.isEmpty)
            #expect(lane.estimate == .unknown)
            let lastDue = try #require(lane.lastDueIn)
            #expect(lastDue > 3_500 && lastDue <= 3_600)
            #expect(throws: QueueError.self) { try queue.lane("nowhere", on: db) }
        }
    }

    @Test func `calls of full minutes are counted apart from those of the current one`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...60), on: db)
            _ = try scene.worker(on: db)
            try db.query(
                """
                INSERT INTO throughput (minute, lane, worker, calls, subjects)
                SELECT date_trunc('minute', now()) - n * interval '1 minute', 1, 1, calls, 0
                FROM (VALUES (0, 7), (1, 120), (2, 60), (3, 0), (9, 5000)) AS done (n, calls)
                """)
            let lane = try queue.lane(scene.lane, on: db)
            #expect(lane.calls == 5_187)
            #expect(lane.recentRate == 1.5)
            #expect(lane.estimate == .recent(.seconds(40), perSecond: 1.5))
        }
    }

    @Test func `a backlog takes the time of the limits, and at least that of a block`() async throws {
        try await Database.test.transaction { db throws in
            try scene.jobs(Array(1...101), on: db)
            #expect(try queue.lane(scene.lane, on: db).estimate == .noWorker)
            _ = try scene.worker(on: db)
            try queue.setLimits(limits("1/s"), of: scene.lane, on: db)
            // One call a second with a grace of 10 ms in between.
            guard case .limits(let plain) = try queue.lane(scene.lane, on: db).estimate else {
                return #expect(Bool(false))
            }
            #expect(plain > .seconds(100) && plain < .seconds(102))
            try db.query(
                "UPDATE lanes SET blocked_until = clock_timestamp() + interval '10 minutes', blocked_because = 'x'")
            guard case .limits(let late) = try queue.lane(scene.lane, on: db).estimate else {
                return #expect(Bool(false))
            }
            #expect(late > .seconds(640) && late < .seconds(702))
            try queue.pause(scene.lane, on: db)
            #expect(try queue.lane(scene.lane, on: db).estimate == .paused)
        }
    }

    @Test func `the time of a backlog includes follow-up calls, at their recent average`() async throws {
        try await Database.test.transaction { db throws in
            try queue.setLimits(limits("1/s"), of: scene.lane, on: db)
            try queue.setLimits([], of: scene.lane, on: db)
            // For each question, the first two calls lead to another one.
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...30), on: db)
            for round in 0..<3 {
                let jobs = try queue.claim(30, from: scene.lane, for: ada, on: db).jobs
                let reports = jobs.map { job in
                    JobReport(
                        job, round < 2 ? .moved([LeftOver(job.subjects[0], lane: scene.lane)]) : .done(),
                        startedAt: .seconds(1), took: .milliseconds(1))
                }
                _ = try queue.finish(reports, in: scene.lane, by: ada, on: db)
            }
            try scene.jobs(Array(101...200), on: db)
            try queue.setLimits(limits("1/s"), of: scene.lane, on: db)
            let lane = try queue.lane(scene.lane, on: db)
            guard case .limits(let time) = lane.estimate else { return #expect(Bool(false)) }
            // 90 calls for 30 questions are 3 per question, so 100 questions take 300 s at 1/s. The average is slightly
            // lower, because it counts one call more.
            #expect(time > .seconds(285) && time < .seconds(300), "\(time)")
            #expect(lane.outlook.waiting == lane.callsToCome)
        }
    }

    private func expect(
        _ value: Double, near expected: Double, within tolerance: Double, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(value - expected) <= tolerance, "\(value)", sourceLocation: place)
    }

    /// Makes jobs of a chain, and the calls of some of them: each job has as many calls as `calls` says for its subject.
    private func work(
        _ subjects: ClosedRange<Int>, along chain: Int, rounds: Int, by worker: WorkerID, on db: isolated Connection,
        calls: (Int) -> Int
    ) throws {
        try scene.jobs(Array(subjects), on: db)
        try db.query("UPDATE jobs SET chain = \(chain)::integer WHERE chain = 0")
        for round in 1..<(rounds + 1) {
            let jobs = try queue.claim(500, from: scene.lane, for: worker, on: db).jobs
            let reports = jobs.map { job in
                JobReport(
                    job,
                    calls(job.subjects[0]) > round ? .moved([LeftOver(job.subjects[0], lane: scene.lane)]) : .done(),
                    startedAt: .seconds(1), took: .milliseconds(1))
            }
            _ = try queue.finish(reports, in: scene.lane, by: worker, on: db)
        }
    }

    @Test func `the calls to come are learned by chain, and from questions that have not ended`() async throws {
        try await Database.test.transaction { db throws in
            let ada = try scene.worker(on: db)
            // Chain 7 makes one call for a question, and chain 8 four for each second question.
            let calls = { (subject: Int) in subject > 1_000 && subject % 2 == 0 ? 4 : 1 }
            try work(1...100, along: 7, rounds: 1, by: ada, on: db, calls: calls)
            try work(1_001...1_100, along: 8, rounds: 4, by: ada, on: db, calls: calls)
            try work(101...200, along: 7, rounds: 0, by: ada, on: db, calls: calls)
            try work(1_101...1_140, along: 8, rounds: 0, by: ada, on: db, calls: calls)
            try expect(Double(queue.lane(scene.lane, on: db).callsToCome), near: 100 + 20 + 80, within: 10)
            // One call of each was made: the next ones belong to questions that need three more.
            try work(1_141...1_142, along: 8, rounds: 1, by: ada, on: db, calls: calls)
            try expect(Double(queue.lane(scene.lane, on: db).callsToCome), near: 21 * 3, within: 5)
            // The calls that will follow held jobs count, and their own are under way.
            _ = try queue.claim(500, from: scene.lane, for: ada, on: db)
            try expect(Double(queue.lane(scene.lane, on: db).callsToCome), near: 21 * 2, within: 5)
        }
    }

    @Test func `a chain without calls of its own takes as many as the others of its lane`() async throws {
        try await Database.test.transaction { db throws in
            let ada = try scene.worker(on: db)
            try work(1...100, along: 7, rounds: 2, by: ada, on: db) { _ in 2 }
            try work(101...200, along: 9, rounds: 0, by: ada, on: db) { _ in 2 }
            try expect(Double(queue.lane(scene.lane, on: db).callsToCome), near: 200, within: 3)
        }
    }

    @Test func `a lane shows the reason of failed calls for ten minutes, or until it is resumed`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...4), on: db)
            #expect(try queue.lane(scene.lane, on: db).failures == nil)
            let end = JobOutcome.retry(reason: "it answered 500")
            try held.finish(.done(), .retry(reason: "it answered 502"), end, on: db)
            // The request never left, so it is a failure but not a call in the log.
            _ = try queue.finish([JobReport(held.jobs[3], end)], in: held.lane, by: held.ada, on: db)
            let failures = try #require(try queue.lane(scene.lane, on: db).failures)
            #expect(failures.reason == "it answered 500" && failures.failed == 3 && failures.calls == 4)
            #expect(try queue.troubles(5, on: db).compactMap(\.reason) == ["it answered 502", "it answered 500"])
            try db.query("UPDATE lanes SET failed_at = now() - interval '11 minutes'")
            #expect(try queue.lane(scene.lane, on: db).failures == nil)
            try db.query("UPDATE lanes SET failed_at = now()")
            try queue.resume(scene.lane, on: db)
            #expect(try queue.lane(scene.lane, on: db).failures == nil)
        }
    }

    @Test func `a new limit begins without a burst: one call, then its rate`() async throws {
        try await Database.test.transaction { db throws in
            try scene.jobs(Array(1...50), on: db)
            let ada = try scene.worker(on: db)
            let clock = try db.query("SELECT extract(epoch FROM clock_timestamp()) AS now")
            let before = try #require(clock.first).read("now", as: Duration.self)
            try queue.setLimits(limits("10/s:burst=5"), of: scene.lane, on: db)
            let slots = try queue.claim(50, from: scene.lane, for: ada, on: db).jobs.compactMap(\.slot?.opens).sorted()
            // The horizon is two seconds from the claim, which may run late.
            #expect(slots.count >= 19)
            for (number, slot) in slots.enumerated() { #expect(slot - before > .milliseconds(100 * number - 1)) }
        }
    }

    @Test func `slots still to come count against a new limit, and passed ones do not`() async throws {
        try await Database.test.transaction { db throws in
            try scene.jobs(Array(1...50), on: db)
            let ada = try scene.worker(on: db)
            _ = try queue.claim(10, from: scene.lane, for: ada, on: db)
            // No more than the bucket holds. Without a limit, a call that was claimed has no end of its slot.
            for (before, seconds, tokens) in [(["1/d"], -60, 1.0), (["1/d"], 3, 0), ([], -60, 0)] {
                try queue.setLimits(before.compactMap(RateLimit.init(text:)), of: scene.lane, on: db)
                let start = Duration.seconds(seconds)
                try db.query("UPDATE jobs SET starts_at = now() + \(start)::interval WHERE worker IS NOT NULL")
                // The rate is so low that no token returns during the test.
                try queue.setLimits(limits("10/h:burst=5"), of: scene.lane, on: db)
                try expect(queue.lane(scene.lane, on: db).limits[0].tokens, near: tokens, within: 0.1)
            }
        }
    }

    @Test(arguments: ["100/s", "500/s:burst=50", "6000/min:burst=400", "20/s 300/min", ""])
    func `after a change of limits the next call comes within a period of the new ones`(_ before: String) async throws {
        try await Database.test.transaction { db throws in
            try scene.jobs(Array(1...400), on: db)
            let ada = try scene.worker(on: db)
            let old = before.split(separator: " ").compactMap { RateLimit(text: String($0)) }
            try queue.setLimits(old, of: scene.lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = now() - interval '1 second'")
            #expect(try queue.claim(366, from: scene.lane, for: ada, on: db).jobs.count > 10)
            for new in [["1/min"], ["1/min:burst=3"], [], ["1/min", "10/h"], ["1/10s"], ["100/s"], ["1/min"]] {
                let new = try new.map { try #require(RateLimit(text: $0)) }
                try queue.setLimits(new, of: scene.lane, by: .user("ada", on: "here"), on: db)
                let lane = try queue.lane(scene.lane, on: db)
                let period = new.map { 1 / $0.perSecond }.max() ?? 0
                // Slots are promised up to four seconds ahead.
                #expect(lane.limits.wait(for: 1) <= period + 7, "\(old) \(new)")
                let owing = lane.limits.filter(\.owesTooMuch)
                #expect(owing.isEmpty)
            }
        }
    }

    @Test func `tokens below zero have a reason, which is true`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...400), on: db)
            let ada = try scene.worker(on: db)
            try scene.limit("100/s", on: db)
            _ = try queue.claim(400, from: scene.lane, for: ada, on: db)
            let lane = try queue.lane(scene.lane, on: db)
            #expect(lane.slotsToCome > 50 && lane.slotsToCome <= lane.held)
            #expect(lane.debtText?.hasSuffix("slots still to come.") == true)
            try db.query("UPDATE jobs SET worker = NULL, lease = NULL, starts_at = NULL")
            try queue.setLimits(limits("1/min"), of: scene.lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = now() + interval '6 hours'")
            let stuck = try queue.lane(scene.lane, on: db)
            #expect(stuck.debtText?.contains("before the limits changed") == true)
            let finding = try Doctor().examine(on: db).filter { $0.check == "lane gazetteer" && $0.verdict == .warning }
            #expect(finding.map(\.text).first?.contains("(1/min) permit the next call in ") == true, "\(finding)")
            try queue.setLimits(limits("1/min"), of: scene.lane, on: db)
            #expect(try Doctor().examine(on: db).allSatisfy { $0.check != "lane gazetteer" || $0.verdict == .ok })
        }
    }

    @Test func `a bucket misses the same number of tokens after its rate changes`() async throws {
        try await Database.test.transaction { db throws in
            try queue.setLimits(limits("60/h:burst=10", "1000/d:burst=100"), of: scene.lane, on: db)
            try db.query(
                "UPDATE token_buckets SET full_at = clock_timestamp() + interval '6 minutes' WHERE per = '1 hour'")
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() - interval '1 day' WHERE per = '1 day'")
            try queue.setLimits(limits("120/h:burst=10", "10/d:burst=50", "5/s"), of: scene.lane, on: db)
            let buckets = try queue.lane(scene.lane, on: db).limits
            #expect(buckets.map(\.limit.per) == [.seconds(1), .seconds(3_600), .seconds(86_400)])
            // Six tokens were missing and still are: at two a minute that takes three minutes.
            #expect(abs(buckets[1].tokens - 4) < 0.2)
            #expect(abs(buckets[1].fullIn - 180) < 6)
            #expect(buckets[2].tokens == 50)
            try queue.setLimits(limits("120/min:burst=3"), of: scene.lane, on: db)
            #expect(try queue.lane(scene.lane, on: db).limits.map(\.limit.burst) == [3])
            try queue.setLimits([], of: scene.lane, on: db)
            #expect(try queue.lane(scene.lane, on: db).limits.isEmpty)
            #expect(throws: QueueError.self) { try queue.setLimits([], of: "nowhere", on: db) }
        }
    }

    @Test func `limits change only between claims`() async throws {
        let database = try Database.test
        try await database.transaction { db throws in
            // A claim that finds no job locks only the lane.
            try queue.setLimits(limits("1/s"), of: scene.lane, on: db)
        }
        let (held, done) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let claim: Void = database.transaction { db in
            _ = try queue.claim(1, from: scene.lane, for: scene.worker(on: db), on: db)
            held.arriveAndWait()
            done.arriveAndWait()
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await database.transaction { db in
                held.arriveAndWait()
                defer { done.arriveAndWait() }
                try db.query("SET LOCAL lock_timeout = '50ms'")
                try queue.setLimits(limits("2/s"), of: scene.lane, on: db)
            }
        }
        #expect(error?.sqlState == "55P03")
        try await claim
    }

    @Test func `settings change together, and contradictory ones are refused`() async throws {
        try await Database.test.transaction { db throws in
            let before = try queue.lane(scene.lane, on: db).settings
            let changed = try queue.change(scene.lane, on: db) {
                ($0.batch, $0.callsAtOnce, $0.callsPerWorker) = (7, 3, nil)
                ($0.grace, $0.callLimit) = (.milliseconds(20), .seconds(5))
                ($0.mostFailures, $0.firstRetry, $0.longestRetry) = (2, .seconds(2), .seconds(9))
                ($0.breakerAfter, $0.price) = (4, Price(text: "0.75 eur"))
            }
            #expect(try queue.lane(scene.lane, on: db).settings == changed)
            #expect(changed != before)
            #expect(throws: QueueError.self) { try queue.change(scene.lane, on: db) { $0.firstRetry = .seconds(10) } }
        }
    }

    @Test(arguments: LaneSetting.all.indices)
    func `the database accepts the lowest and the highest value of each setting`(index: Int) async throws {
        let setting = LaneSetting.all[index]
        try await Database.test.transaction { db throws in
            for value in [setting.values.highest, setting.values.lowest] {
                let before = try queue.lane(scene.lane, on: db).settings
                let changed = try queue.change(scene.lane, on: db) { settings in
                    // The longest retry wait is never below the first.
                    if setting.column == "longest_retry" { settings.firstRetry = .milliseconds(1) }
                    if setting.column == "first_retry" { settings.longestRetry = .seconds(31_622_400) }
                    LaneChange(setting, value).apply(to: &settings)
                }
                #expect(setting.read(changed) == value)
                #expect(changed != before)
                #expect(try queue.lane(scene.lane, on: db).settings == changed)
            }
        }
    }

    @Test func `a new lane has the default settings`() async throws {
        try await Database.test.transaction { db throws in
            try queue.addLane("plain", on: db)
            #expect(try queue.lane("plain", on: db).settings == LaneSettings())
        }
    }

    @Test func `a worker that starts does not lock the lanes that exist`() async throws {
        let database = try Database.test
        var lockers: [String] = []
        for _ in 1...2 {
            try await database.transaction {
                try queue.prepareLane("plain", batch: 1, limits: [], attribution: "", on: $0)
            }
            let lane = try await database.run { try $0.query("SELECT xmax::text FROM lanes WHERE name = 'plain'")[0] }
            lockers.append(try lane.read("xmax"))
        }
        #expect(lockers[0] == lockers[1])
    }

    @Test func `a paused lane gives no job until it is resumed, which also ends a block`() async throws {
        try await Database.test.transaction { db throws in
            try scene.jobs([1], on: db)
            let ada = try scene.worker(on: db)
            #expect(try queue.pause(scene.lane, on: db))
            #expect(try queue.pause(scene.lane, on: db) == false)
            #expect(try queue.claim(1, from: scene.lane, for: ada, on: db).obstacle == .paused)
            try db.query(
                "UPDATE lanes SET blocked_until = now() + interval '1 hour', blocked_because = 'x', faults = 9, trips = 2"
            )
            #expect(try queue.resume(scene.lane, on: db))
            #expect(try queue.resume(scene.lane, on: db) == false)
            let lane = try queue.lane(scene.lane, on: db)
            #expect(lane.condition == .open)
            #expect([lane.faults, lane.trips] == [0, 0])
            #expect(try queue.claim(1, from: scene.lane, for: ada, on: db).jobs.count == 1)
        }
    }

    @Test func `a lane shows that it is blocked, then that it probes`() async throws {
        try await Database.test.transaction { db throws in
            try db.query(
                "UPDATE lanes SET blocked_until = clock_timestamp() + interval '1 hour', blocked_because = 'why', faults = 5"
            )
            guard case .blocked(let until, "why") = try queue.lane(scene.lane, on: db).condition else {
                return #expect(Bool(false))
            }
            #expect(try until > queue.lane(scene.lane, on: db).asOf)
            try db.query("UPDATE lanes SET blocked_until = clock_timestamp()")
            #expect(try queue.lane(scene.lane, on: db).condition == .probing)
        }
    }

    @Test func `each change of a lane is announced to the workers, and its opening also as jobs`() async throws {
        let database = try Database.test
        let heard = try await heard(database) {
            try await database.transaction { db throws in try queue.setLimits(limits("1/s"), of: scene.lane, on: db) }
            try await database.transaction { db throws in
                _ = try queue.change(scene.lane, on: db) { $0.callsAtOnce = 1 }
            }
            try await database.transaction { db throws in _ = try queue.pause(scene.lane, on: db) }
            try await database.transaction { db throws in _ = try queue.resume(scene.lane, on: db) }
        }
        let change = "waypost_lanes gazetteer"
        #expect(heard == [change, change, change, change, "waypost_jobs gazetteer"])
    }

    @Test func `a lane is created once`() async throws {
        try await Database.test.run { db throws in
            try queue.addLane("apple", batch: 3, on: db)
            #expect(try queue.lane("apple", on: db).batch == 3)
            #expect(throws: QueueError.self) { try queue.addLane("apple", on: db) }
            #expect(try queue.lanes(on: db).map(\.lane) == ["gazetteer", "apple"])
        }
    }

    @Test func `only lanes that make no calls by themselves are at a standstill`() async throws {
        try await Database.test.run { db throws in
            let start = ContinuousClock.now
            func isOver(_ standstill: inout Standstill, _ waiting: Int, _ lanes: [LaneState], after seconds: Int)
                -> Bool
            {
                standstill.isOver(waiting: waiting, in: lanes, workers: 1, at: start + .seconds(seconds))
            }
            try scene.jobs([1, 2], on: db)
            _ = try scene.worker(on: db)
            try scene.limit("1/min", on: db)
            var standstill = Standstill()
            for seconds in stride(from: 0, to: 600, by: 10) {
                #expect(try !isOver(&standstill, 2, queue.lanes(on: db), after: seconds), "a slow lane is waited for")
            }
            _ = try queue.pause(scene.lane, on: db)
            #expect(try !isOver(&standstill, 2, queue.lanes(on: db), after: 600))
            #expect(try !isOver(&standstill, 2, queue.lanes(on: db), after: 619))
            #expect(try !isOver(&standstill, 1, queue.lanes(on: db), after: 621), "an answer came")
            #expect(try isOver(&standstill, 1, queue.lanes(on: db), after: 641))
            _ = try queue.resume(scene.lane, on: db)
            #expect(try !isOver(&standstill, 1, queue.lanes(on: db), after: 700))
        }
    }

    @Test func `a quiet worker takes no job until it is resumed, by name or id`() async throws {
        let database = try Database.test
        let ada = try await database.run { db throws in
            try scene.jobs([1], on: db)
            return try scene.worker(on: db)
        }
        let heard = try await heard(database) {
            try await database.run { db throws in
                #expect(try scene.registry.setQuiet(true, "ada", on: db).map(\.wasQuiet) == [false])
                #expect(try queue.claim(1, from: scene.lane, for: ada, on: db).obstacle == .quiet)
                #expect(try scene.registry.workers(on: db).map(\.isQuiet) == [true])
                #expect(try scene.registry.setQuiet(false, "\(ada)", on: db).map(\.wasQuiet) == [true])
                #expect(try queue.claim(1, from: scene.lane, for: ada, on: db).jobs.count == 1)
                #expect(try scene.registry.workers(on: db).map(\.lanes) == [["gazetteer"]])
                #expect(throws: QueueError.self) { try scene.registry.setQuiet(true, "bob", on: db) }
            }
        }
        #expect(heard == ["waypost_jobs gazetteer"])
    }
}

extension LaneSetting.Values {
    fileprivate var lowest: LaneSetting.Value {
        switch self {
        case .count(let range, _): .count(range.lowerBound)
        case .time(let range): .time(range.lowerBound)
        case .price: .price(Price(per1000Calls: 0, currency: "EUR"))
        }
    }

    fileprivate var highest: LaneSetting.Value {
        switch self {
        case .count(let range, _): .count(range.upperBound)
        case .time(let range): .time(range.upperBound)
        case .price(let most): .price(Price(per1000Calls: most, currency: "EUR"))
        }
    }
}
