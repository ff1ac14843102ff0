import Cluster
import DatabaseTesting
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

/// A provider that counts its calls and replies only when the test permits.
private struct Gate {
    let provider: TestProvider
    let asked = Locked(0)
    private let allow: AsyncStream<Void>.Continuation
    private let begun: AsyncStream<Void>

    init() {
        let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        (self.allow, self.begun) = (allow, begun)
        let asked = asked
        provider = TestProvider { addresses in
            asked.withLock { $0 += 1 }
            begin.yield()
            for await _ in allowed { break }
            return addresses.map(TestProvider.house)
        }
    }

    func waitForCall() async { for await _ in begun { return } }
    func open() { allow.finish() }
}

private func value<Value: SQLValue>(_ sql: SQL, on database: Database) async throws -> Value {
    try await database.run { try $0.query(sql)[0].read("value") }
}

/// A connection to another database, from which connections to the database `name` can be refused.
private func maintenance(of name: String) throws -> Database {
    Database(url: try Database.testURL.replacing(name, with: "postgres"), options: .init(size: 1))
}

/// Returns once `sql` gives true.
private func wait(for sql: SQL, on database: Database) async throws {
    try await pollUntil { try await value(sql, on: database) }
}

@Suite(.database)
struct LaneLoopTests {
    private func limit(_ refill: Double, capacity: Double, on database: Database) async throws {
        try await database.query(
            """
            INSERT INTO token_buckets (lane, per, refill, capacity)
            SELECT id, '1 second', \(refill), \(capacity) FROM lanes WHERE name = 'gazetteer'
            """)
    }

    @Test func `calls of two workers in a limited lane keep to their slots`() async throws {
        let database = try Database.test
        try await fill(database, with: 30)
        try await limit(40, capacity: 4, on: database)
        try await setLane("grace = '50 milliseconds'", on: database)
        try await with(worker(.everywhere, on: database, callsAtOnce: 3)) { () async throws in
            try await with(worker(.everywhere, named: "bob", on: database, callsAtOnce: 3)) { () async throws in
                #expect(try await waitForAnswers(database).located == 30)
            }
        }
        // For any two calls: the number of calls from one to the other was permitted in the time between.
        let worst: Double = try await value(
            """
            WITH numbered AS (
                SELECT extract(epoch FROM started_at) AS at, row_number() OVER (ORDER BY started_at) AS number FROM calls
            )
            SELECT max(late.number - early.number + 1 - (4 + 40 * (late.at - early.at))) AS value
            FROM numbered AS early JOIN numbered AS late ON late.number >= early.number
            """, on: database)
        #expect(worst <= 0.05)
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 30)
    }

    /// The lane gives its first slot in a second, and all others in an hour. The first claim takes one job. If its reply came
    /// after the slot, as on a slow machine, no claim would follow before the call has ended.
    private func promiseFarAhead(
        seconds: Int = 3600, on database: Database
    ) async throws {
        try await limit(1, capacity: 1, on: database)
        try await promise(
            "CASE WHEN EXISTS (SELECT FROM jobs WHERE lease IS NOT NULL) THEN \(seconds) ELSE lead + 1 END",
            on: database)
        try await setLane("grace = '1 second'", on: database)
    }

    /// The lane's slot number `n` opens in this many seconds; `seconds` is an SQL expression.
    private func promise(_ seconds: String, on database: Database) async throws {
        try await database.run(
            script: """
                CREATE OR REPLACE FUNCTION slots(
                    INOUT fulls double precision[], capacities double precision[], spacings double precision[],
                    most integer, lead double precision, horizon double precision,
                    OUT starts double precision[], OUT next double precision)
                LANGUAGE sql AS
                'SELECT fulls, array_agg((\(seconds))::float8), 3600 FROM generate_series(1, most) AS n'
                """)
    }

    private func waitForHeld(_ count: Int, on database: Database) async throws {
        try await wait(for: "SELECT count(*) = \(count) AS value FROM jobs WHERE worker IS NOT NULL", on: database)
    }

    @Test func `a stopping worker hands back the calls whose slots are still ahead`() async throws {
        let database = try Database.test
        try await fill(database, with: 5)
        try await promiseFarAhead(on: database)
        let gate = Gate()
        let run = Task { try await worker(gate.provider, on: database).run {} }
        await gate.waitForCall()
        try await waitForHeld(4, on: database)
        run.cancel()
        try await waitForHeld(1, on: database)
        gate.open()
        try await run.value
        #expect(gate.asked.withLock { $0 } == 1)
        #expect(
            try await value("SELECT count(*) AS value FROM jobs WHERE worker IS NULL AND failures = 0", on: database)
                == 4)
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 1)
    }

    @Test func `a stopping worker still makes the calls whose slots open soon`() async throws {
        let database = try Database.test
        try await fill(database, with: 5)
        try await promiseFarAhead(seconds: 2, on: database)
        let gate = Gate()
        let run = Task { try await worker(gate.provider, on: database).run {} }
        await gate.waitForCall()
        try await waitForHeld(4, on: database)
        run.cancel()
        gate.open()
        try await run.value
        // On a slow machine slots may pass, also before the stop: then their jobs are claimed again. But none is given away.
        let voided: Int = try await value("SELECT sum(voided) AS value FROM throughput", on: database)
        #expect(gate.asked.withLock { $0 } + voided >= 4)
    }

    @Test func `a worker that stops before it knows the clock claims nothing`() async throws {
        let database = try Database.test
        try await fill(database, with: 5)
        try await limit(10, capacity: 10, on: database)
        try await database.run { db throws in
            // A dead worker: its cluster is not unattended, so a new worker waits for the clock.
            try db.query("INSERT INTO workers (name, host, pid) VALUES ('dead', 'elsewhere', 1)")
        }
        for _ in 1...20 {
            let run = Task { try await worker(.everywhere, on: database).run {} }
            try await wait(for: "SELECT count(*) = 2 AS value FROM workers", on: database)
            run.cancel()
            try await run.value
        }
        #expect(try await value("SELECT count(charged_at) AS value FROM token_buckets", on: database) == 0)
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 0)
    }

    @Test func `a halted lane gets back the calls that have not begun`() async throws {
        let database = try Database.test
        try await fill(database, with: 5)
        try await promiseFarAhead(on: database)
        let gate = Gate()
        try await with(worker(gate.provider, on: database)) { () async throws in
            await gate.waitForCall()
            try await waitForHeld(4, on: database)
            try await database.transaction { _ = try JobQueue().pause("gazetteer", on: $0) }
            try await waitForHeld(1, on: database)
            gate.open()
        }
        #expect(gate.asked.withLock { $0 } == 1)
    }

    @Test func `a halt that was announced while no worker listened is obeyed`() async throws {
        let database = try Database.test
        try await fill(database, with: 5)
        try await promiseFarAhead(on: database)
        let gate = Gate()
        try await with(worker(gate.provider, on: database)) { () async throws in
            await gate.waitForCall()
            try await waitForHeld(4, on: database)
            // New connections are refused, and the listening one is killed.
            let name: String = try await value("SELECT current_database() AS value", on: database)
            let maintenance = try maintenance(of: name)
            try await maintenance.run { try $0.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false") }
            try await database.run { db throws in
                while try !db.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE '%' || \(Connection.listeningMark)
                    """
                ).isEmpty {}
                _ = try db.transaction { try JobQueue().pause("gazetteer", on: $0) }
            }
            try await maintenance.run { try $0.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS true") }
            await maintenance.close()
            try await waitForHeld(1, on: database)
            gate.open()
        }
        #expect(gate.asked.withLock { $0 } == 1)
    }

    @Test func `a call that misses its slot is void, counted, and its job handed back`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await limit(1, capacity: 1, on: database)
        // Every slot is over when the worker gets it.
        try await promise("-1", on: database)
        let gate = Gate()
        try await with(worker(gate.provider, on: database)) { () async throws in
            try await wait(for: "SELECT coalesce(sum(voided), 0) >= 2 AS value FROM throughput", on: database)
        }
        #expect(gate.asked.withLock { $0 } == 0)
        #expect(try await value("SELECT count(*) AS value FROM calls", on: database) == 0)
        #expect(try await value("SELECT count(*) AS value FROM jobs WHERE failures = 0", on: database) == 1)
    }

    @Test func `a call over the lane's time limit fails, and its late answer is not stored`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await setLane("call_limit = '50 milliseconds', most_failures = 1", on: database)
        let gate = Gate()
        try await with(worker(gate.provider, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 1])
            gate.open()
        }
        let reason: String = try await value("SELECT reason AS value FROM dead_jobs", on: database)
        #expect(reason.hasPrefix("no answer within 50"))
        #expect(try await counts(database).byStatus == [.failed: 1])
    }

    @Test func `a call over the lane's time limit is cancelled`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await setLane("call_limit = '50 milliseconds', most_failures = 1", on: database)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = Locked(false)
        let patient = TestProvider { addresses in
            await withTaskCancellationHandler {
                for await _ in never {}
            } onCancel: {
                isCancelled.withLock { $0 = true }
            }
            return addresses.map(TestProvider.house)
        }
        try await with(worker(patient, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 1])
            // The call was cancelled before it was recorded as a failure, so there is nothing to wait for.
            #expect(isCancelled.withLock { $0 })
            end.finish()
        }
    }

    @Test func `a provider that requests a pause blocks the lane and counts as no failure of the job`() async throws {
        let database = try Database.test
        try await fill(database, with: 3)
        let busy = TestProvider { _ throws(ProviderError) in throw .busy(retryAfter: .seconds(300)) }
        try await with(worker(busy, on: database, callsAtOnce: 1)) { () async throws in
            try await wait(for: "SELECT count(*) = 1 AS value FROM lanes WHERE blocked_until > now()", on: database)
            try await wait(for: "SELECT count(*) = 3 AS value FROM jobs WHERE worker IS NULL", on: database)
        }
        #expect(try await value("SELECT sum(failures) AS value FROM jobs", on: database) == 0)
        #expect(try await value("SELECT count(*) AS value FROM calls WHERE outcome = 'rate'", on: database) == 1)
    }

    @Test func `a used-up quota blocks the lane until the quota is back`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        let exhausted = TestProvider { _ throws(ProviderError) in throw .quotaExhausted(resetIn: .seconds(3_600)) }
        try await with(worker(exhausted, on: database)) { () async throws in
            try await wait(
                for: "SELECT count(*) = 1 AS value FROM lanes WHERE blocked_until > now() + interval '59 minutes'",
                on: database)
        }
        #expect(try await value("SELECT pace AS value FROM lanes WHERE name = 'gazetteer'", on: database) == 1.0)
    }

    @Test func `a worker with a full lane takes the next job as soon as a call ends`() async throws {
        let database = try Database.test
        try await fill(database, with: 60)
        try await setLane("calls_at_once = 2", on: database)
        let most = Locked((now: 0, most: 0))
        let counting = TestProvider { addresses in
            most.withLock {
                $0.now += 1; $0.most = max($0.most, $0.now)
            }
            await Task.yield()
            most.withLock { $0.now -= 1 }
            return addresses.map { _ in .notFound }
        }
        // Neither worker polls, so the end of a call must wake its worker.
        let day = Duration.seconds(86_400)
        try await with(worker(counting, on: database, callsAtOnce: 8, poll: day)) { () async throws in
            try await with(worker(counting, named: "bob", on: database, callsAtOnce: 8, poll: day)) { () async throws in
                #expect(try await waitForAnswers(database).notFound == 60)
            }
        }
        #expect(most.withLock { $0.most } <= 2)
    }

    @Test func `jobs of a claim whose reply was lost are found again by their worker`() async throws {
        let database = try Database.test
        let (failures, failure) = AsyncStream.makeStream(of: Void.self)
        let log = Log(format: .logfmt) { if $0.contains("can't claim") { failure.yield() } }
        try await with(worker(.everywhere, on: database, log: log)) { () async throws in
            try await wait(for: "SELECT count(*) = 1 AS value FROM workers", on: database)
            // The worker holds a job without knowing it, as after a claim whose reply was lost; the next claim fails.
            try await database.run { try $0.run(script: "ALTER FUNCTION claim_jobs RENAME TO claim_jobs_away") }
            try await fill(database, with: 1)
            try await database.run(
                script: """
                    UPDATE jobs
                    SET worker = (SELECT id FROM workers), lease = nextval('leases'), starts_at = now();
                    NOTIFY waypost_jobs, 'gazetteer'
                    """)
            for await _ in failures { break }
            try await database.run { try $0.run(script: "ALTER FUNCTION claim_jobs_away RENAME TO claim_jobs") }
            #expect(try await waitForAnswers(database).located == 1)
        }
    }

    @Test func `a draining worker sends heartbeats and keeps the call that still runs`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        let registry = ProcessRegistry(silenceLimit: .milliseconds(400))
        let gate = Gate()
        let run = Task { try await worker(gate.provider, on: database, registry: registry).run {} }
        await gate.waitForCall()
        run.cancel()
        // After three heartbeats the job still belongs to the worker.
        for _ in 1...3 {
            try await database.run { try $0.query("UPDATE workers SET seen_at = '-infinity'") }
            try await wait(for: "SELECT bool_and(seen_at > '-infinity') AS value FROM workers", on: database)
        }
        #expect(try await database.transaction { try registry.rescue(on: $0).freed } == 0)
        gate.open()
        try await run.value
        #expect(try await counts(database).located == 1)
    }

    @Test func `a worker without the database for longer than the outage limit ends`() async throws {
        let database = try Database.test
        let own = Database(url: try Database.testURL, options: .init(size: 4))
        let registry = ProcessRegistry(silenceLimit: .milliseconds(300))
        try await fill(database, with: 1)
        let gate = Gate()
        let run = Task {
            try await worker(gate.provider, on: own, registry: registry, outageLimit: .milliseconds(300)).run {}
        }
        await gate.waitForCall()
        // New connections to this database are refused, and open ones are killed.
        let name: String = try await value("SELECT current_database() AS value", on: database)
        let maintenance = try maintenance(of: name)
        try await maintenance.run { db throws in
            try db.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try db.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(name)")
        }
        await #expect(throws: (any Error).self) { try await run.value }
        gate.open()
        await maintenance.close()
    }
}
