import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// A worker that knows the database's clock only within `width` seconds. All its calls are late by the same `offset`,
/// until it starts new bounds.
struct DistantWorker {
    let id: Int
    let width: Double
    private(set) var offset: Double
    private(set) var isSteady = false

    init(_ id: Int, width: Double) {
        self.id = id
        self.width = width
        offset = [0, width, .random(in: 0...width)].randomElement() ?? 0
    }

    /// The times at which the calls of these slots leave.
    mutating func calls(_ slots: [Double], grace: Double) -> [Double] {
        if !slots.isEmpty { isSteady = true }
        let lateness = [0...0, 0...grace, grace...grace].randomElement() ?? 0...0
        return slots.map { $0 + offset + .random(in: lateness) }
    }

    mutating func reckonAnew() { self = DistantWorker(id, width: width) }
}

/// By how many calls the worst window exceeds `burst + rate * t`.
func excess(_ calls: [Double], over limit: RateLimit) -> Double {
    var audit = CallAudit(of: [limit])
    for moment in calls.sorted() { audit.add(moment) }
    return audit.limits[0].excess
}

/// Random turns of claims: the worker, how much it claims and when. The group of near and distant workers changes every
/// 40 turns.
func turns(_ count: Int) -> [(worker: Int, room: Int, pause: Double, isAnew: Bool)] {
    var crew = [0]
    return (1...count).map { number in
        if number % 40 == 1 { crew = (0..<5).filter { _ in Bool.random() } + [.random(in: 0..<5)] }
        let pause = [0, .random(in: 0...0.5), .random(in: 0...3), .random(in: 20...90)]
        return (
            crew.randomElement() ?? 0, [.random(in: 1...5), 1_000].randomElement() ?? 1,
            Int.random(in: 0..<30) == 0 ? pause[3] : pause[Int.random(in: 0..<3)], Int.random(in: 0..<20) == 0
        )
    }
}

private let widths = [0, 0, 0.012, 0.05, 0.2]

private let limits = [
    "5/s", "50/s", "300/s", "1/s", "20/s:burst=1", "7/s:burst=1", "100/s:burst=1.5", "20/s, 300/min", "20/s:burst=12",
    "30/s:burst=1, 40/2s:burst=9",
]

func parse(_ text: String) -> [RateLimit] {
    text.split(separator: ", ").compactMap { RateLimit(text: String($0)) }
}

struct DistantLaneSimulationTests {
    /// The state of `note_spread`.
    private struct Spread {
        var widest = 0.0
        var before = 0.0
        var since = 0.0
        mutating func note(_ width: Double, at now: Double) -> Double {
            if now - since >= 60 {
                (before, widest, since) = (now - since < 120 ? widest : 0, width, now)
            } else {
                widest = max(widest, width)
            }
            return max(before, widest)
        }
    }

    @Test(arguments: limits)
    func `no window exceeds the limit, whatever near and distant workers come and go`(_ text: String) {
        let limits = parse(text)
        for grace in [0.0, 0.01, 0.05] {
            var state = limits.map { LimitState($0, grace: .seconds(grace), fullIn: 0) }
            var workers = widths.enumerated().map { DistantWorker($0, width: $1) }
            var (spread, last, now, calls) = (Spread(), -1, 0.0, [Double]())
            for turn in turns(400) {
                now += turn.pause
                state.wait(turn.pause)
                if turn.isAnew { workers[turn.worker].reckonAnew() }
                state.spread(to: .seconds(spread.note(workers[turn.worker].width, at: now)))
                let isOther = last != turn.worker || !workers[turn.worker].isSteady
                let slots = state.takeSlots(
                    turn.room, lead: .random(in: 0...0.4), uncertainty: workers[turn.worker].width, isOther: isOther
                ).starts
                if !slots.isEmpty { last = turn.worker }
                calls += workers[turn.worker].calls(slots.map { $0 + now }, grace: grace)
            }
            for limit in limits { #expect(excess(calls, over: limit) <= 1e-6, "grace \(grace)") }
        }
    }

    @Test(arguments: [
        ("5/s", 0.05, 0.95), ("50/s", 0.05, 0.95), ("300/s", 0.05, 0.95), ("1/s", 0.05, 0.95), ("1/s", 0.2, 0.8),
        ("50/s", 0.2, 0.8), ("300/s", 0.2, 0.8), ("7/s:burst=1", 0.2, 0.8),
    ])
    func `distant workers use nearly all that is permitted`(_ text: String, width: Double, share: Double) {
        let limits = parse(text)
        for crew in [1, 3] {
            var state = limits.map { LimitState($0, grace: .milliseconds(10), spread: .seconds(width), fullIn: 0) }
            var (last, now, count) = (-1, 0.0, 0)
            while now < 300 {
                let pause = Double.random(in: 0.3...0.7) / Double(crew)
                now += pause
                state.wait(pause)
                let worker = Int.random(in: 0..<crew)
                let slots = state.takeSlots(1_000, lead: 4 * width, uncertainty: width, isOther: worker != last).starts
                if !slots.isEmpty { last = worker }
                count += slots.count
            }
            #expect(Double(count) >= share * limits[0].perSecond * (now + 2), "\(count) by \(crew)")
        }
    }
}

@Suite(.database)
struct DistantLaneTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }

    private func spread(on db: isolated Connection) throws -> Double {
        try value(
            "SELECT extract(epoch FROM greatest(spread, spread_before)) AS value FROM lanes WHERE name = \(lane)",
            on: db)
    }

    /// Makes this time pass for the lane.
    private func wait(_ seconds: Double, on db: isolated Connection) throws {
        let time = Duration.seconds(seconds)
        try db.query("UPDATE token_buckets SET full_at = full_at - \(time)::interval")
        try db.query("UPDATE lanes SET spread_since = spread_since - \(time)::interval")
    }

    @Test(arguments: limits)
    func `claim_jobs gives near and distant workers slots that obey the limits`(_ text: String) async throws {
        let limits = parse(text)
        try await Database.test.run { db throws in
            try queue.setLimits(limits, of: lane, on: db)
            var workers = try widths.map { DistantWorker(Int(try scene.worker(on: db)), width: $0) }
            var (passed, calls) = (0.0, [Double]())
            for turn in turns(120) {
                passed += turn.pause
                try wait(turn.pause, on: db)
                // Not more jobs than slots can be given, so that the table stays short.
                try scene.jobs(Array(1...min(turn.room, 400)), on: db)
                if turn.isAnew { workers[turn.worker].reckonAnew() }
                let worker = workers[turn.worker]
                let claim = try queue.claim(
                    turn.room, from: lane, for: worker.id, lead: .seconds(Double.random(in: 0...0.4)),
                    uncertainty: .seconds(worker.width), isSteady: worker.isSteady, on: db)
                let slots = claim.jobs.compactMap(\.slot)
                #expect(slots.allSatisfy { abs(($0.closes - $0.opens) / .seconds(1) - worker.width - 0.01) < 1e-5 })
                calls += workers[turn.worker].calls(slots.map { $0.opens / .seconds(1) + passed }, grace: 0.01)
                try db.query("DELETE FROM jobs")
            }
            #expect(calls.count > 30)
            for limit in limits { #expect(excess(calls, over: limit) <= 1e-4) }
        }
    }

    @Test func `the spread rises at once, and falls after a minute without a claim from so far away`() async throws {
        try await Database.test.run { db throws in
            let (near, far) = (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
            try scene.limit("50/s", on: db)
            func claim(_ worker: WorkerID, _ uncertainty: Double, on db: isolated Connection) throws {
                try scene.jobs([1], on: db)
                let claim = try queue.claim(1, from: lane, for: worker, uncertainty: .milliseconds(uncertainty), on: db)
                #expect(claim.jobs.count == 1)
            }
            try claim(near, 0, on: db)
            #expect(try spread(on: db) == 0)
            try claim(far, 50, on: db)
            #expect(try spread(on: db) == 0.05)
            try wait(59, on: db)
            try claim(near, 0, on: db)
            #expect(try spread(on: db) == 0.05)
            try wait(2, on: db)
            try claim(near, 0, on: db)
            #expect(try spread(on: db) == 0.05)
            try wait(50, on: db)
            try claim(near, 0, on: db)
            #expect(try spread(on: db) == 0.05)
            try wait(11, on: db)
            try claim(near, 0, on: db)
            #expect(try spread(on: db) == 0)
        }
    }

    @Test func `the burst regained by a smaller spread is not given at once`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.limit("50/s", on: db)
            try scene.jobs([1], on: db)
            _ = try queue.claim(1, from: lane, for: ada, uncertainty: .milliseconds(50), on: db)
            try wait(121, on: db)
            func fullAt(on db: isolated Connection) throws -> Double {
                try value("SELECT extract(epoch FROM full_at) AS value FROM token_buckets", on: db)
            }
            try db.query("UPDATE token_buckets SET full_at = clock_timestamp() + interval '1 second'")
            let before = try fullAt(on: db)
            try scene.jobs([1], on: db)
            _ = try queue.claim(1, from: lane, for: ada, on: db)
            // The slot's 0.02 s and the spread's 0.05 s.
            #expect(try abs(fullAt(on: db) - before - 0.07) < 1e-4)
        }
    }

    @Test func `a worker too far away is told so and gets nothing from a limited lane`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1, 2], on: db)
            try scene.limit("50/s", on: db)
            let claim = try queue.claim(1, from: lane, for: ada, uncertainty: .milliseconds(1_001), on: db)
            #expect(claim.obstacle == .tooFar && claim.jobs.isEmpty)
            #expect(try spread(on: db) == 0)
            try queue.setLimits([], of: lane, on: db)
            #expect(try queue.claim(1, from: lane, for: ada, uncertainty: .seconds(5), on: db).jobs.count == 1)
        }
    }

    @Test func `the arithmetic of a distant lane is the same in SQL and in Swift`() async throws {
        try await Database.test.run { db throws in
            for text in limits {
                for limit in parse(text) {
                    for (pace, grace, spread) in [(1.0, 0.01, 0.0), (0.5, 0.01, 0.05), (1, 0, 0.2), (0.7, 0.3, 1)] {
                        let ours = LimitState(
                            limit, pace: pace, grace: .seconds(grace), spread: .seconds(spread), fullIn: 0)
                        let theirs = try db.query(
                            """
                            SELECT capacity, spacing, gap
                            FROM careful_limit(
                                \(limit.calls), \(limit.per)::interval, \(limit.burst), \(pace)::real,
                                \(Duration.seconds(grace))::interval, \(Duration.seconds(spread))::interval)
                            """)[0]
                        #expect(abs(try theirs.read("capacity") - ours.capacity) < 1e-6)
                        #expect(abs(try theirs.read("spacing") - ours.spacing) < 1e-6 * ours.spacing)
                        #expect(abs(try theirs.read("gap") - ours.gap) < 1e-6)
                    }
                }
            }
        }
    }
}
