import Cluster
import DatabaseTesting
import HTTP
import Postgres
import Processes
import Questions
import Queue
import ServerTesting
import Testing

/// Workers that are milliseconds away from the database, and their calls as the provider sees them.
@Suite(.database)
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

        func note() { calls.withLock { $0.append(.now) } }
    }

    /// Calls in a lane of their own, which show how much of the limit this machine can use at the moment.
    private struct NearCalls: LaneWork {
        let lane = "near"
        let witness = Witness()

        func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Int] {
            Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.subjects[0]) })
        }

        func call(_ subject: Int, _ departure: Departure) async -> Reply<Void> {
            guard departure.leave() else { return Reply(.void) }
            witness.note()
            return Reply(.done())
        }

        func store(
            _ ends: [JobEnd<Void>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
        ) throws {}
    }

    /// Measures by how much a task of this process wakes too late, at most.
    private func longestDelay(while body: () async throws -> Void) async throws -> Duration {
        let longest = Locked(Duration.zero)
        let metronome = Task {
            while !Task.isCancelled {
                let due = ContinuousClock.now + .milliseconds(2)
                try await Task.sleep(until: due, tolerance: .zero)
                let delay = due.duration(to: .now)
                longest.withLock { $0 = max($0, delay) }
            }
        }
        defer { metronome.cancel() }
        try await body()
        return longest.withLock { $0 }
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
        try await fill(database, with: 1_000 * Self.mostRuns)
        try await database.transaction { db in
            try JobQueue().setLimits([limit], of: "gazetteer", on: db)
            try JobQueue().prepareLane("near", batch: 1, limits: [limit], attribution: "", on: db)
            _ = try JobQueue().enqueue(Array(1...1_000 * Self.mostRuns), in: "near", on: db)
        }
        var runs: [Use] = []
        repeat {
            runs.append(try await use(of: trial.ways, under: limit, on: database))
        } while runs.count < Self.mostRuns && !runs.contains { $0.reaches(trial.share) }
        let lane = try await database.run { try JobQueue().lane("gazetteer", on: $0) }
        #expect(runs.contains { $0.reaches(trial.share) }, "\(runs), void: \(lane.voided)")
    }

    /// Other work on this machine may disturb one run, but not every run.
    private static let mostRuns = 3

    /// The calls of one run.
    private struct Use {
        /// The calls in each second.
        let perSecond: [Int]
        /// The calls from the third second on, which the near worker made, or the limit if it is less.
        let possible: Double

        /// By how much a task woke up too late, at most.
        let delay: Duration

        /// The first two seconds are the workers' start. Where tasks wake up much too late, the clock of a distant server
        /// is not known precisely enough for each slot, and half of the share is enough.
        func reaches(_ share: Double) -> Bool {
            let used = Double(perSecond[2..<8].reduce(0, +))
            return used >= share * possible * (delay > .milliseconds(20) ? 0.5 : 1)
        }
    }

    private func use(of ways: [Way], under limit: RateLimit, on database: Database) async throws -> Use {
        let (witness, near) = (Witness(), NearCalls())
        let nearWorker = Worker(
            name: "near", database: database, works: [near], registry: ProcessRegistry(), callsAtOnce: 500, log: silent)
        let delay = try await longestDelay {
            try await with(nearWorker) { try await run(ways, witness) }
        }
        let moments = witness.moments
        let first = try #require(moments.first)
        let seconds = moments.map { first.duration(to: $0) / .seconds(1) }
        var audit = CallAudit(of: [limit])
        for moment in seconds { audit.add(moment) }
        // Some instructions run between the look at the clock and the provider, and perhaps another process.
        #expect(
            audit.limits[0].excess <= limit.perSecond * max(0.005, delay / .seconds(1)),
            "\(seconds.count) calls, a task woke up to \(delay) late")
        let begin = first + .seconds(2)
        let nearCalls = near.witness.moments.count { begin <= $0 && $0 < begin + .seconds(6) }
        return Use(
            perSecond: (0..<9).map { second in seconds.count { Int($0) == second } },
            possible: min(limit.perSecond * 6, Double(nearCalls)), delay: delay)
    }

    private func run(_ ways: [Way], _ witness: Witness) async throws {
        let url = try Database.testURL
        try await withThrowingTaskGroup { group in
            for (number, way) in ways.enumerated() {
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
    }
}
