import DatabaseTesting
import Foundation
import Polling
import Postgres
import Testing

/// The kinds of steps, run on a table `people` of 250 rows.
@Suite(.database)
struct MigrationStepTests {
    private static let first = Migration(
        101, "people",
        Array(
            """
            CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL);
            INSERT INTO people SELECT id, 'name ' || id FROM generate_series(1, 250) AS id
            """.utf8))

    private static let batches = """
        -- Counts how often a row was changed.
        -- step
        ALTER TABLE people ADD COLUMN changes integer NOT NULL DEFAULT 0;
        -- step in batches of people
        UPDATE people SET changes = changes + 1 WHERE id BETWEEN :first AND :last;
        -- step
        ALTER TABLE people ADD CONSTRAINT each_row_is_changed_once CHECK (changes < 2) NOT VALID;
        -- step
        ALTER TABLE people VALIDATE CONSTRAINT each_row_is_changed_once;
        """

    private static let index = """
        -- step
        CREATE UNIQUE INDEX CONCURRENTLY people_by_name ON people (name);
        """

    private static func scripts(_ texts: String...) -> SchemaScripts {
        let later = texts.enumerated().map { Migration(102 + $0, "later", Array($1.utf8)) }
        return SchemaScripts(migrations: [first] + later)
    }

    /// A database that has only the first migration.
    private func database(size: Int = 8) async throws -> Database {
        var options = Database.Options(size: size)
        // A test keeps a transaction open until another process ends.
        options.idleInTransactionLimit = .seconds(3_600)
        let database = try Database(url: Database.testURL, options: options)
        try await database.run { try $0.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public") }
        try await database.migrate(Self.scripts())
        return database
    }

    private func limits(_ change: (inout LockLimits) -> Void) -> LockLimits {
        var limits = LockLimits()
        change(&limits)
        return limits
    }

    private func value(_ sql: SQL, in database: Database) async throws -> Int {
        try await database.run { try $0.query(sql)[0].read("value") }
    }

    private func changedOnce(in database: Database) async throws -> Int {
        try await value("SELECT count(*) AS value FROM people WHERE changes = 1", in: database)
    }

    @Test func `a script is divided into steps and statements`() {
        let steps = Migration(1, "", Array((Self.batches + "\n" + Self.index).utf8)).steps
        #expect(steps.map(\.kind) == [.short, .batches(of: "people"), .short, .validation, .concurrent])
        #expect(Migration(1, "", Array("SELECT 1; -- CONCURRENTLY".utf8)).steps.map(\.kind) == [.short])
        let quoted = """
            -- a; b
            SELECT ';', ";" /* ; */ ;
            DO $$ BEGIN; END $$; SELECT $1; SELECT $a$ $$;$$ 'x $a$; ;
            """
        #expect(
            quoted.sqlStatements == [
                #"SELECT ';', ";""#, "DO $$ BEGIN; END $$", "SELECT $1", "SELECT $a$ $$;$$ 'x $a$",
            ])
    }

    @Test func `each step commits by itself, and several processes run each only once`() async throws {
        let database = try await database()
        let scripts = Self.scripts(Self.batches, Self.index)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await database.migrate(scripts) } }
            try await group.waitForAll()
        }
        #expect(try await changedOnce(in: database) == 250)
        #expect(try await value("SELECT count(*) AS value FROM schema_progress", in: database) == 0)
        #expect(
            try await value(
                """
                SELECT count(*) AS value FROM pg_index
                WHERE indexrelid = to_regclass('people_by_name') AND indisvalid AND indisunique
                """, in: database) == 1)
        #expect(
            try await value(
                """
                SELECT count(*) AS value FROM pg_constraint
                WHERE conname = 'each_row_is_changed_once' AND convalidated
                """, in: database) == 1)
        #expect(try await database.schemaState(comparedWith: scripts) == .fits)
        await database.close()
    }

    @Test func `when a batch of two or three rows takes too long, its rows are changed one by one`() async throws {
        let database = try await database()
        // Each third row takes longer than the limit, which does not hold for a batch of one row.
        let slow = Self.batches.replacing(
            ":last;", with: ":last AND pg_sleep(CASE WHEN id % 3 = 0 THEN 0.005 ELSE 0 END) IS NOT NULL;")
        try await database.migrate(Self.scripts(slow), under: limits { $0.hold = .milliseconds(3) })
        #expect(try await changedOnce(in: database) == 250)
        await database.close()
    }

    @Test func `after kill -9 the migration continues with the next batch`() async throws {
        let database = try await database()
        // The second batch waits for this lock, so the child can't finish.
        let (locked, killed) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let lock: Void = database.transaction { db throws in
            try db.query("SELECT pg_advisory_xact_lock(7)")
            locked.arriveAndWait()
            killed.arriveAndWait()
        }
        await locked.arrive()
        let (url, script) = (
            try Database.testURL,
            Self.batches.replacing(":last;", with: ":last AND (id <> 240 OR pg_advisory_xact_lock(7) IS NOT NULL);")
        )
        await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as String, script = script as String] in
            var options = Database.Options(size: 2)
            options.applicationName = "child"
            let database = Database(url: url, options: options)
            let migration = Task { try await database.migrate(MigrationStepTests.scripts(script)) }
            try await pollUntil {
                try await database.run { db in
                    try db.query("SELECT to_regclass('schema_progress') IS NOT NULL AS is_there")[0].read("is_there")
                        && !db.query("SELECT FROM schema_progress WHERE last_id >= 100").isEmpty
                }
            }
            kill(getpid(), SIGKILL)
            _ = await migration.result
        }
        // The server may still run the batch that it got.
        try await pollUntil {
            try await value(
                "SELECT count(*) AS value FROM pg_stat_activity WHERE application_name = 'child'", in: database) == 0
        }
        await killed.arrive()
        try await lock
        let done = try await changedOnce(in: database)
        #expect(done == 100)
        let changes = try await database.migrate(Self.scripts(script))
        #expect(changes.migrations == [102])
        #expect(try await changedOnce(in: database) == 250)
        await database.close()
    }

    @Test func `a step whose lock is not free lets others pass, and runs later`() async throws {
        let database = try await database()
        let (locked, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let reader: Void = database.transaction { db throws in
            try db.query("SELECT FROM people LIMIT 1")
            locked.arriveAndWait()
            released.arriveAndWait()
        }
        await locked.arrive()
        async let changes = database.migrate(Self.scripts("ALTER TABLE people ADD COLUMN age integer"))
        try await pollUntil {
            try await database.run {
                try !$0.query(
                    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'ROLLBACK'"
                ).isEmpty
            }
        }
        // Without the limit this would wait behind the migration, and so for the reader.
        #expect(try await value("SELECT count(*) AS value FROM people", in: database) == 250)
        await released.arrive()
        try await reader
        let report = try await changes.locks.first
        #expect(report?.migration == 102 && (report?.waits ?? 0) >= 1)
        await database.close()
    }

    @Test func `a lock that never is free ends the migration with the step and a remedy`() async throws {
        let database = try await database()
        let (locked, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let reader: Void = database.transaction { db throws in
            try db.query("SELECT FROM people LIMIT 1")
            locked.arriveAndWait()
            released.arriveAndWait()
        }
        await locked.arrive()
        let limits = self.limits { $0.patience = .milliseconds(1) }
        let scripts = Self.scripts("ALTER TABLE people ADD COLUMN age integer")
        let error = await #expect(throws: SchemaError.self) {
            try await database.migrate(scripts, under: limits)
        }
        #expect(error?.description.hasPrefix("step 1 of 1 of migration 102 (later) got no lock for 1 ms") == true)
        await released.arrive()
        try await reader
        await database.close()
    }

    @Test func `a long lock on a large table is refused, unless it is permitted`() async throws {
        let database = try await database()
        let limits = self.limits {
            $0.hold = .milliseconds(20)
            $0.largeTableBytes = 1
        }
        let long = Self.scripts("ALTER TABLE people ADD COLUMN age integer; SELECT pg_sleep(0.2)")
        let error = await #expect(throws: SchemaError.self) {
            try await database.migrate(long, under: limits)
        }
        let text = error?.description ?? ""
        #expect(text.contains("step 1 of 1 of migration 102 (later) would stop"), "\(text)")
        #expect(text.contains("people has about"), "\(text)")
        #expect(try await database.schemaState(comparedWith: long) == .behind(missing: [102]))
        let changes = try await database.migrate(long, under: self.limits { $0.hold = nil })
        #expect(changes.locks.first.map { $0.longest >= .milliseconds(200) } == true)
        await database.close()
    }

    @Test func `a check of all rows does not count as a lock that stops others`() async throws {
        let database = try await database()
        let slowCheck = """
            -- step
            ALTER TABLE people ADD CONSTRAINT each_row_takes_4_ms CHECK (pg_sleep(0.004)::text = '') NOT VALID;
            -- step
            ALTER TABLE people VALIDATE CONSTRAINT each_row_takes_4_ms;
            """
        let changes = try await database.migrate(Self.scripts(slowCheck))
        #expect(changes.locks.first.map { $0.longest < .seconds(1) } == true)
        await database.close()
    }

    @Test(arguments: [200, 1])
    func `a batch that takes too long is made smaller, down to one row`(milliseconds: Int) async throws {
        let database = try await database()
        let slow = """
            -- step in batches of people
            UPDATE people SET name = '!' || name || pg_sleep(0.005) WHERE id BETWEEN :first AND :last;
            """
        try await database.migrate(Self.scripts(slow), under: limits { $0.hold = .milliseconds(milliseconds) })
        #expect(try await value("SELECT count(*) AS value FROM people WHERE name ~ '^!n'", in: database) == 250)
        await database.close()
    }

    @Test func `a slow commit makes no batch smaller`() async throws {
        let database = try await database()
        let counted = """
            -- step
            CREATE TABLE batches (id bigint GENERATED ALWAYS AS IDENTITY);
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.1); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON batches DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION pause();
            -- step in batches of people
            INSERT INTO batches DEFAULT VALUES;
            UPDATE people SET name = '!' || name WHERE id BETWEEN :first AND :last;
            """
        try await database.migrate(Self.scripts(counted), under: limits { $0.hold = .seconds(2) })
        // 100 rows and then the other 150.
        #expect(try await value("SELECT count(*) AS value FROM batches", in: database) == 2)
        await database.close()
    }

    @Test func `no step holds its locks until its commit is on the disk`() async throws {
        let database = try await database()
        let noted = """
            -- step
            CREATE TABLE commits (setting text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN INSERT INTO commits SELECT current_setting(''synchronous_commit''); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER note AFTER UPDATE ON people DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION note();
            -- step
            SET LOCAL synchronous_commit = on;
            UPDATE people SET name = '!' || name WHERE id = 1;
            -- step in batches of people
            SET LOCAL synchronous_commit = on;
            UPDATE people SET name = '!' || name WHERE id BETWEEN :first AND :last AND id = 2;
            """
        try await database.migrate(Self.scripts(noted))
        #expect(try await value("SELECT count(*) AS value FROM commits WHERE setting = 'off'", in: database) == 2)
        #expect(try await value("SELECT count(*) AS value FROM commits", in: database) == 2)
        await database.close()
    }

    @Test func `steps that a crash of the server has undone run again`() async throws {
        let database = try await database()
        try await database.run(
            script: """
                CREATE TABLE runs (number integer GENERATED ALWAYS AS IDENTITY, step integer);
                CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF NEW.steps_done = 2 AND (SELECT count(*) FROM runs) = 2 THEN NEW.steps_done := 0; END IF;
                    RETURN NEW;
                END
                $$;
                CREATE TRIGGER undo BEFORE INSERT OR UPDATE ON schema_progress FOR EACH ROW EXECUTE FUNCTION undo()
                """)
        let steps = (1...3).map { "-- step\nINSERT INTO runs (step) VALUES (\($0));\n" }.joined()
        try await database.migrate(Self.scripts(steps))
        let runs = try await database.query("SELECT step FROM runs ORDER BY number").map {
            try $0.read("step", as: Int.self)
        }
        #expect(runs == [1, 2, 1, 2, 3])
        await database.close()
    }

    @Test func `an invalid index of an interrupted process is built again`() async throws {
        let database = try await database()
        try await database.run { try $0.run(script: "INSERT INTO people VALUES (251, 'name 1')") }
        let scripts = Self.scripts(Self.index)
        // Built by hand, and left invalid because two names are equal.
        await #expect(throws: DatabaseError.self) {
            try await database.run(script: "CREATE UNIQUE INDEX CONCURRENTLY people_by_name ON people (name)")
        }
        // The same error ends the migration, but it leaves no index behind.
        await #expect(throws: DatabaseError.self) { try await database.migrate(scripts) }
        #expect(try await value("SELECT count(to_regclass('people_by_name')) AS value", in: database) == 0)
        await #expect(throws: DatabaseError.self) {
            try await database.run(script: "CREATE UNIQUE INDEX CONCURRENTLY people_by_name ON people (name)")
        }
        try await database.run { try $0.run(script: "DELETE FROM people WHERE id = 251") }
        #expect(try await database.migrate(scripts).migrations == [102])
        #expect(try await value("SELECT count(*) AS value FROM pg_index WHERE NOT indisvalid", in: database) == 0)
        await database.close()
    }

    @Test func `the plan lists the steps that are not done, and changes nothing`() async throws {
        let database = try await database()
        let scripts = Self.scripts(Self.batches, Self.index)
        let all = try await database.plannedSteps(of: scripts)
        #expect(all.map(\.number) == [1, 2, 3, 4, 1])
        #expect(all.allSatisfy { $0.table?.name == "people" })
        #expect(try await database.schemaState(comparedWith: scripts) == .behind(missing: [102, 103]))
        await database.close()
    }
}
