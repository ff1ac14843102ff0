import Cluster
import DatabaseTesting
import Geocoding
import Postgres
import Processes
import Questions
import Queue
import Testing

@Suite(.database)
struct CoordinatorTests {
    private let start = ContinuousClock.now

    private func coordinator(
        _ database: Database, registry: ProcessRegistry = ProcessRegistry(),
        log: Log = Log(format: .logfmt) { _ in }
    ) -> Coordinator {
        Coordinator(
            name: "c", database: database, registry: registry, log: log)
    }

    private func register(_ database: Database) async throws -> Int {
        try await database.run { db throws in
            let id = try ProcessRegistry().register(.coordinator, name: "c", host: "here", pid: 1, on: db)
            try db.query(
                """
                UPDATE coordinators
                SET heard_since = now() - interval '1 hour', seen_at = now() + interval '1 minute'
                WHERE id = \(id)
                """)
            return id
        }
    }

    /// Inserts addresses like another program.
    private func write(_ count: Int, _ database: Database) async throws {
        try await database.run { db throws in
            try db.query("INSERT INTO accounts (name) VALUES ('foreign')")
            try db.query("INSERT INTO friends (account, source_key, name) SELECT id, 'k', 'n' FROM accounts")
            try db.query(
                """
                INSERT INTO addresses (friend, position, city)
                SELECT friends.id, n, 'City ' || n FROM friends, generate_series(1, \(count)) AS n
                """)
        }
    }

    private func count(_ table: String, _ database: Database) async throws -> Int {
        try await database.run { try $0.query("SELECT FROM \(identifier: table)").count }
    }

    /// The content of all tables that a coordinator may change, as text.
    private func state(_ database: Database) async throws -> [String] {
        try await database.run { db throws in
            try [
                "jobs", "geocodes", "unqueued_geocodes", "addresses", "workers", "coordinators", "lanes", "throughput",
                "dead_jobs", "sleepers", "unsettled_geocodes", "address_tallies", "backlogs", "audit_log", "decisions",
                "file_runs",
            ].map { table in
                try db.query(
                    """
                    SELECT coalesce(string_agg(xmin || ' ' || t::text, ';' ORDER BY t::text), '') AS state
                    FROM \(identifier: table) AS t
                    """)[0].read("state")
            }
                + db.query("SELECT relname FROM pg_class WHERE relname ~ '^(calls|fixes|pending)' ORDER BY 1").map {
                    try $0.read("relname")
                }
        }
    }

    @Test func `one of two coordinators leads, and the other does nothing`() async throws {
        let database = try Database.test
        let (one, other) = (try await register(database), try await register(database))
        // On a busy machine the usual limit passes between two of these statements.
        let patient = coordinator(database, registry: ProcessRegistry(silenceLimit: .seconds(3_600)))
        var (leading, standingBy) = (CoordinatorDuty(), CoordinatorDuty())
        _ = try await patient.round(duty: &leading, as: one, at: start)
        try await write(5, database)
        _ = try await patient.round(duty: &standingBy, as: other, at: start)
        #expect(standingBy.term == nil)
        #expect(try await count("jobs", database) == 0)
        _ = try await patient.round(duty: &leading, as: one, at: start)
        #expect(leading.term != nil)
        #expect(try await count("jobs", database) == 1)
    }

    /// Gives each act something to do.
    private func disturb(_ database: Database) async throws {
        try await write(5, database)
        try await database.run(
            script: """
                INSERT INTO workers (name, host, pid, seen_at) VALUES ('ada', 'here', 1, now() - interval '1 hour');
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, expires_at)
                SELECT sha256(n::text::bytea), '', '', '', '', '', 'not_found', now() FROM generate_series(1, 3) AS n;
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(n::text::bytea), '', '', '', '', '' FROM generate_series(4, 6) AS n;
                UPDATE lanes SET pace = 0.5;
                INSERT INTO lanes (name, blocked_until, blocked_because)
                VALUES ('halted', now() + interval '1 day', 'the quota is used up');
                INSERT INTO chains (name, plan)
                VALUES ('two', '{"links": [{"lane": "halted"}, {"lane": "gazetteer"}]}');
                INSERT INTO geocodes (hash, street, city, region, postcode, country, chain, job)
                SELECT sha256('7'), '', '', '', '', '', max(id), 7 FROM chains;
                INSERT INTO jobs (id, lane, subjects) OVERRIDING SYSTEM VALUE
                SELECT 7, max(lanes.id), ARRAY[max(geocodes.id)] FROM lanes, geocodes;
                INSERT INTO throughput (minute, lane, worker, calls, subjects)
                VALUES (date_trunc('minute', now() - interval '3 days'), 1, 1, 1, 1);
                INSERT INTO audit_log (at, verb, target, author, host)
                VALUES (now() - interval '10 years', 'lanes.pause', 'halted', 'ada', 'here'),
                       (now() - interval '10 days', 'lanes.pause', 'halted', 'ada', 'here');
                INSERT INTO decisions (geocode, decided_at, before, after)
                VALUES (1, now() - interval '31 days', '{}', '{}'), (1, now() - interval '29 days', '{}', '{}');
                INSERT INTO sleepers VALUES (1, now() - interval '1 hour');
                INSERT INTO file_runs (account, digest, name, settings, file, contacts, refused, pinned, hashes)
                SELECT id, sha256('f'), 'f.csv', '{}', '', 1, 0, 0, '{}' FROM accounts;
                INSERT INTO backlogs (lane, counted_at, took, ready, later, dead) VALUES (1, now(), '0', 9000, 0, 0);
                INSERT INTO lanes (name, kind) VALUES ('upload:app', 'upload');
                INSERT INTO sinks (account, name, kind, lane)
                SELECT accounts.id, 'app', 'file', lanes.id FROM accounts, lanes WHERE lanes.name = 'upload:app';
                INSERT INTO trackers (account, user_id, is_on, on_times, sink, job)
                SELECT account, 'ada', true, '{[2020-01-01,)}', id, 999 FROM sinks WHERE name = 'app';
                INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time)
                SELECT id, account, now(), '1', 60, 25, 0 FROM trackers;
                INSERT INTO lanes (name, kind) VALUES ('upload:found', 'upload');
                INSERT INTO sinks (account, name, kind, about, lane)
                SELECT accounts.id, 'found', 'webhook', 'places', lanes.id FROM accounts, lanes WHERE lanes.name = 'upload:found';
                -- Older than every open transaction of the server.
                UPDATE friends SET changed_in = 1;
                INSERT INTO unsettled_geocodes SELECT id FROM geocodes;
                INSERT INTO address_tallies (account, status, is_weak, addresses, changes)
                SELECT 1, 'waiting', false, 0, 1 FROM generate_series(1, 100);
                """)
    }

    @Test(arguments: CoordinatorAct.allCases)
    func `a leader whose term is over changes nothing`(act: CoordinatorAct) async throws {
        let database = try Database.test
        let id = try await register(database)
        try await disturb(database)
        let term = try #require(
            try await database.run { try Leadership().acquire(for: id, within: .seconds(10), on: $0) })
        try await database.run { try $0.query("UPDATE leadership SET until = now()") }
        let before = try await state(database)
        await #expect(throws: LostLeadership.self) { try await coordinator(database).perform(act, under: term) }
        #expect(try await state(database) == before)
    }

    @Test(arguments: CoordinatorAct.allCases)
    func `an act repeated at once does nothing the second time`(act: CoordinatorAct) async throws {
        let database = try Database.test
        let id = try await register(database)
        try await disturb(database)
        let term = try #require(
            try await database.run { try Leadership().acquire(for: id, within: .seconds(10), on: $0) })
        let before = try await state(database)
        _ = try await coordinator(database).perform(act, under: term)
        let after = try await state(database)
        #expect(before != after)
        _ = try await coordinator(database).perform(act, under: term)
        #expect(try await state(database) == after)
    }

    @Test func `a leader makes partitions for positions and deletes uploaded ones after the retention`() async throws {
        let database = try Database.test
        let id = try await register(database)
        try await database.run { db throws in
            // Three places, forty, twenty and ten days ago. The newest is always kept.
            try db.run(
                script: """
                    INSERT INTO accounts (name) VALUES ('app');
                    INSERT INTO trackers (account, user_id, start_at, start_id)
                    SELECT id, 'ada', date_trunc('day', now()) - interval '10 days', '10' FROM accounts;
                    INSERT INTO fixes (tracker, account, at, id, lat, lng)
                    SELECT id, account, date_trunc('day', now()) - n * interval '1 day', n, n, 1
                    FROM trackers, unnest('{40,20,10}'::integer[]) AS n;
                    INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time, uploaded)
                    SELECT tracker, account, at, id, lat, lng, 0, true FROM fixes;
                    """)
        }
        @Sendable func kept(_ table: String) async throws -> [String] {
            try await database.query("SELECT id FROM \(identifier: table) ORDER BY at").map { try $0.read("id") }
        }
        func keep(_ days: Int) async throws {
            let coordinator = Coordinator(
                name: "c", database: database, registry: ProcessRegistry(),
                locationRetention: .seconds(days * 86_400), log: Log(format: .logfmt) { _ in })
            let term = try #require(
                try await database.run { try Leadership().acquire(for: id, within: .seconds(10), on: $0) })
            _ = try await coordinator.perform(.partitions, under: term)
        }
        try await keep(30)
        let made = try await database.query(
            "SELECT relname FROM pg_class WHERE relname ~ '^(fixes|pending_locations)_[0-9]{8}$'"
        ).count
        #expect(made == 10)
        #expect(try await kept("fixes") == ["20", "10"])
        #expect(try await kept("pending_locations") == ["20", "10"])
        try await keep(15)
        #expect(try await kept("fixes") == ["10"])
        #expect(try await kept("pending_locations") == ["10"])
    }

    @Test func `a replaced leader logs it and stands by`() async throws {
        let database = try Database.test
        let (one, other) = (try await register(database), try await register(database))
        let lines = Locked<[String]>([])
        let log = Log(format: .logfmt) { line in lines.withLock { $0.append(line) } }
        var (first, second) = (CoordinatorDuty(), CoordinatorDuty())
        _ = try await coordinator(database, log: log).round(duty: &first, as: one, at: start)
        try await database.run { try $0.query("UPDATE leadership SET until = now()") }
        _ = try await coordinator(database).round(duty: &second, as: other, at: start)
        _ = try await coordinator(database, log: log).round(duty: &first, as: one, at: start)
        #expect(first.term == nil)
        #expect(second.term?.number == 2)
        #expect(lines.withLock { $0 }.contains { $0.contains("level=warning") && $0.contains("lost the lead") })
    }

    @Test func `a full step starts another round at once`() async throws {
        let database = try Database.test
        try await write(6_000, database)
        let id = try await register(database)
        var duty = CoordinatorDuty()
        let lines = Locked<[String]>([])
        // On a slow machine a step may take longer than the usual term.
        let coordinator = coordinator(
            database, registry: ProcessRegistry(silenceLimit: .seconds(300)),
            log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } })
        let rounds = [
            try await coordinator.round(duty: &duty, as: id, at: start),
            try await coordinator.round(duty: &duty, as: id, at: start),
        ]
        #expect(rounds == [true, false], "\(lines.withLock { $0 })")
        #expect(try await database.run { try $0.query("SELECT FROM addresses WHERE hash IS NULL").isEmpty })
    }

    @Test func `rare acts wait for their interval, and a new leader does all of them at once`() {
        var duty = CoordinatorDuty()
        #expect(duty.due(at: start) == CoordinatorAct.allCases)
        for act in CoordinatorAct.allCases { duty.finish(act, at: start) }
        #expect(duty.due(at: start + .seconds(1)) == [.rescue, .hash, .settle, .enqueue])
        #expect(duty.due(at: start + .seconds(600)) == CoordinatorAct.allCases)
    }

    @Test func `two coordinators that work at once enqueue each question once`() async throws {
        let database = try Database.test
        let (one, other) = (try await register(database), try await register(database))
        try await write(50, database)
        @Sendable func run(_ id: Int) async throws {
            var duty = CoordinatorDuty()
            _ = try await coordinator(database).round(duty: &duty, as: id, at: start)
        }
        async let first: Void = run(one)
        async let second: Void = run(other)
        _ = try await (first, second)
        try await database.run { db throws in
            let subjects = try rows("SELECT unnest(subjects) AS id FROM jobs", on: db).map {
                try $0.read("id", as: Int.self)
            }
            #expect(subjects.count == 50)
            #expect(Set(subjects).count == 50)
        }
    }

    @Test func `a silent worker's jobs are freed, and jobs lost too often are dead`() async throws {
        let database = try Database.test
        let id = try await register(database)
        try await write(3, database)
        var duty = CoordinatorDuty()
        try await database.run { try $0.query("UPDATE lanes SET batch = 1") }
        _ = try await coordinator(database).round(duty: &duty, as: id, at: start)
        try await database.run { db throws in
            let ada = try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 1, on: db)
            try db.query("UPDATE jobs SET losses = 9 WHERE id = (SELECT min(id) FROM jobs)")
            #expect(try JobQueue().claim(3, from: "gazetteer", for: ada, on: db).jobs.count == 3)
            try db.query("UPDATE workers SET seen_at = now() - interval '11 seconds'")
        }
        _ = try await coordinator(database).round(duty: &duty, as: id, at: start)
        try await database.run { db throws in
            #expect(try rows("SELECT FROM jobs WHERE worker IS NULL", on: db).count == 2)
            #expect(try rows("SELECT FROM dead_jobs", on: db).count == 1)
            #expect(try GeocodeStore().counts(on: db).byStatus == [.waiting: 2, .failed: 1])
        }
    }

    @Test func `the questions of a split job are all answered`() async throws {
        let database = try Database.test
        let id = try await register(database)
        try await write(5, database)
        var duty = CoordinatorDuty()
        _ = try await coordinator(database).round(duty: &duty, as: id, at: start)
        try await database.run { db throws in
            let ada = try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 1, on: db)
            #expect(try JobQueue().claim(3, from: "gazetteer", for: ada, on: db).jobs.map(\.subjects.count) == [5])
            try db.query("UPDATE workers SET seen_at = now() - interval '11 seconds'")
        }
        _ = try await coordinator(database).round(duty: &duty, as: id, at: start)
        #expect(try await count("jobs", database) == 2)
        try await with(worker(.everywhere, on: database)) { () async throws in
            #expect(try await waitForAnswers(database).located == 5)
        }
    }

    @Test func `a coordinator has a row while it runs and hands over the lead when it stops`() async throws {
        let database = try Database.test
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let (led, leads) = AsyncStream.makeStream(of: Void.self)
        let log = Log(format: .logfmt) { line in if line.contains("leads") { leads.yield() } }
        let run = Task { try await coordinator(database, log: log).run { isReady.yield() } }
        for await _ in ready { break }
        #expect(
            try await database.run {
                try ProcessRegistry().isAlive(.coordinator, host: ProcessIdentity.current.host, on: $0)
            })
        for await _ in led { break }
        run.cancel()
        try await run.value
        #expect(try await count("coordinators", database) == 0)
        #expect(try await database.run { try !$0.query("SELECT FROM leadership WHERE until = '-infinity'").isEmpty })
    }

    @Test func `a coordinator stops although it can't report its end`() async throws {
        let database = try Database.test
        let (led, leads) = AsyncStream.makeStream(of: Void.self)
        let unsaid = Locked<[String]>([])
        let log = Log(format: .logfmt) { line in
            if line.contains("leads") { leads.yield() }
            for words in ["can't hand over the lead", "can't report this process's end"] where line.contains(words) {
                unsaid.withLock { $0.append(words) }
            }
        }
        let registry = ProcessRegistry(silenceLimit: .seconds(4))
        let run = Task { try await coordinator(database, registry: registry, log: log).run {} }
        for await _ in led { break }
        let (locks, locked) = AsyncStream.makeStream(of: Void.self)
        let stopped = Rendezvous(of: 2)
        let lock = Task {
            try await database.transaction { db in
                try db.query("LOCK TABLE leadership, coordinators")
                locked.yield()
                stopped.arriveAndWait()
            }
        }
        for await _ in locks { break }
        run.cancel()
        _ = await run.result
        #expect(unsaid.withLock { $0 } == ["can't hand over the lead", "can't report this process's end"])
        await stopped.arrive()
        try await lock.value
    }
}
