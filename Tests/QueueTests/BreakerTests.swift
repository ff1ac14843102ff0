import DatabaseTesting
import Postgres
import Queue
import Testing

/// The breaker distinguishes a failing provider from failing jobs.
@Suite(.database)
struct BreakerTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }

    /// A provider that fails for some subjects and records its calls.
    private struct Provider {
        let fails: @Sendable (Int) -> Bool
        var passed = 0.0
        var asked: [(subject: Int, at: Double)] = []

        var answered: Int { asked.count { !fails($0.subject) } }
    }

    /// Lets a worker claim and call until `isDone`, or for this many seconds. A round of calls counts as a fifth of a
    /// second. Its real duration is subtracted, so that a busy machine gives the same result.
    private func run(
        _ provider: inout Provider, room: Int = 16, for seconds: Double, by worker: WorkerID,
        on db: isolated Connection,
        until isDone: (Provider) -> Bool = { _ in false }
    ) throws {
        var began = try moment(on: db)
        while provider.passed < seconds, !isDone(provider) {
            let claim = try queue.claim(room, from: lane, for: worker, on: db)
            let startedAt = try queue.clock(on: db)
            let reports = claim.jobs.map { job in
                provider.asked.append((job.subjects[0], provider.passed))
                return JobReport(
                    job, provider.fails(job.subjects[0]) ? .retry(reason: "500") : .done(), startedAt: startedAt,
                    took: .milliseconds(10))
            }
            _ = try queue.finish(reports, in: lane, by: worker, on: db)
            let wait = claim.jobs.isEmpty ? max(0.05, min(1, (claim.lookIn ?? .seconds(1)) / .seconds(1))) : 0.2
            provider.passed += wait
            let now = try moment(on: db)
            let time = Duration.seconds(wait - (now - began))
            began = now
            try db.query(
                """
                UPDATE lanes
                SET blocked_until = blocked_until - \(time)::interval, wary_until = wary_until - \(time)::interval,
                    probed_run_at = probed_run_at - \(time)::interval
                """)
            try db.query("UPDATE jobs SET run_at = run_at - \(time)::interval WHERE worker IS NULL")
        }
    }

    private func moment(on db: isolated Connection) throws -> Double {
        try db.query("SELECT extract(epoch FROM clock_timestamp()) AS now")[0].read("now")
    }

    /// Thirty good addresses among six hundred failing ones, after `before` of them.
    @Test(arguments: [1, 16], [600, 300, 200, 450])
    func `thirty good addresses among six hundred failing ones are answered within a minute`(_ room: Int, _ before: Int)
        async throws
    {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            let good = before + 1...before + 30
            try scene.jobs(Array(1...before), on: db)
            try scene.jobs(Array(good), on: db)
            if before < 600 { try scene.jobs(Array(good.upperBound + 1...630), on: db) }
            var provider = Provider { !good.contains($0) }
            try run(&provider, room: room, for: 200, by: ada, on: db) { $0.answered == 30 }
            #expect(provider.answered == 30)
            #expect(provider.passed < (before == 600 ? 20 : 60))
        }
    }

    @Test func `good addresses between failing ones are answered within minutes`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...600), on: db)
            var provider = Provider { $0 % 20 != 0 }
            try run(&provider, for: 300, by: ada, on: db) { $0.answered == 30 }
            #expect(provider.answered == 30)
        }
    }

    @Test func `a dead provider gets rare probes, each with another job`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs(Array(1...10), on: db)
            var provider = Provider { _ in true }
            try run(&provider, room: 5, for: 3_600, by: ada, on: db)
            // Ten probes after each of the blocks of 5 s, 10 s and 20 s. Then one probe after each longer block: 40 s,
            // 80 s and so on, up to five minutes.
            let probes = provider.asked.dropFirst(5)
            #expect(probes.count > 40 && probes.count < 50, "\(probes.count)")
            #expect(probes.count { $0.at > 60 } < 20)
            #expect(zip(probes, probes.dropFirst()).allSatisfy { $0.subject != $1.subject })
            #expect(try value("SELECT count(*) AS value FROM dead_jobs", on: db) == 0)
        }
    }

    @Test func `a job that fails again after others succeeded is charged the failure`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try db.query("UPDATE lanes SET breaker_after = 2, most_failures = 3, first_retry = '1 millisecond'")
            try scene.jobs([1], on: db)
            try scene.jobs([2, 3, 4, 5], on: db)
            var provider = Provider { $0 == 1 }
            try run(&provider, room: 1, for: 30, by: ada, on: db) { $0.asked.count == 2 }
            #expect(try Health(on: db).faults == 0)
            try run(&provider, room: 1, for: 30, by: ada, on: db) { $0.asked.last?.subject == 1 }
            #expect(try Health(on: db).faults == 0)
            #expect(try value("SELECT failures AS value FROM jobs WHERE subjects = '{1}'", on: db) == 2)
        }
    }
}
