import DatabaseTesting
import Foundation
import Postgres
import Testing

@testable import Queue

/// One case of `slots.json`: the state of the buckets at a claim, and the slots that it must give.
struct SlotVector: Codable, Sendable, CustomTestStringConvertible {
    let says: String
    let fulls, capacities, spacings: [Double]
    let most: Int
    let lead: Double?
    let horizon: Double
    let starts: [Double]
    let next: Double
    let fullsAfter: [Double]

    var testDescription: String { says }

    static var all: [SlotVector] {
        get throws {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "slots.json")
            return try JSONDecoder().decode([SlotVector].self, from: Data(contentsOf: file))
        }
    }
}

private func isNear(_ one: [Double], _ other: [Double]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-9 }
}

@Suite(.database)
struct SlotTests {
    @Test func `the SQL function equals the Swift function, for the vectors and for random input`() async throws {
        var cases = try SlotVector.all.map { ($0.fulls, $0.capacities, $0.spacings, $0.most, $0.lead ?? 0, $0.horizon) }
        for _ in 1...300 {
            let buckets = Int.random(in: 1...4)
            func some(_ range: ClosedRange<Double>) -> [Double] { (1...buckets).map { _ in .random(in: range) } }
            cases.append(
                (
                    some(0...3), some(1...20), some(0.001...1), .random(in: 0...60), .random(in: 0...0.5),
                    .random(in: 0...3)
                ))
        }
        let all = cases
        try await Database.test.run { db throws in
            for (fulls, capacities, spacings, most, lead, horizon) in all {
                var after = fulls
                let ours = nextSlots(
                    &after, capacities: capacities, spacings: spacings, most: most, lead: lead, horizon: horizon)
                let theirs = try db.query(
                    """
                    SELECT fulls, starts, next
                    FROM slots(\(fulls), \(capacities), \(spacings), \(most)::integer, \(lead), \(horizon))
                    """)[0]
                #expect(isNear(try theirs.read("starts"), ours.starts))
                #expect(isNear(try theirs.read("fulls"), after))
                #expect(abs(try theirs.read("next", as: Double.self) - ours.next) < 1e-9)
            }
        }
    }

    /// The claim's own part: it turns limits, grace and pace into capacities and spacings.
    @Test(arguments: [
        [RateLimit(5, per: .seconds(1))], [RateLimit(1, per: .seconds(1))],
        [RateLimit(20, per: .seconds(1)), RateLimit(300, per: .seconds(60))],
        [RateLimit(2_500, per: .seconds(86_400), burst: 3)],
    ])
    func `claim_jobs gives the slots predicted by the Swift arithmetic`(_ limits: [RateLimit?]) async throws {
        let limits = limits.compactMap(\.self)
        try await Database.test.run { db throws in
            let scene = Scene()
            let lane = scene.lane
            try scene.jobs(Array(1...100), on: db)
            let ada = try scene.worker(on: db)
            try scene.queue.setLimits(limits, of: lane, on: db)
            try db.query("UPDATE token_buckets SET full_at = now() - interval '1 second'")
            try db.query("UPDATE lanes SET pace = 0.5, grace = '20 milliseconds'")
            var state = limits.map { LimitState($0, pace: 0.5, grace: .milliseconds(20), fullIn: -1) }
            let foreseen = state.takeSlots(100)
            let claimed = try scene.queue.claim(100, from: lane, for: ada, on: db)
            let opens = claimed.jobs.compactMap(\.slot?.opens).sorted()
            let starts = opens.map { ($0 - opens[0]) / .seconds(1) }
            #expect(starts.count == foreseen.starts.count)
            #expect(zip(starts, foreseen.starts).allSatisfy { abs($0 - $1) < 1e-5 })
            #expect(claimed.jobs.allSatisfy { $0.slot.map { $0.closes - $0.opens } == .milliseconds(20) })
            let lookIn = try #require(claimed.lookIn) / .seconds(1)
            #expect(abs(lookIn - (foreseen.next - 2)) < 1e-5)
        }
    }
}

/// Simulates a day of a lane: claims of any size at any time, and calls late by up to the grace.
struct LimitSimulationTests {
    @Test(arguments: try SlotVector.all)
    func `slots open when all buckets contain a token`(_ vector: SlotVector) {
        var fulls = vector.fulls
        let slots = nextSlots(
            &fulls, capacities: vector.capacities, spacings: vector.spacings, most: vector.most,
            lead: vector.lead ?? 0, horizon: vector.horizon)
        #expect(isNear(slots.starts, vector.starts), "\(slots.starts)")
        #expect(abs(slots.next - vector.next) < 1e-9, "\(slots.next)")
        #expect(isNear(fulls, vector.fullsAfter), "\(fulls)")
    }

    struct Lane: Sendable, CustomTestStringConvertible {
        let limits: [RateLimit]
        let seconds: Double
        var testDescription: String { limits.map(\.text).joined(separator: ", ") }

        init(_ limits: String..., seconds: Double) {
            self.limits = limits.compactMap(RateLimit.init(text:))
            self.seconds = seconds
        }
    }

    static let lanes = [
        Lane("5/s", seconds: 10_000), Lane("50/s", seconds: 1_000), Lane("500/s", seconds: 100),
        Lane("1/s", seconds: 86_400), Lane("20/s", "300/min", seconds: 10_000), Lane("1/s", "2500/d", seconds: 200_000),
        Lane("7/s:burst=1", seconds: 10_000), Lane("100/s:burst=1.5", seconds: 5_000),
    ]

    /// By how many calls the worst window exceeds `capacity + refill * t`.
    private func excess(_ calls: [Double], over limit: RateLimit) -> Double {
        var (worst, best) = (-Double.infinity, -Double.infinity)
        for (number, at) in calls.enumerated() {
            best = max(best, limit.perSecond * at - Double(number))
            worst = max(worst, Double(number + 1) - limit.perSecond * at + best - limit.burst)
        }
        return worst
    }

    /// The times of calls, by claimers with random times, sizes and delays.
    private func calls(in lane: Lane, grace: Double, lateness: ClosedRange<Double>, isBusy: Bool) -> [Double] {
        var state = lane.limits.map { LimitState($0, grace: .seconds(grace), fullIn: 0) }
        var (now, calls) = (0.0, [Double]())
        while now < lane.seconds {
            let most = isBusy ? 10_000 : Int.random(in: 1...10)
            for start in state.takeSlots(most).starts { calls.append(now + start + .random(in: lateness)) }
            let pause = isBusy ? .random(in: 0.1...1.5) : -log(Double.random(in: 0.001...1)) * 3
            state.wait(pause)
            now += pause
        }
        return calls.sorted()
    }

    @Test(arguments: lanes)
    func `no window of a day exceeds the limit, however late calls are within the grace`(_ lane: Lane) {
        for isBusy in [true, false] {
            for lateness in [0...0, 0...0.01, 0.01...0.01] {
                let calls = calls(in: lane, grace: 0.01, lateness: lateness, isBusy: isBusy)
                for limit in lane.limits { #expect(excess(calls, over: limit) <= 1e-6) }
            }
        }
    }

    @Test(arguments: lanes.prefix(6))
    func `with a backlog, at least 99 % of the permitted calls are made`(_ lane: Lane) {
        let calls = calls(in: lane, grace: 0.01, lateness: 0...0.01, isBusy: true)
        let span = (calls.last ?? 0) - (calls.first ?? 0)
        let permitted = lane.limits.map { $0.permitted(in: .seconds(span)) }.min() ?? 0
        #expect(Double(calls.count) >= permitted * 0.99, "\(calls.count) of \(permitted)")
    }
}
