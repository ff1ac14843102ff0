import DatabaseTesting
import Postgres
import Queue
import Testing

/// Calls that left after their slots, because their process was suspended in between.
@Suite(.database)
struct SlippedCallTests {
    private let scene = Scene()

    private func fullIn(on db: isolated Connection) throws -> Double {
        try value("SELECT extract(epoch FROM full_at - now())::double precision AS value FROM token_buckets", on: db)
    }

    /// Claims two jobs with slots a tenth of a second apart.
    private func claim(on db: isolated Connection) throws -> (worker: WorkerID, jobs: [Job]) {
        let ada = try scene.worker(on: db)
        try scene.jobs([1, 2], on: db)
        try scene.limit("10/s:burst=2", on: db)
        return (ada, try scene.queue.claim(2, from: scene.lane, for: ada, on: db).jobs)
    }

    private func report(_ job: Job, lateBy time: Duration) throws -> JobReport {
        JobReport(job, .done(), startedAt: try #require(job.slot).closes + time, took: .milliseconds(5))
    }

    @Test func `a call outside its slot is logged at its time, charged again and reported`() async throws {
        try await Database.test.transaction { db throws in
            let (ada, jobs) = try claim(on: db)
            let before = try fullIn(on: db)
            let report = try report(jobs[0], lateBy: .milliseconds(3))
            #expect(report.hasSlipped)
            #expect(try scene.queue.finish([report], in: scene.lane, by: ada, on: db).fates.count == 1)
            #expect(abs(try fullIn(on: db) - before - 0.1) < 0.001)
            let moment: Double = try value(
                "SELECT extract(epoch FROM started_at)::double precision AS value FROM calls", on: db)
            #expect(abs(moment - (report.startedAt ?? .zero) / .seconds(1)) < 1e-5)
            #expect(try scene.queue.audit(scene.lane, last: .seconds(60), on: db).slipped == 1)
            let state = try scene.queue.lane(scene.lane, on: db)
            #expect([state.slipped, state.slippedRecently, state.calls] == [1, 1, 1])
            let finding = try #require(Doctor().examine(on: db).first { $0.text.contains("after their slots") })
            #expect(finding.verdict == .warning)
        }
    }

    @Test func `a call within its slot is not charged again`() async throws {
        try await Database.test.transaction { db throws in
            let (ada, jobs) = try claim(on: db)
            let before = try fullIn(on: db)
            let report = try report(jobs[0], lateBy: .zero)
            _ = try scene.queue.finish([report], in: scene.lane, by: ada, on: db)
            #expect(try fullIn(on: db) == before)
            #expect(try scene.queue.audit(scene.lane, last: .seconds(60), on: db).slipped == 0)
        }
    }

    @Test func `a call outside its slot after a lost lease is logged at its own time`() async throws {
        let (ada, jobs) = try await Database.test.transaction { try claim(on: $0) }
        // Time stands still within a transaction, so the bucket's own refill hides nothing.
        try await Database.test.transaction { db throws in
            // Both slots have begun, and their worker is declared dead.
            try db.query("UPDATE jobs SET starts_at = now() - interval '1 second'")
            try db.query("UPDATE workers SET seen_at = '-infinity'")
            #expect(try ProcessRegistry().rescue(on: db).freed == 2)
            let before = try fullIn(on: db)
            let reports = try [report(jobs[0], lateBy: .seconds(1)), report(jobs[1], lateBy: .zero)]
            #expect(try scene.queue.finish(reports, in: scene.lane, by: ada, on: db).fates.isEmpty)
            #expect(try value("SELECT count(*) AS value FROM calls WHERE outcome = 'lost'", on: db) == 2)
            #expect(try value("SELECT count(*) AS value FROM calls WHERE outcome = 'done'", on: db) == 1)
            #expect(try fullIn(on: db) > before)
        }
    }
}
