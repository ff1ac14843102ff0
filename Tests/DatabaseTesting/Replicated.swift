import Foundation
package import Postgres
import Processes
import Schema

extension Database {
    /// Runs `body` with a primary of its own as ``Database/test``, and with a standby of it.
    package static func replicated(_ body: (_ standby: PrivateServer) async throws -> Void) async throws {
        let folder = "/tmp/waypost-replicated-\(UUID().uuidString)"
        let settings = [
            "wal_level=replica", "max_wal_senders=4", "synchronous_commit=on", "autovacuum=off",
            // The standby cancels a query at once if the replay has to wait for it.
            "max_standby_streaming_delay=0",
        ]
        let primary = try await PrivateServer.start(in: "\(folder)-primary", .temporary, settings: settings)
        var options = Options(size: 4)
        options.waitLimit = .seconds(3_600)
        let database = Database(url: primary.url, options: options)
        let outcome: Result<Void, any Error>
        do {
            try await database.migrate(Schema.scripts)
            try await Schema.prepareRoles(in: database)
            try await copy(primary, to: "\(folder)-standby")
            let standby = try await PrivateServer.start(in: "\(folder)-standby", .temporary, settings: settings)
            let test = TestDatabase(name: "waypost", url: primary.url, pool: database)
            do {
                outcome = .success(
                    try await DatabaseTrait.$current.withValue(test) { () async throws -> Void in
                        try await body(standby)
                    })
            } catch { outcome = .failure(error) }
            await standby.stop()
        } catch { outcome = .failure(error) }
        await database.close()
        await primary.stop()
        try outcome.get()
    }

    private static func copy(_ primary: PrivateServer, to folder: String) async throws {
        let sockets = primary.url.firstMatch(of: /host=([^&]+)/).map { String($0.1) } ?? ""
        // The owner of the socket, because PostgreSQL does not run as root.
        let owner = try FileManager.default.attributesOfItem(atPath: sockets)[.ownerAccountID] ?? 0
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.ownerAccountID: owner])
        let program = try PostgresInstallation.find().programs + "/pg_basebackup"
        let asOwner = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=\(owner)", "--clear-groups"] : []
        let command =
            asOwner + [program, "-d", primary.url, "-D", "\(folder)/data", "-R", "-X", "stream", "-c", "fast"]
        let copy = try await ChildProcess.output(of: command[0], Array(command.dropFirst()))
        guard copy.exit.isSuccess else { throw CopyError(message: String(decoding: copy.error, as: UTF8.self)) }
    }
}

private struct CopyError: Error {
    let message: String
}
