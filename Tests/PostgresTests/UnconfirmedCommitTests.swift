import Foundation
import Polling
import Postgres
import Testing

/// A primary whose synchronous standby is gone: commits wait, and no client may be told that they are done.
@Suite(.timeLimit(.minutes(10)))
struct UnconfirmedCommitTests {
    private func withLonelyPrimary(
        _ name: String, _ body: @Sendable (_ database: Database, _ admin: Database) async throws -> Void
    ) async throws {
        let server = try await PrivateServer.start(
            in: "/tmp/waypost-lonely-\(name)-\(getpid())", .temporary,
            settings: ["wal_level=replica", "max_wal_senders=1"])
        let admin = Database(url: server.url(of: "postgres"), options: .init(size: 1))
        let database = Database(url: server.url, options: .init(size: 1))
        try await database.run { _ = try $0.query("CREATE TABLE notes (id integer PRIMARY KEY)") }
        try await setStandby("nobody", admin)
        try await body(database, admin)
        await database.close()
        await admin.close()
        await server.stop()
    }

    private func setStandby(_ name: String, _ admin: Database) async throws {
        try await admin.run { db throws in
            try db.run(script: "ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
            try db.query("SELECT pg_reload_conf()")
        }
        try await pollUntil {
            try await admin.run {
                try $0.query("SHOW synchronous_standby_names")[0].read("synchronous_standby_names") == name
            }
        }
        guard !name.isEmpty else { return }
        // Commits wait only after the checkpointer has read the setting too.
        try await pollUntil {
            do {
                try await admin.transaction(within: .milliseconds(200)) { db throws in
                    try db.query("SET LOCAL synchronous_commit = on")
                    try db.query("CREATE TABLE IF NOT EXISTS probes (id integer)")
                    try db.query("INSERT INTO probes VALUES (1)")
                }
                return false
            } catch let error as DatabaseError { return error.isConnectionLost }
        }
    }

    private func count(_ database: Database) async throws -> Int {
        try await database.run { try $0.query("SELECT FROM notes").count }
    }

    @Test func `a commit that waits for a standby is not acknowledged when its time is over`() async throws {
        try await withLonelyPrimary("limit") { database, admin in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction(within: .milliseconds(200)) { db throws in
                    try db.query("SET LOCAL synchronous_commit = on")
                    try db.query("INSERT INTO notes VALUES (1)")
                }
            }
            #expect(error?.isConnectionLost == true)
            // No session sees the row before the standby has it. So a request that is sent again can't find it stored.
            #expect(try await count(database) == 0)
            try await setStandby("", admin)
            try await pollUntil { try await count(database) == 1 }
        }
    }

    @Test func `a statement whose wait for a standby was cancelled is not acknowledged`() async throws {
        try await withLonelyPrimary("cancel") { database, admin in
            let writing = Task {
                try await database.run { db throws in
                    try db.query("SET synchronous_commit = on")
                    try db.query("INSERT INTO notes VALUES (1)")
                }
            }
            try await pollUntil {
                try await admin.run {
                    try $0.query(
                        """
                        SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                        WHERE wait_event = 'SyncRep' AND query LIKE 'INSERT INTO notes%'
                        """
                    ).count == 1
                }
            }
            let error = await #expect(throws: DatabaseError.self) { try await writing.value }
            #expect(error?.isConnectionLost == true)
        }
    }
}
