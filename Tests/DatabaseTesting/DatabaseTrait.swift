import Dispatch
import Glibc
package import Postgres
package import Testing

extension Trait where Self == DatabaseTrait {
    /// Gives each test an empty, migrated database of its own: `Database.test`.
    package static var database: Self { Self() }
}

extension Database {
    /// The database of the running test.
    package static var test: Database {
        get throws { try #require(DatabaseTrait.current, "this suite needs the .database trait").pool }
    }

    /// The same database under a role of `sql/roles.sql`. The caller must close it.
    package static func test(as role: String) throws -> Database {
        var options = Options(size: 2)
        options.role = role
        // The API's databases have this setting.
        options.plansOnce = role == "waypost_api"
        return try Database(url: testURL, options: options)
    }

    /// Its URL, for tests that open their own connections.
    package static var testURL: String {
        get throws { try #require(DatabaseTrait.current, "this suite needs the .database trait").url }
    }
}

/// Lends each test one of the run's databases, and limits how long the test may take.
///
/// The limit begins when the test has its database. `.timeLimit` begins earlier: it counts the wait for the database, so a
/// suite with this trait must not have it.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    /// Only a test that hangs takes this long, even on a slow and busy machine.
    private static let limit: Duration = .seconds(600)
    /// A cancelled test gets this long to end its workers and programs. After that the run ends, because it would hang.
    private static let grace: Duration = .seconds(300)

    @TaskLocal static var current: TestDatabase?

    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withoutActuallyEscaping(function) { function in
            try await TestDatabases.shared.lend { database in
                try await Self.$current.withValue(database) { try await Self.limited(function) }
            }
        }
    }

    private static func limited(_ function: @escaping @concurrent @Sendable () async throws -> Void) async throws {
        let name = Test.current.map { $0.displayName ?? $0.name } ?? "a test without a name"
        // On a queue of its own: the test may block every thread that runs tasks.
        let end = DispatchWorkItem {
            let sentence = "The run ends: \"\(name)\" did not end within \(grace) after its cancellation.\n"
            // The report of the tests may still be in a buffer.
            fflush(nil)
            _ = sentence.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            _exit(1)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + (limit + grace) / .seconds(1), execute: end)
        defer { end.cancel() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await function() }
            group.addTask {
                try await Task.sleep(for: limit)
                Issue.record("the test is cancelled: \(limit) after it got its database it still waits for something")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
