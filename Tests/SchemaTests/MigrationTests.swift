import DatabaseTesting
import Foundation
import Postgres
import Schema
import Testing

struct ScriptTests {
    private func names(in folder: String) throws -> Set<String> {
        let sql = URL(filePath: #filePath).appending(path: "../../../sql").standardized
        return try Set(
            FileManager.default.contentsOfDirectory(atPath: sql.appending(path: folder).path)
                .filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) })
    }

    @Test func `migrations are numbered from 1, in ascending order`() {
        let numbers = Schema.scripts.migrations.map(\.number)
        #expect(numbers == Set(numbers).sorted() && numbers.first == 1)
    }

    @Test func `every function file is listed once`() throws {
        let listed = Schema.scripts.functions.map(\.name)
        #expect(Set(listed) == (try names(in: "functions")))
        #expect(Set(listed).count == listed.count)
    }

    @Test func `every table file makes a part of a new database`() throws {
        let tables = try #require(Schema.scripts.tables)
        let sql = URL(filePath: #filePath).appending(path: "../../../sql/tables").standardized
        for name in try names(in: "tables") {
            let file = try String(contentsOf: sql.appending(path: "\(name).sql"), encoding: .utf8)
            #expect(tables.contains(file), "\(name)")
        }
    }
}

/// A new database and an upgraded one.
@Suite(.database)
struct UpgradeTests {
    /// Everything in the database except rows with times and the schema's owner, in a fixed order.
    private func dump() throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/pg_dump")
        let varied = ["chains", "lanes", "home_database", "schema_migrations", "schema_functions"]
        let url = try Database.testURL
        process.arguments = varied.map { "--exclude-table-data=\($0)" } + ["--dbname", url]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        // Each dump has another random token after \restrict.
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .filter { !$0.contains("restrict ") && !$0.hasPrefix("--") && !$0.contains("SCHEMA public") }.sorted()
    }

    @Test(arguments: Schema.scripts.migrations.indices.dropLast())
    func `a database of an earlier version is upgraded to what a new one is`(_ newest: Int) async throws {
        let new = try dump()
        let earlier = SchemaScripts(migrations: Array(Schema.scripts.migrations[...newest]))
        try await Database.test.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        try await Database.test.migrate(earlier)
        let changes = try await Schema.prepare(Database.test).changes
        #expect(changes.migrations == Schema.scripts.migrations[(newest + 1)...].map(\.number))
        let difference = try dump().difference(from: new)
        #expect(difference.isEmpty, "\(difference)")
    }
}

@Suite(.database)
struct EncodingTests {
    @Test(arguments: [0, 21])
    func `a database in another encoding is refused before a migration runs`(_ newest: Int) async throws {
        let own: String = try await Database.test.query("SELECT current_database() AS name")[0].read("name")
        let name = "ascii_\(own.suffix(40))"
        try await Database.test.run(
            script: "CREATE DATABASE \(name) ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        let database = try Database(url: Database.testURL.replacing(own, with: name), options: .init(size: 1))
        let earlier = Schema.scripts.migrations.filter { $0.number <= newest }
        if newest > 0 { try await database.migrate(SchemaScripts(migrations: earlier)) }
        let error = await #expect(throws: SchemaError.self) { try await Schema.prepare(database) }
        #expect(error?.description == "the database has the encoding SQL_ASCII, and Waypost needs UTF8")
        let tables: Int = try await database.query("SELECT count(to_regclass('schema_migrations')) AS count")[0].read(
            "count")
        #expect(tables == (newest > 0 ? 1 : 0))
        await database.close()
        try await Database.test.run(script: "DROP DATABASE \(name) WITH (FORCE)")
    }
}

/// Rows that another program wrote before the constraints existed.
@Suite(.database)
struct FiniteMomentTests {
    @Test(arguments: ["infinity", "-infinity", "294276-12-31"])
    func `a moment that no calendar has becomes the nearest one, and the migration goes on`(moment: String) async throws
    {
        let database = try Database.test
        try await database.run { try $0.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public") }
        let earlier = Schema.scripts.migrations.filter { $0.number < 22 }
        try await database.migrate(SchemaScripts(migrations: earlier))
        try await database.run(
            script: """
                UPDATE lanes SET paused_at = '\(moment)', blocked_until = '\(moment)', blocked_because = 'a', call_limit = '1000 y';
                INSERT INTO token_buckets (lane, per, refill, capacity, full_at)
                VALUES (1, '1 s', 'NaN', 'Infinity', '\(moment)');
                INSERT INTO jobs (lane, subjects, run_at) VALUES (1, '{1}', '\(moment)');
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, died_at)
                VALUES (9, 1, 1, 1, 0, '{2}', 'a', '\(moment)');
                INSERT INTO calls (started_at, took, worker, subjects, lane, outcome) VALUES ('\(moment)', 'NaN', 1, 1, 1, 'done');
                INSERT INTO geocodes (hash, street, city, region, postcode, country, chain, status, reason, geocoded_at)
                SELECT sha256('a'), '', '', '', '', '', min(id), 'failed', 'a', '\(moment)' FROM chains;
                INSERT INTO backlogs (lane, counted_at, took, ready, later, dead) VALUES (1, '\(moment)', '1 s', -1, 0, 0);
                UPDATE server_clock SET checked_at = '\(moment)', checked_boot = 'a', checked_from = 'NaN', checked_to = 1;
                INSERT INTO accounts (name) VALUES ('app');
                INSERT INTO trackers (account, user_id, newest_at, on_times, stops)
                SELECT id, 'ada', '\(moment)', tstzmultirange(
                           tstzrange('2023-11-14', greatest('\(moment)', '2023-11-15'::timestamptz))),
                       ARRAY['\(moment)'::timestamptz, '2023-11-15']
                FROM accounts;
                """)
        _ = try await Schema.prepare(database)
        let rows = try await database.query(
            """
            SELECT (SELECT extract(year FROM paused_at) IN (1, 9999) FROM lanes WHERE id = 1)
                   AND (SELECT extract(year FROM run_at) IN (1, 9999) FROM jobs)
                   AND (SELECT extract(year FROM newest_at) IN (1, 9999) FROM trackers)
                   AND (SELECT cardinality(stops) = 1 FROM trackers)
                   AND (SELECT refill = 1e9 AND capacity = 1e9 FROM token_buckets)
                   AND NOT EXISTS (SELECT FROM backlogs) AS is_mended
            """)
        #expect(try rows[0].read("is_mended", as: Bool.self))
        await #expect(throws: DatabaseError.self) {
            try await database.run { _ = try $0.query("UPDATE jobs SET run_at = 'infinity'") }
        }
    }
}

/// The effect on a database when functions change between programs.
@Suite(.database)
struct FunctionFileTests {
    private let changed = Schema.scripts.with("slots") { $0 + "\n-- Changed.\n" }

    /// The files that were applied after the tables were created.
    private func filesAppliedLater() async throws -> [String] {
        try await Database.test.query(
            """
            SELECT name FROM schema_functions
            WHERE applied_at <> (SELECT applied_at FROM schema_migrations WHERE number = 1)
            ORDER BY name
            """
        ).map { try $0.read("name") }
    }

    private func emptyDatabase() async throws {
        try await Database.test.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    }

    @Test func `an empty database gets the whole schema, and a second run changes nothing`() async throws {
        try await emptyDatabase()
        #expect(try await Schema.prepare(Database.test).changes.migrations == Schema.scripts.migrations.map(\.number))
        #expect(try await Database.test.schemaState(comparedWith: Schema.scripts) == .fits)
        #expect(try await Schema.prepare(Database.test).changes.isEmpty)
        #expect(try await filesAppliedLater() == [])
    }

    @Test func `only a changed file is applied`() async throws {
        let changes = try await Database.test.migrate(changed)
        #expect(changes.migrations.isEmpty && changes.functions == ["slots"])
        #expect(try await filesAppliedLater() == ["slots"])
        #expect(try await Database.test.schemaState(comparedWith: changed) == .fits)
        #expect(try await Database.test.migrate(changed).isEmpty)
    }

    @Test func `a program refuses functions older than its own, and names them`() async throws {
        let error = await #expect(throws: SchemaError.self) { try await Database.test.requireSchema(changed) }
        #expect(error == .behind(missing: [], functions: ["slots"]))
        #expect(error?.description.hasSuffix("function files (slots)") == true)
    }

    @Test func `an older program works with newer functions and does not replace them`() async throws {
        try await Database.test.migrate(changed)
        #expect(try await Database.test.schemaState(comparedWith: Schema.scripts) == .ahead(unknown: []))
        try await Database.test.requireSchema(Schema.scripts)
        #expect(try await Database.test.migrate(Schema.scripts).isEmpty)
        #expect(try await Database.test.schemaState(comparedWith: changed) == .fits)
    }

    @Test func `with a newer migration, a program leaves all functions unchanged`() async throws {
        let next = Schema.scripts.adding("SELECT 1")
        try await Database.test.migrate(next)
        #expect(
            try await Database.test.schemaState(comparedWith: changed) == .ahead(unknown: [Schema.scripts.nextNumber]))
        #expect(try await Database.test.migrate(changed).isEmpty)
    }

    @Test func `a migration that drops no function leaves the functions and their tables' locks alone`() async throws {
        let next = Schema.scripts.adding("ALTER TABLE lanes ADD colour text")
        let changes = try await Database.test.migrate(next)
        #expect(changes.migrations == [Schema.scripts.nextNumber] && changes.functions == [])
        #expect(changes.locks.map(\.migration) == [Schema.scripts.nextNumber])
        #expect(try await Database.test.schemaState(comparedWith: next) == .fits)
    }

    @Test func `a migration commits before the functions, unless it drops some`() async throws {
        for (script, missing) in [("SELECT 1", []), ("DROP FUNCTION slots", [Schema.scripts.nextNumber])] {
            let broken = Schema.scripts.adding(script).with("shift_clock") { $0 + "\nSELECT 1 / 0;\n" }
            await #expect(throws: DatabaseError.self) { try await Database.test.migrate(broken) }
            let state = try await Database.test.schemaState(comparedWith: broken)
            #expect(state == .behind(missing: missing, functions: ["shift_clock"]))
            try await Database.test.run(script: "DELETE FROM schema_migrations WHERE name = 'next'")
        }
    }

    @Test func `a trigger that a changed file drops is no longer expected`() async throws {
        let without = Schema.scripts.with("set_updated_at") {
            $0 + "\nDROP TRIGGER friend_updated_at ON friends;\n"
        }
        try await Database.test.migrate(without)
        try await Database.test.run { try $0.requireSchemaObjects() }
    }

    @Test func `all functions are applied again after a migration that dropped one`() async throws {
        let next = Schema.scripts.adding("DROP FUNCTION slots; ALTER TABLE lanes ADD colour text")
        let changes = try await Database.test.migrate(next)
        #expect(changes.migrations == [Schema.scripts.nextNumber])
        #expect(changes.functions == Schema.scripts.functions.map(\.name))
        try await Database.test.query("SELECT slots('{0}', '{1}', '{1}', 1, 0, 2)")
    }

    @Test func `a file that fails leaves the functions as they were`() async throws {
        let broken = changed.with("shift_clock") { $0 + "\nSELECT 1 / 0;\n" }
        await #expect(throws: DatabaseError.self) { try await Schema.prepare(Database.test, with: broken) }
        #expect(try await filesAppliedLater() == [])
        #expect(try await Database.test.schemaState(comparedWith: Schema.scripts) == .fits)
    }

    @Test func `an interrupted preparation leaves the database empty`() async throws {
        try await emptyDatabase()
        let broken = Schema.scripts.with("shift_clock") { $0 + "\nSELECT 1 / 0;\n" }
        await #expect(throws: DatabaseError.self) { try await Schema.prepare(Database.test, with: broken) }
        try await Database.test.run { db throws in
            #expect(try db.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace").isEmpty)
        }
        _ = try await Schema.prepare(Database.test)
    }

    @Test func `two concurrent programs apply a changed file once`() async throws {
        try await withThrowingTaskGroup(of: SchemaChanges.self) { [changed] group in
            for _ in 0..<2 { group.addTask { try await Schema.prepare(Database.test, with: changed).changes } }
            let all = try await group.reduce(into: []) { $0.append($1) }
            #expect(all.filter { $0.functions == ["slots"] }.count == 1)
            #expect(all.filter(\.isEmpty).count == 1)
        }
    }

    @Test func `a function with other parameters is refused while the old one exists`() async throws {
        let other = Schema.scripts.with("wake_sleepers") {
            $0.replacing("FUNCTION enqueue_lock()", with: "FUNCTION enqueue_lock(lane integer DEFAULT 1)")
        }
        let error = await #expect(throws: SchemaError.self) { try await Database.test.migrate(other) }
        #expect(error == .overloaded(functions: ["enqueue_lock"]))
        #expect(
            try await Database.test.migrate(other.adding("DROP FUNCTION enqueue_lock")).migrations == [
                Schema.scripts.nextNumber
            ])
    }

    @Test func `every file can be applied again while the tables have rows`() async throws {
        try await Database.test.query("SELECT FROM queue_jobs('gazetteer', '{1}')")
        var all = Schema.scripts
        for file in all.functions { all = all.with(file.name) { $0 + "\n" } }
        #expect(try await Schema.prepare(Database.test, with: all).changes.functions == all.functions.map(\.name))
        #expect(try await Schema.prepare(Database.test, with: all).changes.isEmpty)
    }

    @Test func `a database from before the first release is refused`() async throws {
        try await Database.test.run(script: "UPDATE schema_migrations SET name = 'queue'")
        let error = await #expect(throws: SchemaError.self) { try await Database.test.requireSchema(Schema.scripts) }
        #expect(error == .foreign(number: 1, name: "queue"))
        await #expect(throws: SchemaError.self) { try await Schema.prepare(Database.test) }
        try await Database.test.run(script: "DROP TABLE schema_functions")
        await #expect(throws: SchemaError.self) { try await Database.test.requireSchema(Schema.scripts) }
    }
}

extension SchemaScripts {
    /// The scripts of a later program with a change in one file.
    fileprivate func with(_ name: String, change: (String) -> String) -> SchemaScripts {
        SchemaScripts(
            tables: tables, migrations: migrations,
            functions: functions.map { $0.name == name ? FunctionFile(name, Array(change($0.script).utf8)) : $0 })
    }

    /// The number of the next migration.
    fileprivate var nextNumber: Int { (migrations.map(\.number).max() ?? 0) + 1 }

    /// The scripts of a later program with one more migration.
    fileprivate func adding(_ script: String) -> SchemaScripts {
        SchemaScripts(
            migrations: migrations + [Migration(nextNumber, "next", Array(script.utf8))],
            functions: functions)
    }
}
