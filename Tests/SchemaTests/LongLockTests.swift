import DatabaseTesting
import Postgres
import Schema
import Testing

/// Migrations after number 20 stop readers and writers for at most 100 ms, see docs/design/schema.md.
struct LongLockTests {
    /// Tables that are always small. Other tables that a migration did not create itself may be large.
    private static let small: Set = [
        "accounts", "backlogs", "chains", "coordinators", "countries", "lanes", "leadership", "server_clock", "sinks",
        "sleepers", "token_buckets", "tokens", "workers",
    ]

    /// Returns the reason why a statement locks a table for long; nil if it does not.
    private func reason(_ statement: String, in step: MigrationStep, after earlier: [String], new: Set<String>)
        -> String?
    {
        let text = statement.replacing(/\s+/, with: " ").uppercased()
        if text.contains(/^(VACUUM FULL|CLUSTER|LOCK)\b/) { return "it locks the table until it ends" }
        if text.contains(/^REINDEX (?!.*CONCURRENTLY)/) { return "REINDEX needs CONCURRENTLY" }
        let table = text.firstMatch(
            of:
                /^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?|UPDATE (?:ONLY )?|DELETE FROM )(\w+)/
        )?.1.lowercased()
        guard let table, !Self.small.contains(table), !new.contains(table) else { return nil }
        if text.contains(/^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)/) { return "CREATE INDEX needs CONCURRENTLY" }
        if text.contains(/^(UPDATE|DELETE)/), case .short = step.kind { return "it needs batches" }
        if text.contains(/SET NOT NULL/), !earlier.contains(where: { $0.contains("VALIDATE CONSTRAINT") }) {
            return "SET NOT NULL needs a validated constraint CHECK (… IS NOT NULL) first"
        }
        if text.contains(/ALTER (COLUMN )?\w+ (SET DATA )?TYPE/) { return "a new type may rewrite the table" }
        if text.contains(
            /ADD (COLUMN )?.*(DEFAULT \(?(RANDOM|CLOCK_TIMESTAMP|GEN_RANDOM_UUID|NEXTVAL|TIMEOFDAY)|GENERATED|SERIAL)/)
        {
            return "a value for each row rewrites the table"
        }
        if text.contains(/ADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)|ADD COLUMN .*(REFERENCES|CHECK)/),
            !text.contains("NOT VALID")
        {
            return "a constraint needs NOT VALID, and VALIDATE CONSTRAINT in a later step"
        }
        if text.contains(
            /ADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)(?! USING INDEX)|ADD COLUMN .*(UNIQUE|PRIMARY KEY)/)
        {
            return "it builds an index: use CREATE UNIQUE INDEX CONCURRENTLY, then ADD … USING INDEX"
        }
        return nil
    }

    private func objections(to migration: Migration) -> [String] {
        let all = migration.script.sqlStatements
        let new = Set(all.compactMap { $0.firstMatch(of: /(?i)^CREATE TABLE (?:IF NOT EXISTS)?(\w+)/)?.1.lowercased() })
        var earlier: [String] = []
        var found: [String] = []
        for step in migration.steps {
            let statements = step.script.sqlStatements
            for statement in statements {
                if let reason = reason(statement, in: step, after: earlier, new: new) {
                    found.append("\(statement): \(reason)")
                }
                earlier.append(statement)
            }
            if step.kind == .concurrent, statements.count > 1 { found.append("CONCURRENTLY needs a step of its own") }
            if step.kind == .validation, statements.count > 1 {
                found.append("VALIDATE CONSTRAINT needs a step of its own")
            }
            if case .batches = step.kind, !step.script.contains(":first") || !step.script.contains(":last") {
                found.append("a batch needs :first and :last")
            }
        }
        if migration.steps.flatMap(\.script.sqlStatements) != all {
            found.append("a statement is before the first step")
        }
        return found
    }

    @Test func `no migration locks a large table for long`() {
        for migration in Schema.scripts.migrations where migration.number > Migration.lastWithoutSteps {
            let found = objections(to: migration)
            #expect(found.isEmpty, "\(migration.name): \(found.joined(separator: "; "))")
        }
    }

    private static let bad = [
        "CREATE INDEX a ON friends (name)",
        "CREATE UNIQUE INDEX a ON ONLY friends (name)",
        "ALTER TABLE friends ALTER name SET NOT NULL",
        "ALTER TABLE friends ALTER COLUMN name TYPE varchar(9)",
        "ALTER TABLE friends ALTER name SET DATA TYPE varchar(9)",
        "ALTER TABLE friends ADD COLUMN lot double precision DEFAULT random()",
        "ALTER TABLE friends ADD COLUMN lot bigint GENERATED ALWAYS AS IDENTITY",
        "ALTER TABLE friends ADD COLUMN lot bigserial",
        "ALTER TABLE friends ADD CONSTRAINT a CHECK (name <> '')",
        "ALTER TABLE friends\n    ADD FOREIGN KEY (account) REFERENCES accounts",
        "ALTER TABLE friends ADD COLUMN lane integer REFERENCES lanes",
        "ALTER TABLE friends ADD UNIQUE (name)",
        "UPDATE friends SET name = ''",
        "DELETE FROM geocodes WHERE is_weak",
        "VACUUM FULL friends",
        "CLUSTER friends USING friends_pkey",
        "REINDEX TABLE friends",
        "LOCK friends",
        "-- step\nCREATE INDEX CONCURRENTLY a ON friends (name); ALTER TABLE friends ADD b text",
        "-- step\nALTER TABLE friends VALIDATE CONSTRAINT a; ALTER TABLE friends ADD b text",
        "-- step in batches of friends\nUPDATE friends SET name = ''",
        "SELECT 1;\n-- step\nSELECT 2",
    ]

    @Test(arguments: bad)
    func `a statement with a long lock is found`(_ script: String) {
        #expect(objections(to: Migration(21, "bad", Array(script.utf8))).count == 1)
    }

    private static let good = [
        "CREATE TABLE colours (id integer); CREATE INDEX a ON colours (id); UPDATE colours SET id = 1",
        "UPDATE lanes SET paused_at = NULL",
        "ALTER TABLE friends ADD COLUMN colour text NOT NULL DEFAULT ''",
        "ALTER TABLE friends DROP COLUMN colour; DROP INDEX a; DROP FUNCTION f(integer)",
        "-- step\nCREATE INDEX CONCURRENTLY a ON friends (name);\n-- step\nDROP INDEX CONCURRENTLY IF EXISTS b;",
        """
        -- step
        ALTER TABLE friends ADD CONSTRAINT a CHECK (name IS NOT NULL) NOT VALID;
        -- step
        ALTER TABLE friends VALIDATE CONSTRAINT a;
        -- step
        ALTER TABLE friends ALTER name SET NOT NULL;
        """,
        "-- step in batches of friends\nUPDATE friends SET name = '' WHERE id BETWEEN :first AND :last",
    ]

    @Test(arguments: good)
    func `a statement with a short lock is permitted`(_ script: String) {
        #expect(objections(to: Migration(21, "good", Array(script.utf8))) == [])
    }
}

/// The function files run in one transaction, so a lock that one of them takes lasts until all have run.
@Suite(.database)
struct FunctionLockTests {
    @Test func `function files lock tables only in statements that run last`() async throws {
        try await Database.test.transaction { db throws in
            for file in Schema.scripts.functions {
                try db.run(script: file.statements.others)
                let locks: [String] = try db.query(
                    """
                    SELECT format('%s of %s', mode, relation::regclass) AS lock
                    FROM pg_locks
                    WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
                      AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
                      AND relation IN (
                          SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND xmin <> pg_current_xact_id()::xid)
                    """
                ).map { try $0.read("lock") }
                #expect(locks == [], "\(file.name)")
            }
        }
    }

    @Test func `the keys of the map are filled in only once`() async throws {
        let database = try Database.test
        try await database.run(
            script: """
                INSERT INTO accounts (name) VALUES ('ada');
                INSERT INTO friends (account, source_key, name) SELECT id, 'ada', 'Ada' FROM accounts WHERE name = 'ada';
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision)
                VALUES (sha256('1'), '', 'Espoo', '', '', 'Finland', 'located', 60.2, 24.7, 'city');
                INSERT INTO addresses (friend, position, city, country, hash, owner)
                SELECT id, 1, 'Espoo', 'Finland', sha256('1'), account FROM friends;
                ALTER TABLE addresses DISABLE TRIGGER USER;
                UPDATE addresses SET map_key = NULL;
                """)
        let file = try #require(Schema.scripts.functions.first { $0.name == "map_key" })
        func keys() async throws -> Int {
            try await database.run { db in
                try db.run(script: file.script)
                return try db.query("SELECT count(map_key) AS count FROM addresses")[0].read("count")
            }
        }
        #expect(try await keys() == 0)
        try await database.run { _ = try $0.query("DELETE FROM schema_functions WHERE name = 'map_key'") }
        #expect(try await keys() == 1)
    }
}
