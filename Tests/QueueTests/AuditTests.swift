import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// Random calls, and a check of all their windows one by one.
private struct Calls {
    let moments: [Double]

    init(_ count: Int, over seconds: Double, _ random: inout some RandomNumberGenerator) {
        // Rounded to microseconds, as the database stores them; some calls at the same time.
        moments = (0..<count).map { _ in
            let micros = Double(Int.random(in: 0...Int(seconds * 1_000_000), using: &random))
            return (Bool.random(using: &random) ? micros : (micros / 100_000).rounded() * 100_000) / 1_000_000
        }.sorted()
    }

    func excess(of limit: RateLimit) -> Double {
        moments.indices.flatMap { i in
            moments[i...].enumerated().map { Double($0 + 1) - limit.perSecond * ($1 - moments[i]) }
        }.reduce(0, max) - limit.burst
    }

    func most(in period: Double) -> Int {
        moments.indices.map { i in moments[i...].count { $0 - moments[i] <= period + 1e-9 } }.reduce(0, max)
    }
}

struct CallAuditTests {
    @Test func `one pass over the calls finds the same as checking every window`() throws {
        var random = SystemRandomNumberGenerator()
        for round in 1...60 {
            let calls = Calls(Int.random(in: 1...120, using: &random), over: Double.random(in: 0.5...20), &random)
            let limits = try ["5/s:burst=2", "1/2s", "60/min", "20/s"].map { try #require(RateLimit(text: $0)) }
            var audit = CallAudit(of: limits)
            for moment in calls.moments { audit.add(moment) }
            for limit in audit.limits {
                #expect(abs(limit.excess - calls.excess(of: limit.limit)) < 1e-6, "round \(round), \(limit.limit.text)")
                #expect(
                    limit.mostInPeriod == calls.most(in: limit.limit.per / .seconds(1)),
                    "round \(round), \(limit.limit.text)")
            }
        }
    }

    @Test func `the fullest permitted schedule obeys the limit, and one call more exceeds it`() throws {
        let limit = try #require(RateLimit(text: "10/s:burst=3"))
        var audit = CallAudit(of: [limit])
        for _ in 1...3 { audit.add(0) }
        for n in 1...5_000 { audit.add(Double(n) / 10) }
        #expect(!audit.isExceeded)
        #expect(audit.limits[0].mostInPeriod == 13)
        #expect(abs(audit.limits[0].usedShare - 1) < 1e-6)
        var earlier = audit
        earlier.add(500.0995)
        #expect(!earlier.isExceeded, "half a millisecond is the clock's")
        audit.add(500.09)
        #expect(audit.isExceeded)
        #expect(abs(audit.limits[0].excess - 0.1) < 1e-6)
    }

    @Test func `the staircase stays below the permitted line exactly where the audit finds no excess`() throws {
        var random = SystemRandomNumberGenerator()
        for round in 1...60 {
            let calls = Calls(Int.random(in: 1...3_000, using: &random), over: 60, &random)
            let limits = try ["20/s:burst=4", "1000/min"].map { try #require(RateLimit(text: $0)) }
            var audit = CallAudit(of: limits)
            var staircase = CallStaircase(of: 60)
            for moment in calls.moments {
                audit.add(moment)
                staircase.add(audit)
            }
            #expect(staircase.steps.count <= CallStaircase.most)
            #expect(
                zip(staircase.steps, staircase.steps.dropFirst()).allSatisfy { $0.at <= $1.at && $0.calls < $1.calls })
            // No left-out step was nearer to its limit.
            let least = staircase.steps.flatMap { zip($0.room, limits).map { $0 / $1.burst } }.min() ?? 0
            let worst = audit.limits.map { -$0.excess / $0.limit.burst }.min() ?? 0
            #expect(abs(least - worst) < 1e-9, "round \(round)")
        }
    }

    @Test func `without calls, no limit is exceeded`() throws {
        let audit = CallAudit(of: [try #require(RateLimit(text: "1/s"))])
        #expect(!audit.isExceeded)
        #expect(audit.limits[0].usedShare == 0)
        #expect(audit.span == 0)
    }
}

@Suite(.database)
struct AuditTests {
    private let queue = JobQueue()

    @Test func `the call log is compared with the limits of its lane`() async throws {
        var random = SystemRandomNumberGenerator()
        // More rows than the cursor fetches at once.
        let calls = Calls(12_000, over: 3_000, &random)
        let limits = try ["3/s", "300/min"].map { try #require(RateLimit(text: $0)) }
        let (audit, most) = try await Database.test.transaction { db throws in
            try queue.addLane("other", on: db)
            try queue.setLimits(limits, of: "gazetteer", on: db)
            try db.query(
                """
                INSERT INTO calls (started_at, took, worker, subjects, lane, outcome)
                SELECT now() - interval '55 minutes' + second * interval '1 second', 0.25, 1, 2, 1,
                       CASE WHEN number % 3 = 0 THEN 'lost' ELSE 'done' END::call_outcome
                FROM unnest(\(calls.moments)) WITH ORDINALITY AS call (second, number)
                """)
            // Calls of another lane and earlier calls don't count.
            try db.query(
                """
                INSERT INTO calls
                VALUES (now() - interval '30 minutes', 1, 1, 1, 2, 'done'),
                       (now() - interval '2 hours', 1, 1, 1, 1, 'rate')
                """)
            let most: [Int] = try db.query(
                """
                SELECT max(in_second) AS most, max(in_minute) AS most_in_minute
                FROM (
                    SELECT count(*) OVER (ORDER BY started_at RANGE '1 second' PRECEDING) AS in_second,
                           count(*) OVER (ORDER BY started_at RANGE '1 minute' PRECEDING) AS in_minute
                    FROM calls
                    WHERE lane = 1 AND started_at > now() - interval '1 hour'
                ) AS windows
                """
            ).flatMap { [try $0.read("most"), try $0.read("most_in_minute")] }
            try db.query("UPDATE lanes SET limits_changed_at = now() - interval '1 day'")
            return (try queue.audit("gazetteer", last: .seconds(3_600), on: db), most)
        }
        #expect(audit.calls.calls == 12_000)
        #expect(abs(audit.calls.span - (calls.moments.last! - calls.moments[0])) < 1e-5)
        #expect(audit.calls.limits.map(\.mostInPeriod) == most)
        #expect(audit.calls.isExceeded)
        #expect(
            audit.outcomes == [
                .init(outcome: "done", calls: 8_000, subjects: 16_000, averageTook: .milliseconds(250)),
                .init(outcome: "lost", calls: 4_000, subjects: 8_000, averageTook: .milliseconds(250)),
            ])
    }

    @Test func `calls from before a change of limits are left out`() async throws {
        let audit = try await Database.test.transaction { db in
            let queue = JobQueue()
            try db.query(
                """
                INSERT INTO calls
                SELECT now() - interval '1 minute', 1, 1, 1, id, 'done' FROM lanes, generate_series(1, 9)
                WHERE name = 'gazetteer'
                """)
            let limit = try #require(RateLimit(1, per: .seconds(1)))
            try queue.setLimits([limit], of: "gazetteer", on: db)
            return try queue.audit("gazetteer", last: .seconds(3_600), on: db)
        }
        #expect(audit.calls.calls == 0)
        #expect(audit.time < .seconds(60))
    }
}
