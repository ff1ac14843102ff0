import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct ClaimTests {
    private let scene = Scene()
    private var queue: JobQueue { scene.queue }
    private var lane: String { scene.lane }

    private func subjects(_ claim: Claim) -> [Int] { claim.jobs.flatMap(\.subjects).sorted() }

    // MARK: Who gets what

    @Test func `a claimed job is hidden from every other worker`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1], on: db)
            let (ada, bob) = (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
            #expect(try queue.claim(10, from: lane, for: ada, on: db).jobs.map(\.subjects) == [[1]])
            #expect(try queue.claim(10, from: lane, for: bob, on: db).jobs.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `concurrent claims share no job and leave none`(isLimited: Bool) async throws {
        let database = try Database.test
        try await database.run { db throws in
            try scene.jobs(Array(1...400), on: db)
            if isLimited { try scene.limit("1000/s:burst=300", on: db) }
        }
        @Sendable func claimAll(_ name: String) async throws -> [Int] {
            let worker = try await database.run { try scene.worker(name, on: $0) }
            var claimed: [Int] = []
            while true {
                let claim = try await database.run { try queue.claim(7, from: lane, for: worker, on: $0) }
                if claim.jobs.isEmpty, claim.obstacle != .tokens { return claimed }
                claimed += subjects(claim)
            }
        }
        async let adas = claimAll("ada")
        async let bobs = claimAll("bob")
        async let eves = claimAll("eve")
        let all = try await adas + bobs + eves
        #expect(all.count == 400)
        #expect(Set(all).count == 400)
    }

    @Test func `a claim skips jobs locked by another transaction`() async throws {
        let database = try Database.test
        let (ada, bob) = try await database.run { db throws in
            try scene.jobs([1, 2], on: db)
            return (try scene.worker("ada", on: db), try scene.worker("bob", on: db))
        }
        let held = Rendezvous(of: 2)
        let done = Rendezvous(of: 2)
        async let adas = database.transaction { db in
            let claim = try queue.claim(1, from: lane, for: ada, on: db)
            held.arriveAndWait()
            done.arriveAndWait()
            return claim
        }
        async let bobs = database.transaction(within: .seconds(10)) { db in
            held.arriveAndWait()
            defer { done.arriveAndWait() }
            return try queue.claim(1, from: lane, for: bob, on: db)
        }
        #expect(try await subjects(adas) + subjects(bobs) == [1, 2])
    }

    @Test func `a claim takes a lane's lock only if the lane has limits`() async throws {
        let database = try Database.test
        let ada = try await database.run { db throws in
            try scene.jobs([1, 2], on: db)
            return try scene.worker(on: db)
        }
        func claimBesideALock() async throws -> Int {
            let held = Rendezvous(of: 2)
            let done = Rendezvous(of: 2)
            async let locked: Void = database.transaction { db in
                try db.query("SELECT FROM lanes FOR UPDATE")
                held.arriveAndWait()
                done.arriveAndWait()
            }
            async let claimed = database.run { db in
                held.arriveAndWait()
                defer { done.arriveAndWait() }
                try db.query("SET lock_timeout = '200ms'")
                defer { _ = try? db.query("RESET lock_timeout") }
                return try queue.claim(1, from: lane, for: ada, on: db).jobs.count
            }
            _ = try await locked
            return try await claimed
        }
        #expect(try await claimBesideALock() == 1)
        try await database.run { try scene.limit("5/s", on: $0) }
        let error = await #expect(throws: DatabaseError.self) { _ = try await claimBesideALock() }
        #expect(error?.sqlState == "55P03")
    }

    @Test(arguments: [(400, true), (16, false)])
    func `at most eight large claims are under way in a lane without limits`(room: Int, isLarge: Bool) async throws {
        let database = try Database.test
        let workers = try await database.run { db throws in
            try scene.jobs([1, 2, 3], on: db)
            return try (1...9).map { try scene.worker("worker \($0)", on: db) }
        }
        let held = Rendezvous(of: 2)
        let done = Rendezvous(of: 2)
        async let first = database.transaction { db in
            _ = try queue.claim(room, from: lane, for: workers[0], on: db)
            held.arriveAndWait()
            done.arriveAndWait()
        }
        async let others = database.run { db in
            held.arriveAndWait()
            defer { done.arriveAndWait() }
            try db.query("SET lock_timeout = '200ms'")
            defer { _ = try? db.query("RESET lock_timeout") }
            return workers.dropFirst().map { worker in
                Result { _ = try queue.claim(room, from: lane, for: worker, on: db) }
            }
        }
        try await first
        let states = try await others.map { claim in
            if case .failure(let error as DatabaseError) = claim { error.sqlState } else { nil as String? }
        }
        #expect(states == Array(repeating: nil, count: 7) + [isLarge ? "55P03" : nil])
    }

    @Test func `jobs of higher priority go first, then older ones`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            try scene.jobs([1], on: db)
            try scene.jobs([2], on: db)
            _ = try queue.enqueue([3], in: lane, priority: .now, on: db)
            _ = try queue.enqueue([4], in: lane, priority: .idle, on: db)
            _ = try queue.enqueue([5], in: lane, priority: .soon, on: db)
            var order: [Int] = []
            for _ in 1...5 { order += subjects(try queue.claim(1, from: lane, for: ada, on: db)) }
            #expect(order == [3, 5, 1, 2, 4])
        }
    }

    @Test func `a job has as many subjects as the lane's batch permits, in order`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([], batch: 2, on: db)
            let jobs = try queue.enqueue(Array(1...5), in: lane, on: db)
            #expect(jobs.map(\.subjects).sorted { $0[0] < $1[0] } == [[1, 2], [3, 4], [5]])
        }
    }

    // MARK: The hint

    @Test func `a claim with a hint skips no later job and no other priority`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            for subject in 1...4 { try scene.jobs([subject], on: db) }
            let first = try queue.claim(1, from: lane, for: ada, on: db)
            _ = try queue.enqueue([7], in: lane, priority: .now, on: db)
            _ = try queue.enqueue([8], in: lane, priority: .idle, on: db)
            let rest = try queue.claim(10, from: lane, for: ada, hint: first.hint, on: db)
            #expect(subjects(rest) == [2, 3, 4, 7, 8])
        }
    }

    @Test func `a claim with a hint skips an earlier job that was put back; a claim without it doesn't`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            for subject in 1...3 { try scene.jobs([subject], on: db) }
            let first = try queue.claim(1, from: lane, for: ada, on: db)
            let second = try queue.claim(1, from: lane, for: ada, on: db)
            _ = try queue.finish([JobReport(first.jobs[0], .released)], in: lane, by: ada, on: db)
            #expect(subjects(try queue.claim(1, from: lane, for: ada, hint: second.hint, on: db)) == [3])
            #expect(subjects(try queue.claim(1, from: lane, for: ada, on: db)) == [1])
        }
    }

    @Test func `a claim with a hint does not skip the job that the hint names`() async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            for subject in 1...2 { try scene.jobs([subject], on: db) }
            let first = try queue.claim(1, from: lane, for: ada, on: db)
            _ = try queue.finish([JobReport(first.jobs[0], .released)], in: lane, by: ada, on: db)
            #expect(subjects(try queue.claim(1, from: lane, for: ada, hint: first.hint, on: db)) == [1])
        }
    }

    // MARK: The hint

    @Test func `a claim with a hint finds jobs put back after the hint's place`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs(Array(1...5), on: db)
            let ada = try scene.worker(on: db)
            let first = try queue.claim(3, from: lane, for: ada, on: db)
            let hint = try #require(first.hint)
            // The first three jobs are put back in their old places.
            let reports = first.jobs.map { JobReport($0, .released) }
            _ = try queue.finish(reports, in: lane, by: ada, on: db)
            #expect(try subjects(queue.claim(10, from: lane, for: ada, hint: hint, on: db)) == [1, 2, 3, 4, 5])
        }
    }

    @Test func `a claim with a hint skips earlier jobs in the hint's priority only`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1, 2], on: db)
            let ada = try scene.worker(on: db)
            let hint = try #require(try queue.claim(1, from: lane, for: ada, on: db).hint)
            try db.query("UPDATE jobs SET run_at = run_at - interval '1 hour' WHERE subjects = '{2}'")
            _ = try queue.enqueue([3], in: lane, priority: .idle, on: db)
            _ = try queue.enqueue([4], in: lane, priority: .now, on: db)
            try db.query("UPDATE jobs SET run_at = run_at - interval '1 hour' WHERE priority <> 1")
            #expect(try subjects(queue.claim(10, from: lane, for: ada, hint: hint, on: db)) == [3, 4])
            #expect(try subjects(queue.claim(10, from: lane, for: ada, on: db)) == [2])
        }
    }

    // MARK: What it costs

    @Test(arguments: [false, true])
    func `a claim among many waiting jobs reads the index and not the table`(isAnalyzed: Bool) async throws {
        try await Database.test.run { db throws in
            let ada = try scene.worker(on: db)
            // The plan is made while the table is empty, and kept.
            #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.isEmpty)
            try scene.jobs(Array(1...20_000), on: db)
            if isAnalyzed { try db.run(script: "ANALYZE jobs") }
            #expect(try queue.claim(1, from: lane, for: ada, on: db).jobs.count == 1)
            let read = { (db: isolated Connection) throws -> [Int] in
                try db.query("SELECT pg_stat_force_next_flush()")
                try db.query("SELECT pg_stat_clear_snapshot()")
                let row = try db.query(
                    """
                    SELECT seq_tup_read, (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'jobs') AS index
                    FROM pg_stat_user_tables WHERE relname = 'jobs'
                    """)[0]
                return [try row.read("seq_tup_read"), try row.read("index")]
            }
            let before = try read(db)
            for _ in 1...20 { #expect(try queue.claim(5, from: lane, for: ada, on: db).jobs.count == 5) }
            let after = try read(db)
            #expect(after[0] - before[0] == 0)
            // The entries of claimed jobs stay in the index for a while. Without the hint each claim would read 20,000
            // rows.
            #expect(after[1] - before[1] < 20 * 1_000)
        }
    }

    @Test func `a worker can be written in plain SQL`() async throws {
        try await Database.test.run { db throws in
            try db.run(
                script: """
                    INSERT INTO lanes (name) VALUES ('mine');
                    INSERT INTO token_buckets (lane, per, refill, capacity)
                    SELECT id, '1 second', 2, 1 FROM lanes WHERE name = 'mine';
                    INSERT INTO workers (name, host, pid, lanes) VALUES ('me', 'here', 1, '{mine}');
                    SELECT queue_jobs('mine', ARRAY[11, 12]);
                    """)
            let claimed = try rows(
                """
                SELECT job, lease, starts_at <= void_at AS is_open, told_at IS NULL AS is_job, obstacle
                FROM workers, claim_jobs('mine', workers.id, 1)
                """, on: db)
            #expect(try claimed.map { try $0.read("is_job", as: Bool.self) } == [true, false])
            let (job, lease): (Int, Int) = (try claimed[0].read("job"), try claimed[0].read("lease"))
            let fates = try rows(
                """
                SELECT fate
                FROM workers, finish_jobs('mine', workers.id, ARRAY[
                    (\(job), \(lease), 'done', extract(epoch FROM clock_timestamp()), 0.12, NULL, NULL, NULL)::job_report])
                """, on: db)
            #expect(try fates.map { try $0.read("fate", as: String.self) } == ["ended"])
            #expect(try rows("SELECT FROM calls", on: db).count == 1)
        }
    }

    @Test func `a worker of an older program reports with one array for each member`() async throws {
        try await Database.test.run { db in
            try db.run(
                script: """
                    INSERT INTO lanes (name) VALUES ('mine'), ('next');
                    INSERT INTO workers (name, host, pid, lanes) VALUES ('me', 'here', 1, '{mine}');
                    SELECT queue_jobs('mine', ARRAY[11, 12]);
                    """)
            let fates = try rows(
                """
                WITH held AS MATERIALIZED (
                    SELECT array_agg(job) AS jobs, array_agg(lease) AS leases
                    FROM workers, claim_jobs('mine', workers.id, 2)
                    WHERE job IS NOT NULL
                )
                SELECT fate
                FROM workers, held, finish_jobs(
                    'mine', workers.id, jobs, leases, ARRAY['moved', 'retry'],
                    ARRAY[extract(epoch FROM clock_timestamp()), extract(epoch FROM clock_timestamp())], ARRAY[0.12, 1],
                    '{}', ARRAY[NULL, 'it said "no"'], jobs[:1], ARRAY[11], ARRAY['next'], ARRAY['1 s']::interval[])
                """, on: db)
            #expect(try fates.map { try $0.read("fate", as: String.self) } == ["left over", "ended", "kept"])
            #expect(
                try rows("SELECT reason FROM calls WHERE reason IS NOT NULL", on: db).map { try $0.read("reason") }
                    == ["it said \"no\""])
        }
    }
}
