import DatabaseTesting
import Postgres
import Queue

/// A lane with workers and jobs, for tests of operators' commands.
struct Scene {
    let queue = JobQueue()
    let registry = ProcessRegistry()
    let lane = "gazetteer"

    /// Enqueues each subject in its own job, or `batch` subjects per job. Returns the jobs.
    @discardableResult
    func jobs(_ subjects: [Int], batch: Int = 1, on db: isolated Connection) throws -> [Int] {
        try queue.change(lane, on: db) {
            $0.batch = batch
            $0.callsPerWorker = nil
        }
        return try queue.enqueue(subjects, in: lane, on: db).sorted { $0.subjects[0] < $1.subjects[0] }.map(\.id)
    }

    /// Limits the lane. Its buckets have been full for a second.
    func limit(_ limits: String..., on db: isolated Connection) throws {
        try queue.setLimits(limits.compactMap(RateLimit.init(text:)), of: lane, on: db)
        try db.query("UPDATE token_buckets SET full_at = now() - interval '1 second'")
    }

    func worker(
        _ name: String = "ada", at host: String = "here", lanes: [String] = ["gazetteer"], on db: isolated Connection
    ) throws -> WorkerID {
        try registry.register(.worker, name: name, host: host, pid: 1, lanes: lanes, on: db)
    }

    /// A worker takes one job and reports a permanent or temporary failure.
    func fail(_ reason: String, for good: Bool, on db: isolated Connection) throws {
        let worker = try worker("eve", on: db)
        let job = try queue.claim(1, from: lane, for: worker, on: db).jobs[0]
        let outcome: JobOutcome = good ? .failed(reason: reason) : .retry(reason: reason, after: .seconds(3_600))
        _ = try queue.finish([JobReport(job, outcome)], in: lane, by: worker, on: db)
        try registry.leave(.worker, worker, on: db)
    }
}

/// Returns the notifications on the queue's channels until `body` returns.
func heard(_ database: Database, while body: () async throws -> Void) async throws -> [String] {
    try await heard(on: [JobQueue.readyChannel, JobQueue.lanesChannel], in: database, while: body)
}
