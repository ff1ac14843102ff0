import Cluster
import DatabaseTesting
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Testing

@Suite(.database)
struct WorkerTests {
    @Test func `a worker answers all questions and leaves no job and no row of its own`() async throws {
        let database = try Database.test
        try await fill(database, with: 200)
        try await with(worker(.everywhere, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).located == 200)
        }
        try await database.run { db throws in
            #expect(try rows("SELECT FROM jobs", on: db).isEmpty)
            #expect(try rows("SELECT FROM workers", on: db).isEmpty)
            #expect(try JobQueue().lanes(on: db).map(\.calls) == [200])
        }
    }

    @Test func `a notification starts a job while the worker is idle`() async throws {
        let database = try Database.test
        try await with(worker(.everywhere, on: database)) { () async throws in
            try await fill(database, with: 1)
            #expect(try await waitForAnswers(database).located == 1)
        }
    }

    @Test func `a temporary fault is retried and never becomes an answer`() async throws {
        let database = try Database.test
        try await fill(database, with: 3)
        let calls = Locked(0)
        let shaky = TestProvider { addresses throws(ProviderError) in
            if calls.withLock({
                $0 += 1; return $0
            }) <= 4 {
                throw .unavailable(reason: "the line is down")
            }
            return addresses.map { _ in .notFound }
        }
        try await with(worker(shaky, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.notFound: 3])
        }
        #expect(try await database.run { try JobQueue().lanes(on: $0).map(\.retries) } == [4])
    }

    @Test func `a question that fails repeatedly ends as failed, with its reason`() async throws {
        let database = try Database.test
        try await fill(database, with: 2)
        let broken = TestProvider { _ throws(ProviderError) in throw .unavailable(reason: "the line is down") }
        try await setLane("most_failures = 2, breaker_after = 100", on: database)
        try await with(worker(broken, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 2])
        }
        let reasons = try await database.query("SELECT DISTINCT reason FROM geocodes").map {
            try $0.read("reason", as: String.self)
        }
        #expect(reasons == ["gazetteer did not look: the line is down"])
    }

    @Test func `a rejected key stops the lane and costs no job an attempt`() async throws {
        let database = try Database.test
        try await fill(database, with: 3)
        let closed = TestProvider { _ throws(ProviderError) in throw .unauthorized(reason: "the key is not accepted") }
        try await with(worker(closed, on: database, callsAtOnce: 1)) { () async throws in
            try await pollUntil {
                try await database.run { try $0.query("SELECT FROM lanes WHERE paused_because IS NULL").isEmpty }
            }
        }
        let lane = try await database.run { try JobQueue().lane("gazetteer", on: $0) }
        guard case .stopped(_, "the key is not accepted") = lane.condition else {
            Issue.record("the lane is \(lane.condition)")
            return
        }
        #expect(lane.calls == 1)
        #expect(lane.ready == 3 && lane.dead == 0)
        try await database.transaction { _ = try JobQueue().resume("gazetteer", on: $0) }
        #expect(try await database.run { try JobQueue().lane("gazetteer", on: $0).condition } == .open)
    }

    /// Makes the first `count` statements that fire a trigger fail with this code.
    private func failFirst(_ count: Int, code: String, triggers: String, on database: Database) async throws {
        try await database.run(
            script: """
                -- A rollback does not reset a sequence, so it counts the failed attempts too.
                CREATE SEQUENCE tries;
                CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('tries') <= \(count) THEN RAISE EXCEPTION 'not yet' USING ERRCODE = '\(code)'; END IF;
                    RETURN coalesce(NEW, OLD);
                END $$;
                \(triggers)
                """)
    }

    // A full disk, a missing function, and a statement cancelled by an operator.
    @Test(arguments: ["53100", "42883", "57014"])
    func `an answer that can't be stored yet is kept and not requested again`(code: String) async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await failFirst(
            5, code: code,
            triggers: "CREATE TRIGGER no_room BEFORE UPDATE ON geocodes FOR EACH ROW EXECUTE FUNCTION fail_first();",
            on: database)
        try await with(worker(.everywhere, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).located == 1)
        }
        #expect(try await database.run { try JobQueue().lanes(on: $0).map(\.calls) } == [1])
    }

    @Test func `a job whose result can't be stored fails, even if that is hard to store too`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await failFirst(
            4, code: "P0001",
            triggers: """
                CREATE TRIGGER broken BEFORE UPDATE OR DELETE ON jobs
                FOR EACH ROW WHEN (OLD.worker IS NOT NULL) EXECUTE FUNCTION fail_first();
                """, on: database)
        try await with(worker(.everywhere, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 1])
        }
        #expect(try await database.run { try JobQueue().lanes(on: $0).map(\.calls) } == [1])
    }

    @Test func `a provider that returns too few answers is not believed`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        try await setLane("most_failures = 1", on: database)
        try await with(worker(TestProvider { _ in [] }, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.failed: 1])
        }
    }

    @Test func `a stopping worker finishes the running call and begins no other`() async throws {
        let database = try Database.test
        try await fill(database, with: 10)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
        let slow = TestProvider { addresses in
            begin.yield()
            for await _ in allowed { break }
            // Long enough for a worker that doesn't wait to end.
            _ = try? await database.run { try $0.query("SELECT pg_sleep(0.3)") }
            return addresses.map(TestProvider.house)
        }
        let run = Task { try await worker(slow, on: database, callsAtOnce: 1).run {} }
        for await _ in begun { break }
        run.cancel()
        allow.yield()
        try await run.value
        #expect(try await counts(database).byStatus == [.located: 1, .waiting: 9])
        #expect(try await database.run { try $0.query("SELECT FROM jobs WHERE worker IS NOT NULL").isEmpty })
    }

    @Test func `a result after the lease was lost is not stored, and is logged`() async throws {
        let database = try Database.test
        try await fill(database, with: 1)
        let lines = Locked<[String]>([])
        let log = Log(format: .logfmt) { line in lines.withLock { $0.append("\(line)") } }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
        let sleepy = TestProvider { addresses in
            begin.yield()
            for await _ in allowed { break }
            return addresses.map(TestProvider.house)
        }
        let run = Task { try await worker(sleepy, on: database, callsAtOnce: 1, log: log).run {} }
        for await _ in begun { break }
        // The worker is declared dead, and another one takes its job.
        let (bob, taken) = try await database.transaction { db in
            try db.query("DELETE FROM workers")
            try ProcessRegistry().rescue(on: db)
            let bob = try ProcessRegistry().register(.worker, name: "bob", host: "there", pid: 1, on: db)
            return (bob, try JobQueue().claim(1, from: "gazetteer", for: bob, on: db).jobs)
        }
        run.cancel()
        allow.yield()
        try await run.value
        #expect(try await counts(database).byStatus == [.waiting: 1])
        #expect(lines.withLock { $0 }.contains { $0.contains("too late") })
        let reports = taken.map { JobReport($0, .done()) }
        #expect(
            try await database.run { try JobQueue().finish(reports, in: "gazetteer", by: bob, on: $0).fates.count } == 1
        )
        #expect(
            try await database.run { try $0.query("SELECT sum(late) AS late FROM throughput")[0].read("late") } == 1)
    }

    @Test func `a subject that no longer waits for the job is not called`() async throws {
        let database = try Database.test
        try await fill(database, with: 2)
        try await database.query("UPDATE geocodes SET status = 'not_found', job = NULL WHERE street = '1 Main St'")
        let asked = Locked<[Int]>([])
        let counting = TestProvider { addresses in
            asked.withLock { $0.append(addresses.count) }
            return addresses.map(TestProvider.house)
        }
        try await with(worker(counting, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.located: 1, .notFound: 1])
            try await pollUntil { try await database.run { try $0.query("SELECT FROM jobs").isEmpty } }
        }
        #expect(asked.withLock { $0.reduce(0, +) } == 1)
    }

    @Test func `a worker that was removed joins again under a new id`() async throws {
        let database = try Database.test
        let membership = try await Membership.join(
            as: .worker, name: "ada", host: .current, registry: ProcessRegistry(), database: database, log: silent)
        let first = membership.id
        try await membership.beat()
        #expect(membership.id == first)
        try await database.run { try $0.query("DELETE FROM workers") }
        try await membership.beat()
        #expect(membership.id != first)
        #expect(try await database.run { try ProcessRegistry().workers(on: $0).map(\.id) } == [membership.id])
        await membership.leave()
        #expect(try await database.run { try ProcessRegistry().workers(on: $0).isEmpty })
    }
}
