import CLibpq
import Glibc

extension Connection {
    /// Opens the session, or throws. Blocks this connection's own thread meanwhile.
    ///
    /// `PQconnectdb` and not `PQconnectPoll`: only the former honours `connect_timeout` and moves on
    /// to the next host if the first one does not answer.
    func connect(_ url: String, _ options: Database.Options) throws {
        // The URL overrides the entries before `dbname`.
        let defaults = [
            ("application_name", options.applicationName),
            ("connect_timeout", "\(options.connectLimit.components.seconds)"),
            ("keepalives_idle", "3"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "6000"),
            ("client_encoding", "UTF8"),
            ("dbname", url),
        ]
        let opened = withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let opened else { throw DatabaseError(message: "no memory for a connection") }
        if PQstatus(opened) != CONNECTION_OK, let refusal = Self.refusal(of: opened, answering: ping(names: defaults)) {
            PQfinish(opened)
            throw refusal
        }
        session = opened
        PQsetnonblocking(opened, 1)
        let listener = options.remarked.map(RemarkListener.init)
        remarks = listener
        PQsetNoticeProcessor(
            opened,
            { listener, text in
                guard let listener, let text else { return }
                Unmanaged<RemarkListener>.fromOpaque(listener).takeUnretainedValue().hear(String(cString: text))
            }, listener.map { Unmanaged.passUnretained($0).toOpaque() })
        try apply(options)
    }

    /// Lets the server notice soon that this process died or stopped inside a transaction. It also turns JIT
    /// compilation off: the planner overestimates row-level security, and a page of 100 addresses takes 2 ms without
    /// JIT and 14 ms with it.
    private func apply(_ options: Database.Options) throws {
        let idle = options.idleInTransactionLimit.components.seconds
        let script = """
            SET client_connection_check_interval = '1s';
            SET idle_in_transaction_session_timeout = '\(idle)s';
            SET jit = off
            """
        _ = try exchange(script) { PQsendQuery($0, script) }
        if options.plansOnce {
            // Before the first ANALYZE the planner takes a table for almost empty. Then reading and sorting all of it
            // looks as cheap as using an index that is already in order.
            let settings = """
                SET plan_cache_mode = force_generic_plan;
                SET enable_seqscan = off;
                SET enable_bitmapscan = off;
                SET enable_sort = off
                """
            _ = try exchange(settings) { PQsendQuery($0, settings) }
        }
        if let role = options.role { try stepDown(to: role) }
    }

    private func stepDown(to role: String) throws {
        let sql: SQL = "SET ROLE \(identifier: role)"
        do { _ = try exchange(sql.text) { PQsendQuery($0, sql.text) } } catch var error as DatabaseError {
            guard error.sqlState == "22023" || error.sqlState == "42501" else { throw error }
            error.hint = "let the owner prepare the database, which creates the roles, and grant \(role) to this login"
            throw error
        }
    }

    private func ping(names defaults: [(String, String)]) -> PGPing {
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
        error.isWorthRetrying =
            states.isEmpty || !states.allSatisfy { state in lastingRefusals.contains { state.hasPrefix($0) } }
        return error
    }

    /// Classes of SQLSTATEs with which a server refuses a login permanently: unknown settings, role or password,
    /// database, rights.
    private static let lastingRefusals = ["0A", "22", "28", "3D", "42"]
}

/// Receives the server's notices and warnings, as an object that a C callback can point to.
final class RemarkListener: Sendable {
    let hear: @Sendable (String) -> Void

    init(_ hear: @escaping @Sendable (String) -> Void) {
        self.hear = hear
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
