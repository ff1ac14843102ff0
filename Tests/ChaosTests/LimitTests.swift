import Foundation
import Processes
import Testing

@testable import Chaos

struct LimitTests {
    private let limit = Limit(refill: 2, per: 1, capacity: 3)

    @Test func `the excess is that of the worst window`() {
        var random = SystemRandomNumberGenerator()
        for _ in 1...50 {
            let calls = (1...60).map { _ in Double.random(in: 0...30, using: &random) }.sorted()
            var worst = -Double.infinity
            for begin in calls.indices {
                for end in begin..<calls.count {
                    worst = max(worst, Double(end - begin + 1) - 3 - 2 * (calls[end] - calls[begin]))
                }
            }
            #expect(abs(limit.excess(of: calls, slack: 0) - worst) < 1e-6)
        }
    }

    @Test func `one call more than permitted is an excess, and the permitted number is not`() {
        #expect(limit.excess(of: [0, 0, 0, 0.5], slack: 0) == 0)
        #expect(limit.excess(of: [0, 0, 0, 0.4], slack: 0) > 0)
        #expect(limit.excess(of: [0, 0, 0, 0.4], slack: 0.1) <= 0)
        #expect(limit.excess(of: [9, 20, 20, 20, 20], slack: 0) == 1)
    }

    @Test func `calls and rows are paired as completely as possible, in any order of arrival`() {
        // The first two calls want row 0, and the first one could also take row 1. The third call wants the row that is
        // then taken.
        var pairs = Pairing(candidates: [[0, 1], [0], [1], [2]], rows: 3)
        #expect([0, 1, 2, 3].map { pairs.pair($0) } == [true, true, false, true])
        #expect(pairs.callOf == [1, 0, 3])
    }

    /// A call that left in the middle of its slot. The slot was given 20 ms before the worker's own estimate of its
    /// beginning.
    private func call(at moment: Double, uncertainty: Double) throws -> RecordedCall {
        let times = [moment - 0.02, moment + 0.02, moment - 0.04, moment + uncertainty].map { "\(Int($0 * 1e6))" }
        return try #require(
            RecordedCall(line: "/one/1/1/worker-1/\(times.joined(separator: "/")) \(Int(moment * 1e9)) good"))
    }

    @Test func `a call matches a logged time within its worker's precision, or a lost call at its slot`()
        throws
    {
        func missing(
            _ uncertainty: Double, known: [Double] = [], lost: [Double] = [], offsets: [Double] = [0],
            unmeasured: Double = 0
        ) throws
            -> Bool
        {
            let log = CallLog(known: known, lost: lost)
            let comparison = try log.compare(
                with: [call(at: 100, uncertainty: uncertainty)], grace: 0.04, tolerance: 0.011,
                offsets: { _ in offsets }, unmeasured: { _ in unmeasured })
            return !comparison.missing.isEmpty
        }
        #expect(try !missing(0, known: [100.01]))
        #expect(try missing(0, known: [100.03]))
        #expect(try !missing(0.06, known: [100.03]))
        // The worker's uncertainty does not matter here.
        #expect(try !missing(0, lost: [99.96]))
        #expect(try missing(0.06, lost: [99.98]))
        // The clock was set by 7 s.
        #expect(try missing(0, lost: [106.9]))
        #expect(try !missing(0, lost: [106.9], offsets: [3, 10]))
        // The processes started on another host, and could not measure 4 s of the step.
        #expect(try missing(0, lost: [103], offsets: [3, 10]))
        #expect(try !missing(0, lost: [103], offsets: [3, 10], unmeasured: 4))
        #expect(try !missing(0, known: [110], offsets: [3, 10]))
    }

    @Test func `the return from an outage lasts until the next call, the next fault or the end`() {
        let chronicle = Chronicle(longestOutage: 10)
        #expect(chronicle.longestReturn([5], until: 100) == nil)
        chronicle.note(.frozen, "", since: 10, until: 20)
        #expect(chronicle.longestReturn([5, 15, 21.5, 30], until: 100) == 1.5)
        #expect(chronicle.longestReturn([5, 15], until: 100) == 80)
        chronicle.note(.killed, "", since: 20.5, until: 20.5)
        chronicle.note(.locked, "", since: 40, until: 41)
        #expect(chronicle.longestReturn([5, 15], until: 100) == 20)
        chronicle.note(.full, "", since: 50, until: 60)
        #expect(chronicle.longestReturn([5, 15, 21, 90], until: 100) == 30)
    }

    /// The whole chaos run with real processes, for a short time; `make chaos` runs it for long.
    @Test(.timeLimit(.minutes(10)))
    func `no window exceeds the limit, whatever happens to the workers`() async throws {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "Chaos")
        let trial = try await ChildProcess.output(of: program.path, ["--workers", "3", "--seconds", "10"])
        #expect(trial.exit == .code(0), "\(String(decoding: trial.output + trial.error, as: UTF8.self))")
    }
}
