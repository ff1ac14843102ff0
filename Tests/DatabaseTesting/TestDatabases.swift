import Glibc
import Postgres

/// The databases of this run, lent to one test after the other.
///
/// Hundreds of tests at once slow each other down, and on a busy machine they break their limits. So most tests wait in
/// line, and no limit counts that wait.
actor TestDatabases {
    static let shared = TestDatabases()

    private static let mostLent = 12
    /// More than are lent at once, because the sessions of a returned database need a moment to end.
    private static let mostCopies = 16

    private var lent = 0
    private var line: [CheckedContinuation<Void, Never>] = []
    private var copies = 0
    /// Databases that tests gave back, the oldest first.
    private var used: [TestDatabase] = []
    /// Its lifeline ends the server with this process.
    private let server = Task {
        try await TemplateServer(PrivateServer.start(in: "/tmp/waypost-tests-\(getpid())", .temporary))
    }

    func lend(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        await enter()
        defer { leave() }
        let database = try await take()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(database)) } catch { outcome = .failure(error) }
        await database.pool.close()
        used.append(database)
        try outcome.get()
    }

    private func enter() async {
        if lent < Self.mostLent { lent += 1 } else { await withCheckedContinuation { line.append($0) } }
    }

    private func leave() {
        if line.isEmpty { lent -= 1 } else { line.removeFirst().resume() }
    }

    private func take() async throws -> TestDatabase {
        let server = try await server.value
        if copies >= Self.mostCopies, !used.isEmpty {
            if let renewed = try await server.renew(used.removeFirst()) { return renewed }
        } else {
            copies += 1
        }
        return try await server.copy()
    }
}
