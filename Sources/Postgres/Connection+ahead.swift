import CLibpq

/// Commands that are sent in front of the next statement, in the same round trip: the start of a transaction, a
/// setting, statements whose results are not needed yet, and the preparation of the statement. With a database 50 ms
/// away a transaction of two statements takes 150 ms, not 200.
struct Ahead {
    /// Values by the names of the settings.
    var settings: [String: String] = [:]
    var begins = false
    /// The transaction reads one snapshot.
    var isSnapshot = false
    var statements: [(sql: SQL, rows: RowsToCome)] = []

    var isEmpty: Bool { settings.isEmpty && !begins && statements.isEmpty }
}

/// The rows of a statement that is sent with the next one.
package final class RowsToCome {
    fileprivate var rows: Rows?

    fileprivate init() {}

    /// Call it after the next statement has run.
    package func read() -> Rows {
        guard let rows else { preconditionFailure("read before the next statement has run") }
        return rows
    }
}

extension Connection {
    /// Sends a statement in front of the next one, in the same round trip. The next one may be the COMMIT of the
    /// transaction. If this statement fails, the next one throws the error. Only inside a transaction.
    @discardableResult
    package func queryAhead(_ sql: SQL) throws -> RowsToCome {
        try sql.refuseZeroBytes()
        guard isInTransaction else {
            throw DatabaseError(message: "a statement ahead of another needs a transaction", statement: sql.text)
        }
        let rows = RowsToCome()
        ahead.statements.append((sql, rows))
        return rows
    }
}

extension Connection {
    /// True from the call of ``transaction(_:)`` on, even if nothing was sent yet.
    var isInTransaction: Bool { ahead.begins || PQtransactionStatus(session) == PQTRANS_INTRANS }

    /// Sends the waiting commands before a script or a `COPY`, which can't go into the same pipeline.
    func sendAhead() throws {
        if ahead.isEmpty { return }
        _ = try pipeline("BEGIN", within: nil) { _ in }
    }

    /// Sends the waiting commands, prepares the statement if the session does not have it, and runs it: all in one
    /// round trip.
    func executeInPipeline(_ sql: SQL, within limit: Duration?) throws -> Rows {
        let outcomes = try pipeline(sql.text, within: limit) { try send(sql, &$0) }
        guard let last = outcomes.results.last else { throw failure(nil, running: sql.text) }
        return Rows(result: last)
    }

    /// Sends the waiting commands together with the commands that `body` sends.
    ///
    /// After a failed command the server skips the rest, so no statement runs without its settings. libpq runs a whole
    /// pipeline in one transaction; if the pipeline contains `BEGIN`, that is the transaction.
    private func pipeline(
        _ statement: String, within limit: Duration?, _ body: (inout SentCommands) throws -> Void
    ) throws -> PipelineOutcomes {
        let patience = try patience(within: limit, statement)
        var waiting = ahead
        ahead = Ahead()
        if !isOutsideTransaction {
            // After an error in the transaction the server refuses everything but its end.
            (ahead.settings, waiting.settings) = (waiting.settings, [:])
        } else if isPooled {
            waiting.settings = kept
        }
        do {
            guard PQenterPipelineMode(session) == 1 else { throw failure(nil, running: statement) }
            var sent = SentCommands()
            if waiting.begins {
                // The level does not depend on the server's default, which may differ behind a pooler.
                let level: SQL = waiting.isSnapshot ? "REPEATABLE READ, READ ONLY" : "READ COMMITTED"
                try sendUnprepared("BEGIN ISOLATION LEVEL \(part: level)", &sent)
            }
            if !waiting.settings.isEmpty {
                let settings: SQL = "SELECT \(part: .set(waiting.settings, isLocal: isPooled ? "true" : "false"))"
                _ = try isPooled ? send(settings, &sent) : sendUnprepared(settings, &sent)
            }
            let places = try waiting.statements.map { try send($0.sql, &sent) }
            try body(&sent)
            guard PQpipelineSync(session) == 1 else { throw failure(nil, running: statement) }
            let outcomes = try collectPipeline({ sent.text(at: $0) ?? statement }, patience)
            for (name, key) in sent.prepared(before: outcomes.results.count) { prepared[key] = name }
            if let error = outcomes.error { throw error }
            for (waiting, place) in zip(waiting.statements, places) {
                waiting.rows.rows = Rows(result: outcomes.results[place])
            }
            return outcomes
        } catch {
            setAgain()
            // An unread result would be taken for the reply to the next statement.
            if PQpipelineStatus(session) != PQ_PIPELINE_OFF { close() }
            throw error
        }
    }

    /// Sends all settings again in front of the next statement. After a failure the server may have rolled them back
    /// with the transaction.
    func setAgain() {
        ahead.settings = kept
    }

    /// Sends a statement, and its preparation if the session has not prepared it. Returns its place in the pipeline.
    @discardableResult
    private func send(_ sql: SQL, _ sent: inout SentCommands) throws -> Int {
        let key = StatementKey(text: sql.text, types: sql.parameters.types)
        var name = prepared[key] ?? sent.name(of: key)
        if name == nil, preparesStatements, let new = nextName(after: sent.newCount) {
            guard PQsendPrepare(session, new, sql.text, Int32(key.types.count), key.types) == 1 else {
                throw failure(nil, running: sql.text)
            }
            sent.append(sql.text, preparing: (new, key))
            name = new
        }
        guard let name else { return try sendUnprepared(sql, &sent) }
        let wasSent = sql.parameters.withPointers {
            PQsendQueryPrepared(session, name, Int32(sql.parameters.count), $0, nil, nil, 0)
        }
        guard wasSent == 1 else { throw failure(nil, running: sql.text) }
        return sent.append(sql.text)
    }

    @discardableResult
    private func sendUnprepared(_ sql: SQL, _ sent: inout SentCommands) throws -> Int {
        let wasSent = sql.parameters.withPointers {
            PQsendQueryParams(
                session, sql.text, Int32(sql.parameters.count), sql.parameters.types, $0, nil, nil, 0)
        }
        guard wasSent == 1 else { throw failure(nil, running: sql.text) }
        return sent.append(sql.text)
    }
}

/// The commands of one pipeline, in their order.
private struct SentCommands {
    private var commands: [(text: String, new: (name: String, key: StatementKey)?)] = []

    var newCount: Int { commands.count { $0.new != nil } }

    @discardableResult
    mutating func append(_ text: String, preparing new: (name: String, key: StatementKey)? = nil) -> Int {
        commands.append((text, new))
        return commands.count - 1
    }

    func text(at place: Int) -> String? { place < commands.count ? commands[place].text : nil }

    /// The name under which an earlier command of the pipeline prepares a statement.
    func name(of key: StatementKey) -> String? { commands.lazy.compactMap(\.new).first { $0.key == key }?.name }

    /// The statements that were prepared if this many commands succeeded.
    func prepared(before succeeded: Int) -> [(name: String, key: StatementKey)] {
        commands.prefix(succeeded).compactMap(\.new)
    }
}

/// The server's replies to one pipeline.
struct PipelineOutcomes {
    /// The results of the commands before the first failure.
    var results: [Rows.Result] = []
    /// The error of the command that failed.
    var error: (any Error)?
}

extension Connection {
    /// Changes a setting of this connection, unless it has this value already. The change is sent with the next
    /// statement, and that statement runs only if the change succeeded.
    ///
    /// Not allowed inside a transaction: a rollback would undo the setting too.
    package func set(_ setting: StaticString, to value: String) throws {
        let setting = "\(setting)"
        guard kept[setting] != value else { return }
        guard isOutsideTransaction, !ahead.begins else {
            throw DatabaseError(message: "\(setting) is set inside a transaction, which may take it back")
        }
        ahead.settings[setting] = value
        kept[setting] = value
    }
}

extension SQL {
    /// Expressions that change settings, for a SELECT. Local ones last until the transaction ends.
    static func set(_ settings: [String: String], isLocal: SQL) -> SQL {
        // Sorted, so that equal names make equal texts.
        let changes = settings.sorted { $0.key < $1.key }.map { name, value -> SQL in
            "set_config(\(name), \(value), \(part: isLocal))"
        }
        return changes.dropFirst().reduce(changes[0]) { "\(part: $0), \(part: $1)" }
    }
}
