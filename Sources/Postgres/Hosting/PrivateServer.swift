import Glibc
package import Processes

/// A private PostgreSQL: a data folder, a server that listens only on a Unix socket, and a database called `waypost`.
///
/// The server ends with this process, in whatever way this process ends. It runs under a small shell that has our
/// lifeline: when the lifeline breaks, even by `kill -9`, the shell stops the server.
package final class PrivateServer: Sendable {
    /// The path of the server's log; nil if it is deleted with the server.
    package let log: String?
    private let socketFolder: String
    private let launch: @Sendable () throws -> ChildProcess
    private let process: Locked<(child: ChildProcess, isRestarting: Bool)>
    private let program: String

    package enum Lifetime: Sendable {
        /// The data is kept after the server stops, and a crash loses nothing that was committed.
        case lasting
        /// The folder is deleted when the server stops, so nothing is synced to disk.
        case temporary
    }

    private init(
        socketFolder: String, program: String, log: String?, _ launch: @escaping @Sendable () throws -> ChildProcess
    ) throws {
        self.socketFolder = socketFolder
        self.program = program
        self.log = log
        self.launch = launch
        process = Locked((try launch(), false))
    }

    /// The server's URL for `DATABASE_URL`.
    package var url: String { url(of: "waypost") }

    /// The URL of any database of this server.
    package func url(of database: String) -> String {
        "postgresql:///\(database)?host=\(socketFolder)&user=waypost"
    }

    private static func settings(_ sockets: String, _ lifetime: Lifetime) -> [String] {
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(sockets)", "unix_socket_permissions=0700",
            "max_connections=200", "shared_buffers=128MB", "wal_level=minimal", "max_wal_senders=0",
            "log_destination=stderr", "logging_collector=off",
            // Otherwise the server's log would contain statements and rows, and so addresses of people.
            "log_min_error_statement=panic", "log_error_verbosity=terse", "log_parameter_max_length=0",
            "log_parameter_max_length_on_error=0", "cluster_name=waypost",
        ]
        return lifetime == .lasting
            ? settings : settings + ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    }

    /// Starts a server whose data and log are in `folder`, which is created if it doesn't exist. `extra` is added to
    /// the server's environment, and `more` to its settings.
    package static func start(
        in folder: String, _ lifetime: Lifetime = .lasting, environment extra: [String: String] = [:],
        settings more: [String] = []
    ) async throws -> PrivateServer {
        let installation = try PostgresInstallation.find()
        let account = try ServerAccount.choose()
        let folder = try await account.claim(folder)
        try await initialise(folder, installation, account)
        try await waitForPredecessor("\(folder)/data/postmaster.pid")
        let sockets = try makeSocketFolder(for: account)
        var environment = environment.merging(extra) { $1 }
        if lifetime == .temporary { environment["DISCARD"] = folder }
        let program = "\(installation.programs)/postgres"
        let command = account.command(
            ["/bin/sh", "-c", warden, sockets, program, "-D", "\(folder)/data"]
                + (settings(sockets, lifetime) + more).flatMap { ["-c", $0] })
        let log = lifetime == .lasting ? "\(folder)/log" : nil
        let server = try PrivateServer(socketFolder: sockets, program: program, log: log) { [environment] in
            if mkdir(sockets, 0o700) == 0 { try account.own(sockets) }
            return try ChildProcess(
                command[0], Array(command.dropFirst()), environment: environment, directory: "/", input: .lifeline,
                output: .file("\(folder)/log"), error: .file("\(folder)/log"))
        }
        do {
            try await server.waitUntilReady(log: "\(folder)/log")
        } catch {
            await server.stop()
            throw error
        }
        return server
    }

    /// Stops the server as `pg_ctl stop -m fast` does, and returns when it has ended.
    package func stop() async {
        let child = process.withLock { $0.child }
        child.closeLifeline()
        _ = await child.exit()
    }

    /// Stops the server and starts it again on the same data and the same socket.
    package func restart() async throws {
        let old = process.withLock { process in
            process.isRestarting = true
            return process.child
        }
        old.closeLifeline()
        _ = await old.exit()
        defer { process.withLock { $0.isRestarting = false } }
        let new = try launch()
        process.withLock { $0.child = new }
    }

    /// The server does not run, and is not being restarted.
    package var hasEnded: Bool { process.withLock { $0.child.hasEnded && !$0.isRestarting } }

    /// Returns when the server has ended by itself.
    package func waitForEnd() async -> ChildProcess.Exit {
        while true {
            let exit = await process.withLock { $0.child }.exit()
            // A restart takes a moment.
            while process.withLock({ $0.isRestarting }) { try? await Task.sleep(for: .milliseconds(20)) }
            if process.withLock({ $0.child }).hasEnded { return exit }
        }
    }

    /// The file of the server's program at this moment; an upgrade of the package replaces it. A running server loads
    /// some of its parts when a session begins, so after an upgrade it loads new ones.
    package var programFile: ProgramFile? { ProgramFile(program) }

    private static let environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]

    /// Runs the server until the lifeline on standard input breaks. A background job reads from /dev/null by default,
    /// so the lifeline is copied to descriptor 3. `$0` is the socket's folder, which is deleted when the server ends,
    /// as is the folder in DISCARD. The signal is repeated, because it is lost if it comes before the server has its
    /// handlers.
    private static let warden = """
        exec 3<&0
        "$@" </dev/null 3<&- &
        server=$!
        { read -r _ <&3; while kill -INT $server; do sleep 0.2; done; } 2>/dev/null &
        watch=$!
        exec 3<&-
        trap '' INT
        trap 'kill -INT $server' TERM
        while :; do
            wait $server; status=$?
            kill -0 $server 2>/dev/null || break
        done
        kill $watch 2>/dev/null
        rmdir "$0"
        [ -z "${DISCARD:-}" ] || rm -rf "$DISCARD"
        exit $status
        """

    /// Makes `$0/data`. The folder gets this name only when it is complete, because initdb writes PG_VERSION long
    /// before it ends, and the data of a killed initdb would look complete. An initdb whose parent was killed may still
    /// run, on a folder with another name.
    private static let setUp = """
        rm -rf "$0"/data-*
        "$@" -D "$0/data-$$" && mv -T "$0/data-$$" "$0/data"
        """

    private static func initialise(
        _ folder: String, _ installation: PostgresInstallation, _ account: ServerAccount
    ) async throws {
        if access("\(folder)/data/PG_VERSION", F_OK) == 0 { return }
        let command = account.command([
            "/bin/sh", "-c", setUp, folder, "\(installation.programs)/initdb", "-U", "waypost", "-A", "trust",
            "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions",
        ])
        let initdb = try await ChildProcess.output(
            of: command[0], Array(command.dropFirst()), environment: environment, directory: "/")
        guard initdb.exit.isSuccess else {
            throw HostingError(
                "can't set up a private PostgreSQL in \(folder): \(String(decoding: initdb.error, as: UTF8.self))")
        }
    }

    /// Waits for a server whose parent was killed: its shell has noticed that, and is stopping the server.
    private static func waitForPredecessor(_ pidFile: String) async throws {
        guard let pid = firstLine(of: pidFile) else { return }
        let deadline = ContinuousClock.now + .seconds(30)
        // After a reboot another program may have the same process id.
        while firstLine(of: "/proc/\(pid)/comm") == "postgres" {
            guard ContinuousClock.now < deadline else {
                throw HostingError("another PostgreSQL (process \(pid)) runs on this data: see \(pidFile)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func firstLine(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Socket paths must be short (107 bytes), and only the server's user and root may enter the folder.
    private static func makeSocketFolder(for account: ServerAccount) throws -> String {
        var template = Array("/tmp/waypost-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HostingError("can't make a folder for the socket in /tmp: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try account.own(folder)
        return folder
    }

    private func waitUntilReady(log: String) async throws {
        var options = Database.Options(size: 1)
        options.waitLimit = .seconds(600)
        let server = Database(url: url(of: "postgres"), options: options)
        // If the server ends while it starts, the waiting must end too.
        Task {
            _ = await waitForEnd()
            await server.close()
        }
        do {
            try await server.run { db in
                if try db.query("SELECT FROM pg_database WHERE datname = 'waypost'").isEmpty {
                    try db.run(script: "CREATE DATABASE waypost")
                }
            }
        } catch {
            throw HostingError("the private PostgreSQL did not start; the reasons are in \(log)")
        }
        await server.close()
    }
}
