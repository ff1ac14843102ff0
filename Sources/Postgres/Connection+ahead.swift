import CLibpq

/// Commands that are sent in front of the next statement, in the same round trip: the start of a transaction, a
/// setting, and the preparation of the statement. With a database 50 ms away a transaction of two statements takes 150
/// ms, not 200.
struct Ahead {
    /// Values by the names of the settings.
    var settings: [String: String] = [:]
    var begins = false

    var isEmpty: Bool { settings.isEmpty && !begins }
}

extension Connection {
    /// True from the call of ``transaction(_:)`` on, even if nothing was sent yet.
    var isInTransaction: Bool { ahead.begins || PQtransactionStatus(session) == PQTRANS_INTRANS }

    /// Sends the waiting commands before a script or a `COPY`, which can't go into the same pipeline.
    func sendAhead() throws {
        if ahead.isEmpty { return }
        let outcomes = try pipeline("BEGIN", within: nil) {}
        if let error = outcomes.error { throw error }
    }

    /// Sends the waiting commands, prepares the statement if the session does not have it, and runs it: all in one
    /// round trip.
    func executeInPipeline(_ sql: SQL, _ key: StatementKey, within limit: Duration?) throws -> Rows {
        let (known, new) = (prepared[key], nextName)
        let place = ahead.settings.count + (ahead.begins ? 1 : 0)
        let outcomes = try pipeline(sql.text, within: limit) {
            if known == nil, let new {
                guard PQsendPrepare(session, new, sql.text, Int32(key.types.count), key.types) == 1 else {
                    throw failure(nil, running: sql.text)
                }
            }
            try send(sql, prepared: known ?? new)
        }
        if known == nil, outcomes.succeeded > place { prepared[key] = new }
        if let error = outcomes.error { throw error }
        guard let last = outcomes.last else { throw failure(nil, running: sql.text) }
        return Rows(result: last)
    }

    /// Sends the waiting commands together with the commands that `body` sends.
    ///
    /// After a failed command the server skips the rest, so no statement runs without its settings. libpq runs a whole
    /// pipeline in one transaction; if the pipeline contains `BEGIN`, that is the transaction.
    private func pipeline(
        _ statement: String, within limit: Duration?, _ body: () throws -> Void
    ) throws -> PipelineOutcomes {
        let patience = try patience(within: limit, statement)
        let waiting = ahead
        ahead = Ahead()
        do {
            guard PQenterPipelineMode(session) == 1 else { throw failure(nil, running: statement) }
            for (name, value) in waiting.settings {
                try send("SELECT set_config(\(name), \(value), false)", prepared: nil)
            }
            if waiting.begins { try send("BEGIN", prepared: nil) }
            try body()
            guard PQpipelineSync(session) == 1 else { throw failure(nil, running: statement) }
            let outcomes = try collectPipeline(statement, patience)
            if outcomes.error != nil { setAgain() }
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

    private func send(_ sql: SQL, prepared name: String?) throws {
        let count = Int32(sql.parameters.count)
        let sent = sql.parameters.withPointers { values in
            guard let name else {
                return PQsendQueryParams(session, sql.text, count, sql.parameters.types, values, nil, nil, 0)
            }
            return PQsendQueryPrepared(session, name, count, values, nil, nil, 0)
        }
        guard sent == 1 else { throw failure(nil, running: sql.text) }
    }
}

/// The server's replies to one pipeline.
struct PipelineOutcomes {
    /// How many commands succeeded before the first failure.
    var succeeded = 0
    var last: Rows.Result?
    /// The error of the command that failed.
    var error: (any Error)?
}

extension Connection {
    /// Changes a setting of this session, unless it has this value already. The change is sent with the next statement,
    /// and that statement runs only if the change succeeded.
    ///
    /// Not allowed inside a transaction: a rollback would undo the setting too.
    package func keep(_ setting: StaticString, at value: String) throws {
        let setting = "\(setting)"
        guard kept[setting] != value else { return }
        guard isOutsideTransaction, !ahead.begins else {
            throw DatabaseError(message: "\(setting) is set inside a transaction, which may take it back")
        }
        ahead.settings[setting] = value
        kept[setting] = value
    }
}
