import DatabaseTesting
import Postgres
import Schema
import Testing

/// A database from before sinks of the kinds file and table left the program.
@Suite(.database)
struct SinkKindMigrationTests {
    @Test func `a sink of a kind that has left stays with its locations, and its lane stops`() async throws {
        let earlier = SchemaScripts(migrations: Schema.scripts.migrations.filter { $0.number < 28 })
        try await Database.test.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        try await Database.test.migrate(earlier)
        try await Database.test.run(
            script: """
                INSERT INTO accounts (name) VALUES ('app');
                INSERT INTO lanes (name, kind, paused_at)
                SELECT 'upload:' || name, 'upload', CASE name WHEN 'paused' THEN timestamptz '2026-11-01 Z' END
                FROM unnest(ARRAY['file', 'table', 'webhook', 'firestore', 'paused']) AS name;
                INSERT INTO sinks (account, name, kind, lane)
                SELECT accounts.id, substr(lanes.name, 8), replace(substr(lanes.name, 8), 'paused', 'file'), lanes.id
                FROM lanes, accounts
                WHERE lanes.kind = 'upload' AND accounts.name = 'app';
                INSERT INTO trackers (account, user_id, sink) SELECT account, name, id FROM sinks;
                INSERT INTO pending_locations (account, tracker, at, id, lat, lng, wait_time)
                SELECT account, id, '2026-11-01 Z', '1', 60, 25, 0 FROM trackers
                """)
        _ = try await Schema.prepare(Database.test)
        let lanes = try await texts(
            "SELECT concat_ws(' ', name, paused_at IS NOT NULL, paused_because) AS text FROM lanes WHERE kind = 'upload'"
        )
        let reason = "this version has no sinks of the kind"
        #expect(
            lanes.sorted() == [
                "upload:file t \(reason) file", "upload:firestore f", "upload:paused t",
                "upload:table t \(reason) table", "upload:webhook f",
            ])
        #expect(
            try await texts("SELECT concat_ws(' ', verb, target, host) AS text FROM audit_log").sorted()
                == ["lanes.pause upload:file migration 28", "lanes.pause upload:table migration 28"])
        let waiting = try await texts(
            """
            SELECT sinks.name AS text
            FROM pending_locations JOIN trackers ON trackers.id = tracker JOIN sinks ON sinks.id = sink
            WHERE NOT uploaded
            """)
        #expect(waiting.sorted() == ["file", "firestore", "paused", "table", "webhook"])
    }

    private func texts(_ query: SQL) async throws -> [String] {
        try await Database.test.query(query).map { try $0.read("text") }
    }
}
