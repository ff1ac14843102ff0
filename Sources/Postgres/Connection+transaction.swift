import CLibpq

extension Connection {
    /// Runs `body` in one transaction: all of it happens, or none.
    ///
    /// The body can't `await`. So no other task can run a statement in between, and the transaction is never open while
    /// a provider is called.
    ///
    /// Inside another transaction, `body` is a part of that one and commits with it. A second BEGIN would only give a
    /// warning, and the COMMIT would end the outer transaction.
    ///
    /// BEGIN is sent with the first statement. A body without statements sends nothing.
    ///
    /// With `isSnapshot` all statements read the same state of the database, and none may write.
    package func transaction<Value>(
        isSnapshot: Bool = false, _ body: (isolated Connection) throws -> Value
    ) throws -> Value {
        if isInTransaction { return try body(self) }
        (ahead.begins, ahead.isSnapshot) = (true, isSnapshot)
        do {
            let value = try body(self)
            guard !ahead.begins || !ahead.statements.isEmpty else {
                ahead.begins = false
                return value
            }
            let commit = try query("COMMIT")
            // This happens if the body ignored the error of a failed statement: Postgres then rolls back.
            guard String(cString: PQcmdStatus(commit.result.pointer)) == "COMMIT" else {
                throw DatabaseError(
                    message: "the transaction was rolled back, because one of its statements had failed",
                    statement: "COMMIT")
            }
            return value
        } catch {
            (ahead.begins, ahead.statements) = (false, [])
            setAgain()
            // Report the first error: after a lost connection the rollback fails too.
            if !isOutsideTransaction { rollBack() }
            throw error
        }
    }

    /// Ends the open transaction, also for a caller that was cancelled.
    func rollBack() {
        setAgain()
        // If the rollback fails, the connection is broken and is not lent again.
        _ = try? exchange("ROLLBACK", shielded: true) { PQsendQuery($0, "ROLLBACK") }
    }
}
