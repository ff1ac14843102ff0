import CLibpq

extension Connection {
    /// Runs `body` in one transaction: all of it happens, or none.
    ///
    /// The body can't `await`. No other task can slip a statement in, and nobody can hold a
    /// transaction open while a provider answers.
    ///
    /// Inside of another one `body` is a part of that, and commits with it: a BEGIN there would be a warning, and the
    /// COMMIT would end what the caller holds together.
    ///
    /// BEGIN goes out with the first statement. A body without any costs nothing.
    package func transaction<Value>(_ body: (isolated Connection) throws -> Value) throws -> Value {
        if isInTransaction { return try body(self) }
        ahead.begins = true
        do {
            let value = try body(self)
            guard !ahead.begins else {
                ahead.begins = false
                return value
            }
            let commit = try query("COMMIT")
            // A body that swallowed a failed statement's error would get here: Postgres rolls back.
            guard String(cString: PQcmdStatus(commit.result.pointer)) == "COMMIT" else {
                throw DatabaseError(
                    message: "the transaction was rolled back, because one of its statements had failed",
                    statement: "COMMIT")
            }
            return value
        } catch {
            ahead.begins = false
            setAgain()
            // The first failure is the one to report: a lost connection fails here too.
            if !isOutsideTransaction { rollBack() }
            throw error
        }
    }

    /// Ends the open transaction, also for a caller that was cancelled.
    func rollBack() {
        setAgain()
        // If it can't be rolled back, the connection is broken and is not lent again.
        _ = try? exchange("ROLLBACK", shielded: true) { PQsendQuery($0, "ROLLBACK") }
    }
}
