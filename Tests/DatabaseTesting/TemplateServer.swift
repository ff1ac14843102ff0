import Foundation
import Postgres
import Schema

/// A database for one test alone.
struct TestDatabase: Sendable {
    let name: String
    let url: String
    let pool: Database
}

/// A server with a migrated template, from which databases are copied.
struct TemplateServer: Sendable {
    private static let template = "waypost_template"

    private let server: PrivateServer
    private let maintenance: Database
    private let state: TemplateState
    /// With `POOLED=1` the tests reach their databases through a pooler.
    private let pooler: Pooler?

    init(_ server: PrivateServer) async throws {
        self.server = server
        maintenance = Database(url: server.url(of: "postgres"), options: Self.options(size: 4))
        // Autovacuum would change statistics and so plans in the middle of a test.
        try await maintenance.run { connection in
            try connection.query("ALTER SYSTEM SET autovacuum = off")
            try connection.query("SELECT pg_reload_conf()")
            try connection.run(script: "CREATE DATABASE \(Self.template)")
        }
        let database = Database(url: server.url(of: Self.template), options: Self.options(size: 1))
        try await database.migrate(Schema.scripts)
        try await Schema.prepareRoles(in: database)
        // Otherwise each test's database would be a copy, in which lanes with limits rest.
        try await database.run { _ = try $0.query("DELETE FROM home_database") }
        state = try await database.run { try TemplateState(of: $0) }
        await database.close()
        let isPooled = ProcessInfo.processInfo.environment["POOLED"] == "1"
        pooler = isPooled ? try Pooler(to: server.url(of: Self.template), sessions: 8) : nil
    }

    /// Creates a database by copying the template.
    func copy() async throws -> TestDatabase {
        let new = newDatabase()
        try await maintenance.run { try $0.run(script: "CREATE DATABASE \(new.name) TEMPLATE \(Self.template)") }
        return new
    }

    /// Makes a used database equal to a fresh copy, in a fraction of the time. Returns nil if that is impossible.
    ///
    /// The database gets a new name, so a session that the old test left behind can't find it.
    func renew(_ old: TestDatabase) async throws -> TestDatabase? {
        let new = newDatabase()
        do {
            try await maintenance.run { connection in
                try connection.query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(old.name)")
                try connection.run(
                    script: """
                        ALTER DATABASE \(old.name) WITH ALLOW_CONNECTIONS true;
                        ALTER DATABASE \(old.name) RESET ALL;
                        ALTER DATABASE \(old.name) RENAME TO \(new.name)
                        """)
            }
        } catch let error as DatabaseError where error.sqlState == "55006" {
            // A session is still open.
            return nil
        }
        // Not the test's pool, whose first session should be a new one.
        let database = Database(url: new.url, options: Self.options(size: 1))
        let isRestored = try await database.transaction { try state.restore($0) }
        await database.close()
        return isRestored ? new : nil
    }

    private func newDatabase() -> TestDatabase {
        let name = "waypost_test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        let url = pooler?.url(of: name) ?? server.url(of: name)
        var options = Self.options(size: 4)
        options.directURL = server.url(of: name)
        return TestDatabase(name: name, url: url, pool: Database(url: url, options: options))
    }

    /// On a busy machine a connection takes long. The limit of the test ends the wait if necessary.
    private static func options(size: Int) -> Database.Options {
        var options = Database.Options(size: size)
        options.waitLimit = .seconds(3_600)
        options.connectLimit = .seconds(600)
        return options
    }
}
