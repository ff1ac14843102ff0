import Postgres
import Queue

/// A lane with jobs of one subject, and a worker that holds some of them.
struct Held {
    let scene = Scene()
    let ada: WorkerID
    let jobs: [Job]

    var queue: JobQueue { scene.queue }
    var lane: String { scene.lane }

    init(_ subjects: [Int], batch: Int = 1, on db: isolated Connection) throws {
        ada = try scene.worker(on: db)
        try scene.jobs(subjects, batch: batch, on: db)
        jobs = try scene.queue.claim(subjects.count, from: scene.lane, for: ada, on: db).jobs.sorted { $0.id < $1.id }
    }

    /// Reports the outcomes of the first jobs, each with a call.
    @discardableResult
    func finish(_ outcomes: JobOutcome..., on db: isolated Connection) throws -> JobEnds {
        let now = try queue.clock(on: db)
        let reports = zip(jobs, outcomes).map { JobReport($0, $1, startedAt: now, took: .milliseconds(5)) }
        return try queue.finish(reports, in: lane, by: ada, on: db)
    }

    /// Claims one job again, and ignores every obstacle except the lane's health.
    func claimAgain(on db: isolated Connection) throws -> Claim {
        try db.query("UPDATE jobs SET run_at = now() WHERE worker IS NULL")
        return try queue.claim(10, from: lane, for: ada, on: db)
    }
}

func value<Value: SQLValue>(_ sql: SQL, on db: isolated Connection) throws -> Value {
    try db.query(sql)[0].read("value")
}

/// The lane's health according to its row.
struct Health {
    let faults, trips: Int
    let pace: Double
    let blockedFor: Duration?
    let because: String?

    init(on db: isolated Connection) throws {
        let row = try db.query(
            """
            SELECT faults, trips, pace, blocked_because,
                   extract(epoch FROM blocked_until - clock_timestamp()) AS blocked_for
            FROM lanes WHERE name = 'gazetteer'
            """)[0]
        faults = try row.read("faults")
        trips = try row.read("trips")
        pace = try row.read("pace")
        blockedFor = try row.readIfPresent("blocked_for")
        because = try row.readIfPresent("blocked_because")
    }
}
