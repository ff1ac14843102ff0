import Foundation
import Hosting
package import Postgres
import Schema
package import Testing

extension Trait where Self == DatabaseTrait {
    /// Gives each test an empty, migrated database of its own: `Database.test`.
    package static var database: Self { Self() }
}

extension Database {
    /// The database of the test that is running.
    package static var test: Database {
        get throws { try #require(DatabaseTrait.current, "this suite needs the .database trait").database }
    }

    /// The same database, entered by somebody who steps down to a role of `sql/roles.sql`. Close it.
    package static func test(as role: String) throws -> Database {
        var options = Options(size: 2)
        options.role = role
        // As the coordinator's API has it.
        options.plansOnce = role == "waypost_api"
        return try Database(url: testURL, options: options)
    }

    /// Its URL, for whoever needs connections of their own.
    package static var testURL: String {
        get throws { try #require(DatabaseTrait.current, "this suite needs the .database trait").url }
    }
}

/// Copies a template that was migrated once, which takes Postgres a few milliseconds.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    struct TestDatabase {
        let url: String
        let database: Database
    }

    @TaskLocal static var current: TestDatabase?

    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let server = try await TestServer.shared.server
        let name = "waypost_test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await server.create(name)
        let url = server.url(of: name)
        let database = Database(url: url, options: .init(size: 4))
        // The database goes with the server: dropping it now would cost a checkpoint.
        try await Self.$current.withValue(TestDatabase(url: url, database: database), operation: function)
        await database.close()
    }
}

/// One server for the whole run, started by whichever test asks first. Its lifeline ends it with us.
private actor TestServer {
    static let shared = TestServer()

    private lazy var start = Task {
        try await TemplateServer(PrivateServer.start(in: "/tmp/waypost-tests-\(getpid())", .temporary))
    }

    var server: TemplateServer {
        get async throws { try await start.value }
    }
}

/// A server with a migrated template, of which databases are copied.
private struct TemplateServer: Sendable {
    private static let template = "waypost_template"

    private let server: PrivateServer
    private let maintenance: Database

    init(_ server: PrivateServer) async throws {
        self.server = server
        var options = Database.Options(size: 2)
        // All tests of the run stand in line here at once.
        options.waitLimit = .seconds(300)
        maintenance = Database(url: server.url(of: "postgres"), options: options)
        try await create(Self.template, from: "template1")
        let database = Database(url: server.url(of: Self.template), options: .init(size: 1))
        try await database.migrate(Schema.scripts)
        try await Schema.prepareRoles(in: database)
        await database.close()
    }

    func url(of database: String) -> String { server.url(of: database) }

    func create(_ name: String, from template: String = template) async throws {
        try await maintenance.run { try $0.run(script: "CREATE DATABASE \(name) TEMPLATE \(template)") }
    }
}
