import DatabaseTesting
import Operations
import Postgres
import Queue
import ServerTesting
import Testing

/// Workers that are milliseconds away from the database, and their calls as the provider sees them.
@Suite(.database, .serialized)
struct DistantWorkerTests {
    /// Records the times of calls, on this machine's clock.
    private final class Witness: Sendable {
        private let calls = Locked([ContinuousClock.Instant]())

        var provider: TestProvider {
            TestProvider { [calls] addresses in
                calls.withLock { $0.append(.now) }
                return addresses.map(TestProvider.house)
            }
        }

        var moments: [ContinuousClock.Instant] { calls.withLock { $0.sorted() } }
    }

    private struct Way: Sendable, CustomTestStringConvertible {
        let roundTrip: Double
        var loss = 0.0
        var testDescription: String { "\(roundTrip) ms" }
    }

    private static let trials: [(limit: String, ways: [Way], share: Double)] = [
        ("50/s", [Way(roundTrip: 12)], 0.9),
        ("50/s", [Way(roundTrip: 50), Way(roundTrip: 0)], 0.9),
        ("50/s", [Way(roundTrip: 200, loss: 0.01)], 0.8),
        ("50/s:burst=20", [Way(roundTrip: 200, loss: 0.01), Way(roundTrip: 50), Way(roundTrip: 0)], 0.8),
    ]

    @Test(arguments: trials)
    private func `a distant worker uses its lane and keeps the limit at the provider's socket`(
        _ trial: (limit: String, ways: [Way], share: Double)
    ) async throws {
        let database = try Database.test
        let limit = try #require(RateLimit(text: trial.limit))
        try await fill(database, with: 1_000)
        try await database.transaction { try JobQueue().setLimits([limit], of: "gazetteer", on: $0) }
        let witness = Witness()
        let url = try Database.testURL
        try await withThrowingTaskGroup { group in
            for (number, way) in trial.ways.enumerated() {
                group.addTask {
                    let server = try DistantServer(to: url, roundTrip: .milliseconds(way.roundTrip), loss: way.loss)
                    let database = Database(url: server.url, options: .init(size: 4))
                    let worker = worker(witness.provider, named: "w\(number)", on: database, callsAtOnce: 500)
                    // The first call comes after about twenty round trips.
                    try await with(worker) { try? await Task.sleep(for: .seconds(9 + way.roundTrip / 50)) }
                    await database.close()
                    server.close()
                }
            }
            try await group.waitForAll()
        }
        let moments = witness.moments
        let first = try #require(moments.first)
        let seconds = moments.map { first.duration(to: $0) / .seconds(1) }
        var audit = CallAudit(of: [limit])
        for moment in seconds { audit.add(moment) }
        // Some instructions run between the look at the clock and the provider, and perhaps another process.
        #expect(audit.limits[0].excess <= limit.perSecond * 0.005, "\(seconds.count) calls")
        // The first two seconds are the workers' start.
        let perSecond = (0..<9).map { second in seconds.count { Int($0) == second } }
        let lane = try await database.run { try JobQueue().lane("gazetteer", on: $0) }
        #expect(
            Double(perSecond[2..<8].reduce(0, +)) >= trial.share * limit.perSecond * 6,
            "calls in each second: \(perSecond), void: \(lane.voided)")
    }
}
