import CLibpq
import Glibc

extension Connection {
    /// Opens the session, or throws. Blocks this connection's own thread meanwhile.
    func connect(_ url: String, _ options: Database.Options) throws {
        hosts = Hosts.of(url)
        let opened = try hosts.map { try open(url, options, among: $0) } ?? Self.open(url, options).get()
        session = opened
        PQsetnonblocking(opened, 1)
        let listener = RemarkListener(options.remarked ?? { _ in })
        remarks = listener
        PQsetNoticeReceiver(
            opened,
            { listener, result in
                guard let listener else { return }
                Unmanaged<RemarkListener>.fromOpaque(listener).takeUnretainedValue().receive(result)
            }, Unmanaged.passUnretained(listener).toOpaque())
        kept = options.settings
        let deadline = ContinuousClock.now + options.waitLimit
        do { try begin(within: options.waitLimit) } catch var error as DatabaseError {
            // PgBouncer confirms a cancel, or closes the connection.
            if .now >= deadline { throw DatabaseError.noSession(within: options.waitLimit) }
            guard let role = options.role, ["22023", "42501"].contains(error.sqlState) else { throw error }
            error.statement = "SET ROLE \(role)"
            error.hint = "let the owner prepare the database, which creates the roles, and grant \(role) to this login"
            throw error
        }
    }

    /// Tries the hosts one after the other.
    private func open(_ url: String, _ options: Database.Options, among hosts: Hosts) throws -> OpaquePointer {
        var refusals: [DatabaseError] = []
        for (host, wasSilent) in hosts.candidates() {
            if wasSilent, !hosts.beginTrying(host) { continue }
            let began = ContinuousClock.now
            switch Self.open(url, options, host, isBrief: wasSilent) {
            case .success(let opened):
                hosts.note(host, isSilent: false)
                hosts.add(ObjectIdentifier(self), to: host, over: PQsocket(opened))
                return opened
            case .failure(let refusal):
                hosts.note(host, isSilent: began.duration(to: .now) >= Self.silence)
                refusals.append(refusal)
            }
        }
        let refusal = refusals.first(where: \.isWorthRetrying) ?? refusals.last
        throw refusal ?? DatabaseError(message: "the URL names no host", isConnectionLost: true)
    }

    /// A failure that takes this long is that of a host that does not answer: the shortest connect limit of libpq is
    /// 2 s.
    private static let silence: Duration = .milliseconds(1_900)

    /// Opens a session with one host, or with any host of the URL if `host` is nil.
    ///
    /// `PQconnectdb` and not `PQconnectPoll`: only the former honours `connect_timeout`.
    private static func open(
        _ url: String, _ options: Database.Options, _ host: Hosts.Host? = nil, isBrief: Bool = false
    ) -> Result<OpaquePointer, DatabaseError> {
        // The URL overrides the entries before `dbname`, and those after it override the URL.
        let defaults =
            [
                ("application_name", options.applicationName),
                ("connect_timeout", "\(options.connectLimit.components.seconds)"),
                ("keepalives_idle", "3"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
                ("tcp_user_timeout", "6000"),
                ("client_encoding", "UTF8"),
                ("dbname", url),
            ] + (host.map { [("host", $0.name), ("port", $0.port)] } ?? [])
            + (isBrief ? [("connect_timeout", "2")] : [])
        let began = ContinuousClock.now
        let opened = withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let opened else { return .failure(DatabaseError(message: "no memory for a connection")) }
        if PQstatus(opened) == CONNECTION_OK { return .success(opened) }
        // A second try would not be answered either, and a standby that is not wanted says so again.
        let isSilent = began.duration(to: .now) >= silence
        let isStandby =
            host != nil && String(cString: PQerrorMessage(opened)).contains(/session is read-only|hot standby/)
        let ping = isSilent ? PQPING_NO_RESPONSE : isStandby ? PQPING_REJECT : ping(names: defaults)
        guard let refusal = refusal(of: opened, answering: ping) else { return .success(opened) }
        PQfinish(opened)
        return .failure(refusal)
    }

    /// Sets the session's settings, and detects a pooler.
    ///
    /// A pooler gives the client a process id that is not the server's. It may use another session of the server for
    /// each transaction, so no state may stay in the session then, and each transaction sets its settings.
    private func begin(within limit: Duration) throws {
        let announced = Int(PQbackendPID(session))
        let settings = SQL.set(kept, isLocal: "pg_backend_pid() <> \(announced)::integer")
        let sql: SQL = """
            SELECT current_setting('default_transaction_isolation') AS isolation, \(part: settings), pg_backend_pid() AS pid
            """
        let result = try exchange(sql.text, within: limit) { session in
            sql.parameters.withPointers {
                PQsendQueryParams(
                    session, sql.text, Int32(sql.parameters.count), sql.parameters.types, $0, nil, nil, 0)
            }
        }
        let row = Rows(result: result)[0]
        isPooled = try row.read("pid") != announced
        needsTransactions = try isPooled && row.read("isolation") != "read committed"
        preparesStatements = !isPooled
        if isPooled { preparesStatements = try poolerTracksStatements() }
    }

    /// PgBouncer 1.21 and later can prepare a client's statements in whichever session it uses, under names of its own.
    private func poolerTracksStatements() throws -> Bool {
        let name = "waypost_probe"
        let text = "SELECT FROM pg_prepared_statements WHERE name = '\(name)'"
        do {
            return try transaction { db throws in
                _ = try db.exchange(text) { PQsendPrepare($0, name, text, 0, nil) }
                let result = try db.exchange(text) { PQsendQueryPrepared($0, name, 0, nil, nil, nil, 0) }
                if Rows(result: result).isEmpty { return true }
                try db.run(script: "DEALLOCATE \(name)")
                return false
            }
        } catch let error as DatabaseError where error.sqlState == "42P05" {
            // Another client's statement has this name in the same session.
            return false
        }
    }

    private static func ping(names defaults: [(String, String)]) -> PGPing {
        withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in PQpingParams(names, values, 1) }
        }
    }

    /// The reason why the session can't be opened; nil if the second try opens it.
    ///
    /// Only a refusal with an SQLSTATE that lasts is not retried. A connection that breaks while it opens is not a
    /// refusal, even if the server answers the next try. libpq gives no SQLSTATE for a failed connection, but writes it
    /// into the message when the connection is opened again.
    private static func refusal(of session: OpaquePointer, answering ping: PGPing) -> DatabaseError? {
        var error = DatabaseError(
            message: String(cString: PQerrorMessage(session)).trimmingNewlines,
            hint: ping == PQPING_NO_RESPONSE
                ? "no server answers there; check that it runs and that the URL names its host and port" : nil,
            isConnectionLost: true, isWorthRetrying: ping != PQPING_NO_ATTEMPT)
        guard ping == PQPING_OK else { return error }
        PQsetErrorVerbosity(session, PQERRORS_SQLSTATE)
        PQreset(session)
        if PQstatus(session) == CONNECTION_OK {
            PQsetErrorVerbosity(session, PQERRORS_DEFAULT)
            return nil
        }
        // There is one state for each host that answered.
        let states = String(cString: PQerrorMessage(session)).split(separator: "\n")
            .compactMap { $0.firstMatch(of: /: +([0-9A-Z]{5})$/)?.1 }
        error.sqlState = states.last.map(String.init)
        error.hint = DatabaseError.hint(sqlState: error.sqlState)
        error.isWorthRetrying =
            states.isEmpty || !states.allSatisfy { state in lastingRefusals.contains { state.hasPrefix($0) } }
        return error
    }

    /// Classes of SQLSTATEs with which a server refuses a login permanently: unknown settings, role or password,
    /// database, rights.
    private static let lastingRefusals = ["0A", "22", "28", "3D", "42"]
}

extension Database.Options {
    /// The settings of each connection by their names.
    ///
    /// The server notices soon that this process died, or stopped inside a transaction. JIT compilation is off: the
    /// planner overestimates row-level security, and a page of 100 addresses takes 2 ms without JIT and 14 ms with it.
    fileprivate var settings: [String: String] {
        var settings = Self.ownSettings
        settings["client_connection_check_interval"] = "1s"
        settings["idle_in_transaction_session_timeout"] = "\(idleInTransactionLimit.components.seconds)s"
        settings["jit"] = "off"
        if plansOnce {
            settings["plan_cache_mode"] = "force_generic_plan"
            // Before the first ANALYZE the planner takes a table for almost empty. Then reading and sorting all of it
            // looks as cheap as using an index that is already in order.
            for name in ["enable_seqscan", "enable_bitmapscan", "enable_sort"] { settings[name] = "off" }
        }
        settings["role"] = role
        return settings
    }
}

extension Database.Options {
    /// The settings on which statements and the reading of values depend. Each has its default here, because a database
    /// or a role may have another one.
    ///
    /// An operator may still choose the schema, the durability of commits, time limits of statements and locks, and
    /// whether anything may be written: docs/design/connections.md.
    private static let ownSettings = [
        // The text of values, in both directions.
        "array_nulls": "on", "bytea_output": "hex", "datestyle": "ISO, MDY", "extra_float_digits": "1",
        "intervalstyle": "postgres", "timezone": "UTC",
        // The text of statements, and of definitions that are compared.
        "quote_all_identifiers": "off", "standard_conforming_strings": "on", "transform_null_equals": "off",
        // A statement that waited for a row reads it again.
        "default_transaction_isolation": "read committed",
        // Without the warning, a commit that no synchronous standby has would count as stored.
        "client_min_messages": "notice",
        "idle_session_timeout": "0", "row_security": "on",
    ]
}

/// Receives the server's notices and warnings, as an object that a C callback can point to.
final class RemarkListener: Sendable {
    private let hear: @Sendable (String) -> Void

    /// A commit is on the disk of this server only, because its wait for a synchronous standby was cancelled. A failover
    /// would lose it. Used only on the connection's thread.
    nonisolated(unsafe) var isCommitUnconfirmed = false

    init(_ hear: @escaping @Sendable (String) -> Void) {
        self.hear = hear
    }

    func receive(_ result: OpaquePointer?) {
        // The server's warning has no SQLSTATE of its own, and its text depends on the server's language.
        let origin = PQresultErrorField(result, Int32(Character("R").asciiValue ?? 0)).map { String(cString: $0) }
        if origin == "SyncRepWaitForLSN" { isCommitUnconfirmed = true }
        hear(String(cString: PQresultErrorMessage(result)))
    }
}

/// Lends `strings` to C as a null-terminated array of pointers.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = strings.map { UnsafePointer(strdup($0)) }
    defer { copies.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
    return body(copies + [nil])
}

extension String {
    var trimmingNewlines: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
