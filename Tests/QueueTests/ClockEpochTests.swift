import DatabaseTesting
import Postgres
import Testing

@testable import Queue

@Suite(.database)
struct ClockEpochTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }

    private func seconds(_ what: String, of table: String, on db: isolated Connection) throws -> Double {
        try db.query(
            "SELECT extract(epoch FROM \(identifier: what) - clock_timestamp()) AS value FROM \(identifier: table)")[0]
            .read("value")
    }

    /// After a clock step of `step`, all stored times are moved with it. The test moves the times instead of the clock.
    @Test(arguments: [5.0, 600, -5, -600])
    func `a clock step moves all stored times that wait or count`(_ step: Double) async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2], on: db)
            try scene.limit("1/s:burst=3", on: db)
            // After the step, a time written just before it is off by this much.
            let past = Duration.seconds(-step)
            let start = ContinuousClock.now
            /// Since the start the clock went on, on a busy machine for seconds.
            func isNear(_ value: Double, _ expected: Double) -> Bool {
                (expected - start.duration(to: .now) / .seconds(1) - 0.01...expected + 0.01).contains(value)
            }
            try db.query("UPDATE workers SET seen_at = clock_timestamp() + \(past)::interval")
            try db.query("UPDATE leadership SET until = clock_timestamp() + \(past)::interval + interval '10 seconds'")
            try db.query(
                """
                UPDATE jobs SET run_at = clock_timestamp() + \(past)::interval
                    + CASE WHEN subjects = '{1}' THEN interval '1000 seconds' ELSE '0' END
                """)
            try db.query(
                "UPDATE token_buckets SET full_at = clock_timestamp() + \(past)::interval + interval '2 seconds'")
            try db.query(
                """
                UPDATE lanes SET blocked_because = 'test',
                    blocked_until = clock_timestamp() + \(past)::interval + interval '60 seconds'
                """)
            // One job is held, and its call left two seconds ago.
            try db.query(
                """
                UPDATE jobs
                SET worker = \(ada), lease = 1, starts_at = clock_timestamp() + \(past)::interval - interval '2 seconds'
                WHERE subjects = '{2}'
                """)
            #expect(try queue.shiftClock(by: .seconds(step), after: 0, on: db))
            #expect(try !queue.shiftClock(by: .seconds(step), after: 0, on: db))
            #expect(isNear(try seconds("seen_at", of: "workers", on: db), 0))
            #expect(isNear(try seconds("until", of: "leadership", on: db), 10))
            #expect(isNear(try seconds("blocked_until", of: "lanes", on: db), 60))
            // After a step backwards, a short debt that either clock may have written stays.
            let debt = try seconds("full_at", of: "token_buckets", on: db)
            #expect(isNear(debt, 2) || step == -5 && isNear(debt, 7))
            let waits: [Double] = try db.query(
                "SELECT extract(epoch FROM run_at - clock_timestamp()) AS wait FROM jobs ORDER BY subjects"
            ).map { try $0.read("wait") }
            #expect(isNear(waits[0], 1_000) && waits[1] < 0)
            let begun: Double = try db.query(
                "SELECT extract(epoch FROM starts_at - clock_timestamp()) AS value FROM jobs WHERE worker IS NOT NULL")[
                    0
                ]
                .read("value")
            #expect(isNear(begun, -2))
            #expect(try scene.registry.rescue(on: db).freed == 0)
            #expect(try db.query("SELECT FROM workers WHERE id = \(ada)").count == 1)
        }
    }

    /// The clock was found 0.01 s ahead, and gains 0.08 s in each second.
    @Test func `a slew moves the buckets, and slots are farther apart while it lasts`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...20), on: db)
            try scene.limit("2/s:burst=1", on: db)
            func fullIn(on db: isolated Connection) throws -> Double {
                try seconds("full_at", of: "token_buckets", on: db)
            }
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() + interval '100 seconds'")
            #expect(try queue.slewClock(by: .milliseconds(10), to: 0.08, after: 0, on: db))
            #expect(try !queue.slewClock(by: .milliseconds(10), to: 0.08, after: 0, on: db))
            #expect(abs(try fullIn(on: db) - 108) < 1)
            let reading = try queue.clockReading(on: db)
            #expect(reading.epoch == 1 && reading.rate == 0.08)
            #expect(try queue.clockSteps(last: .seconds(60), on: db).isEmpty)
            #expect(try queue.clockChanges(from: 0, to: 1, on: db).map(\.rate) == [0.08])
            #expect(try Doctor().examine(on: db).contains { $0.check == "clock rate" && $0.verdict == .ok })
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() - interval '1 second'")
            let slots = try queue.claim(10, from: scene.lane, for: ada, on: db).jobs.compactMap(\.slot?.opens).sorted()
            // Without a burst the grace of 10 ms is between the calls.
            #expect(slots.count > 2)
            for (one, next) in zip(slots, slots.dropFirst()) {
                #expect(abs((next - one) / .seconds(1) - (0.5 * 1.08 + 0.01)) < 1e-4)
            }
            // When the slew ends, a slot that is promised keeps its cost.
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() + interval '112 seconds'")
            #expect(try queue.slewClock(by: .milliseconds(-7), to: 0, after: 1, on: db))
            #expect(abs(try fullIn(on: db) - 104) < 1)
            #expect(try queue.clockRate(at: "clock_timestamp()", on: db) == 0)
        }
    }

    @Test func `a claim made with an outdated clock gets no job and takes no token`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2, 3], on: db)
            try scene.limit("1/s:burst=3", on: db)
            let now = try queue.clockReading(on: db).shown
            func claim(_ epoch: Int, _ earliest: Double, _ latest: Double, on db: isolated Connection) throws -> Claim {
                try queue.claim(
                    1, from: scene.lane, for: ada,
                    expecting: ExpectedClock(
                        epoch: epoch, earliest: now + .seconds(earliest), latest: now + .seconds(latest)), on: db)
            }
            let before: String = try value("SELECT full_at::text AS value FROM token_buckets", on: db)
            for claim in [
                try claim(1, -1, 60, on: db), try claim(0, 30, 60, on: db), try claim(0, -60, -30, on: db),
            ] {
                #expect(claim.obstacle == .clock && claim.jobs.isEmpty)
            }
            #expect(try value("SELECT full_at::text AS value FROM token_buckets", on: db) == before)
            #expect(try claim(0, -1, 60, on: db).jobs.count == 1)
        }
    }

    @Test func `a new worker waits in a limited lane until the clock is checked after its start`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            func isConfirmed(_ worker: Int, on db: isolated Connection) throws -> Bool {
                try queue.isClockConfirmed(for: worker, in: scene.lane, on: db)
            }
            // In a lane without limits no worker waits.
            #expect(try isConfirmed(ada, on: db))
            try scene.limit("1/s", on: db)
            #expect(try !isConfirmed(ada, on: db))
            let newest = try queue.newestWorker(on: db)
            let bob = try scene.worker(on: db)
            let check = ClockCheck(boot: "b", from: 1, to: 1.5, shown: 1_000)
            try queue.confirmClock(of: 1, for: newest, check, on: db)
            #expect(try !isConfirmed(ada, on: db))
            #expect(try queue.lastClockCheck(on: db) == nil)
            let use = try queue.clockUse(on: db)
            try queue.confirmClock(of: 0, for: newest, check, on: db)
            #expect(try queue.lastClockCheck(on: db)?.check == check)
            #expect(try queue.clockUse(on: db).isNew(since: use))
            #expect(try isConfirmed(ada, on: db))
            #expect(try !isConfirmed(bob, on: db))
        }
    }

    @Test func `an audit counts by the workers' clocks while the database's is slewed`() throws {
        let limit = try #require(RateLimit(text: "10/s:burst=1"))
        // The clock gains a tenth from the beginning on. At the 55th second the gain is 5 s, and ends.
        func audit(_ calls: [Double]) -> CallAudit {
            var audit = CallAudit(of: [limit])
            let end = ClockStep(noticedAt: .seconds(55), size: .zero, rate: 0, age: .zero)
            var timeline = SteppedTimeline([end], since: 0, rate: 0.1)
            for call in calls { timeline.add(call < 50 ? call * 1.1 : call + 5, to: &audit) }
            return audit
        }
        let calls = (0..<1_000).map { Double($0) / 10 }
        #expect(!audit(calls).isExceeded)
        #expect(audit(calls).limits[0].usedShare > 0.99)
        #expect(audit(calls.map { $0 * 0.99 }).isExceeded)
    }

    @Test func `an audit continues across a step forwards and is split by a step backwards`() throws {
        let limit = try #require(RateLimit(text: "10/s:burst=1"))
        func audit(_ step: Double, noticed: Double, _ moments: [Double]) -> (CallAudit, Int) {
            var audit = CallAudit(of: [limit])
            var timeline = SteppedTimeline(
                [ClockStep(noticedAt: .seconds(noticed), size: .seconds(step), age: .zero)], since: 0)
            for moment in moments.sorted() { timeline.add(moment, to: &audit) }
            return (audit, timeline.unclear)
        }
        // Calls a tenth of a second apart; the clock jumps by five seconds at the tenth call.
        let true10 = (0..<20).map { Double($0) / 10 }
        #expect(audit(5, noticed: 6, true10.map { $0 < 1 ? $0 : $0 + 5 }).0.isExceeded == false)
        // One call too many right after the step is detected.
        #expect(audit(5, noticed: 6, (true10 + [0.95]).map { $0 < 0.93 ? $0 : $0 + 5 }).0.isExceeded)
        // A step backwards by half a second: that half second happens twice.
        let back = audit(-0.5, noticed: 0.5, true10.map { $0 < 1 ? $0 : $0 - 0.5 })
        #expect(!back.0.isExceeded)
        #expect(back.1 > 0)
    }

    /// Each change of the clock may be noticed at a moment that comes twice because of an earlier one.
    @Test(arguments: 0..<200) func `no audit reports more calls than there were, however the clock changed`(
        _ number: Int
    ) throws {
        let limit = try #require(RateLimit(text: "10/s:burst=1"))
        var steps: [ClockStep] = []
        // True seconds, the clock's moment then, and its rate from then on.
        var epochs = [(begin: 0.0, from: 0.0, rate: 0.0)]
        func moment(_ time: Double) -> Double {
            let epoch = epochs.last { $0.begin <= time } ?? epochs[0]
            return epoch.from + (time - epoch.begin) * (1 + epoch.rate)
        }
        for _ in 1...6 {
            let begin = epochs[epochs.count - 1].begin + Double.random(in: 0.1...8)
            let size = Double.random(in: 0...1) < 0.5 ? Double.random(in: -6...6) : Double.random(in: -0.006...0.006)
            let (from, rate) = (moment(begin) + size, Double.random(in: 0...0.08))
            epochs.append((begin, from, rate))
            steps.append(ClockStep(noticedAt: .seconds(from), size: .seconds(size), rate: rate, age: .zero))
        }
        var audit = CallAudit(of: [limit])
        var timeline = SteppedTimeline(steps, since: 0)
        var added = 0
        for moment in (0..<600).map({ moment(Double($0) / 10) }).sorted() where timeline.add(moment, to: &audit) {
            added += 1
        }
        #expect(audit.limits[0].excess < 0.001, "\(steps)")
        #expect(added + timeline.unclear == 600)
        // Twice as much as each step back at most.
        let back = steps.reduce(0) { $0 + max(0, 0 - $1.size / .seconds(1)) }
        #expect(Double(timeline.unclear) < back * 22 + 12)
    }
}
