import CLibpq

/// One session with the server.
///
/// Each connection has a thread of its own, which waits in `poll` for the socket and for an eventfd that cancels. So
/// Swift's cooperative pool never waits for a server, a statement needs no lock and no callback, and a transaction is
/// one hop to the thread and one back.
package actor Connection {
    nonisolated let thread = ConnectionThread()
    nonisolated let interrupt = Interrupt()

    /// libpq's handle; nil once the connection was closed.
    var session: OpaquePointer?

    /// Names of the statements that this session has prepared.
    var prepared: [StatementKey: String] = [:]

    /// The settings of this connection: those of its pool, and those that ``set(_:to:)`` made.
    var kept: [String: String] = [:]

    /// True behind a pooler such as PgBouncer. Each transaction may have another session of the server.
    package var isPooled = false

    /// Behind a pooler a statement without a transaction has the isolation level of the server. True if that is another
    /// one than ours.
    var needsTransactions = false

    /// False behind a pooler that does not know which session has which statement.
    package var preparesStatements = true

    /// Commands that are sent with the next statement.
    var ahead = Ahead()

    /// Referenced by the session as a C pointer, so it must live as long as the session.
    var remarks: RemarkListener?

    /// The hosts among which this session was opened; nil if there was one.
    var hosts: Hosts?

    /// True once the session listens for its ``KeptConnection``, or is known to be unable to.
    var listens = false

    /// The caller that uses the connection now, with its deadline.
    var use: Use?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    private init() {}

    isolated deinit {
        close()
        thread.stop()
    }

    /// Opens a session. `PG…` variables are the defaults for the parts that `url` leaves out.
    static func open(_ url: String, _ options: Database.Options) async throws -> Connection {
        let connection = Connection()
        try await connection.connect(url, options)
        return connection
    }

    /// Closes the session now, not when the last reference is released.
    func close() {
        hosts?.remove(ObjectIdentifier(self))
        PQfinish(session)
        session = nil
    }

    /// Runs one statement and returns its rows.
    @discardableResult
    package func query(_ sql: SQL, within limit: Duration? = nil) throws -> Rows {
        try sql.refuseZeroBytes()
        if needsTransactions, needsSettings { return try transaction { try $0.query(sql, within: limit) } }
        do {
            return try execute(sql, within: limit)
        } catch let error as DatabaseError where error.isForgottenPlan && (isPooled || isOutsideTransaction) {
            try discardPrepared()
            guard isOutsideTransaction else { throw error }
            // The server refused the statement before it ran, so it is safe to prepare it again and run it now.
            return try execute(sql, within: limit)
        }
    }

    /// Runs a script of several statements, which take no parameters. Returns the rows of the last statement that has
    /// some.
    @discardableResult
    package func run(script: String, within limit: Duration? = nil) throws -> Rows {
        Rows(result: try send(script: script, within: limit))
    }

    /// Behind a pooler the settings are a part of the script. The server runs a script of several statements in one
    /// transaction, which some statements refuse. So a script without a role has no settings.
    @discardableResult
    func send(script: String, within limit: Duration? = nil) throws -> Rows.Result {
        let needsSettings = needsSettings && (kept["role"] != nil || script.hasPrefix("COPY "))
        let settings = needsSettings ? kept : [:]
        let whole = settings.map { "SELECT set_config(\(literal($0)), \(literal($1)), true);" }.joined() + script
        return try exchange(script, within: limit) { PQsendQuery($0, whole) }
    }

    func literal(_ text: String) -> String {
        guard let literal = PQescapeLiteral(session, text, text.utf8.count) else { return "NULL" }
        defer { PQfreemem(literal) }
        return String(cString: literal)
    }

    private func execute(_ sql: SQL, within limit: Duration?) throws -> Rows {
        let key = StatementKey(text: sql.text, types: sql.parameters.types)
        guard ahead.isEmpty, !needsSettings, let name = prepared[key] else {
            return try executeInPipeline(sql, within: limit)
        }
        let result = try exchange(sql.text, within: limit) { session in
            sql.parameters.withPointers { values in
                PQsendQueryPrepared(session, name, Int32(sql.parameters.count), values, nil, nil, 0)
            }
        }
        return Rows(result: result)
    }
}

/// Statements with the same text and parameter types share one prepared statement.
struct StatementKey: Hashable {
    let text: String
    let types: [UInt32]
}

extension Connection {
    /// The program has few different statement texts. The limit keeps the session from growing if texts are generated.
    private static let mostPrepared = 256

    /// The name for the statement that is prepared next, after `more` others. Nil means: run it unprepared.
    func nextName(after more: Int) -> String? {
        let count = prepared.count + more
        return count < Self.mostPrepared ? "s\(count + 1)" : nil
    }

    private func discardPrepared() throws {
        prepared = [:]
        // A pooler would reuse the same plan of the server, and the sessions belong to other clients too.
        preparesStatements = !isPooled
        if isPooled { return }
        _ = try exchange("DEALLOCATE ALL") { PQsendQuery($0, "DEALLOCATE ALL") }
    }

    var isOutsideTransaction: Bool {
        PQtransactionStatus(session) == PQTRANS_IDLE
    }

    /// The next statement begins a transaction that does not have the settings yet.
    var needsSettings: Bool { isPooled && isOutsideTransaction && !ahead.begins }
}

extension SQL {
    func refuseZeroBytes() throws {
        guard parameters.hasZeroByte else { return }
        throw DatabaseError(message: "a value holds a zero byte, which Postgres can't store in text", statement: text)
    }
}
