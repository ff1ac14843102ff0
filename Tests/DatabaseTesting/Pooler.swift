import Foundation
package import Postgres
import Processes
import Testing

/// A PgBouncer in transaction mode, in front of the server of a test's database.
///
/// `PGBOUNCER` may name another program than Debian's 1.18: version 1.21 or later.
package final class Pooler: Sendable {
    private static let other = ProcessInfo.processInfo.environment["PGBOUNCER"]

    private let folder: String
    private let command: [String]
    private let process: Locked<ChildProcess>

    /// `sessions` is the most sessions of the server for each database. `tracks` is the number of statements that it
    /// prepares for a client, if it can.
    package init(to url: String, sessions: Int, tracks: Int = 0) throws {
        folder = "/tmp/waypost-pooler-\(UUID().uuidString)"
        let server = try #require(url.firstMatch(of: /host=([^&]+)/)?.1)
        let settings = """
            [databases]
            * = host=\(server) user=waypost
            [pgbouncer]
            listen_addr =
            listen_port = 6432
            server_login_retry = 1
            unix_socket_dir = \(folder)
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(sessions)
            max_client_conn = 1000
            server_idle_timeout = 5
            \(Self.other.map { _ in "max_prepared_statements = \(tracks)" } ?? "")
            """
        // Only the owner of the server's socket may use it, and PgBouncer refuses to run as root.
        let owner = try FileManager.default.attributesOfItem(atPath: String(server))[.ownerAccountID] ?? 0
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.ownerAccountID: owner])
        try settings.write(toFile: folder + "/settings", atomically: false, encoding: .utf8)
        // The pooler ends with its lifeline, which also breaks if this process is killed.
        let shell = "exec 3<&0; \"$@\" </dev/null 3<&- & read -r _; kill -KILL $!; wait"
        let asOwner = getuid() == 0 ? ["setpriv", "--reuid=\(owner)", "--clear-groups"] : []
        command =
            ["/bin/sh", "-c", shell, "sh"] + asOwner + [
                Self.other ?? "/usr/sbin/pgbouncer", "-q", folder + "/settings",
            ]
        process = Locked(try Self.launch(command))
    }

    private static func launch(_ command: [String]) throws -> ChildProcess {
        try ChildProcess(
            command[0], Array(command.dropFirst()), input: .lifeline, output: .discarded, error: .discarded)
    }

    /// The way to a database of the server through the pooler.
    package func url(of database: String) -> String {
        "postgresql:///\(database)?host=\(folder)&port=6432&user=waypost"
    }

    /// Ends it as a crash does, and starts it again.
    package func restart() async throws {
        await end()
        let new = try Self.launch(command)
        process.withLock { $0 = new }
    }

    package func stop() async {
        await end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func end() async {
        let old = process.withLock { $0 }
        old.closeLifeline()
        _ = await old.exit()
    }
}

extension Database {
    /// The running test's database through a pooler, which `body` may restart.
    package static func pooled(
        sessions: Int, tracks: Int = 0, _ body: (Pooler, _ url: String) async throws -> Void
    ) async throws {
        let url = try Database.testURL
        let pooler = try Pooler(to: url, sessions: sessions, tracks: tracks)
        let name = try #require(url.firstMatch(of: /\/\/\/([^?]+)/)?.1)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(pooler, pooler.url(of: String(name)))) } catch {
            outcome = .failure(error)
        }
        await pooler.stop()
        try outcome.get()
    }
}
