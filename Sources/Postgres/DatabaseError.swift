/// An error from PostgreSQL or from the connection to it.
package struct DatabaseError: Error {
    package let message: String

    /// The five-letter SQLSTATE, if the server sent one.
    package var sqlState: String?

    /// The statement, with `$1` in place of each value: a value may be a person's address.
    package var statement: String?

    /// The server's hint, or the usual remedy.
    package var hint: String?

    /// The connection is gone, or could not be made.
    package var isConnectionLost = false

    /// The error is temporary: the same statements may succeed on a working connection.
    ///
    /// After a lost connection it is unknown whether the last statement was carried out. So statements that are retried
    /// must be safe to run twice: ours name the state that they expect.
    package var isWorthRetrying = false

    /// A time limit that the caller set was over.
    package private(set) var isOverTime = false

    package init(
        message: String, sqlState: String? = nil, statement: String? = nil, hint: String? = nil,
        isConnectionLost: Bool = false, isWorthRetrying: Bool = false
    ) {
        self.message = message
        self.sqlState = sqlState
        self.statement = statement
        self.hint = hint
        self.isConnectionLost = isConnectionLost
        self.isWorthRetrying = isWorthRetrying
    }
}

extension DatabaseError {
    /// The disk is full, or memory is short. The statement is not the cause; an operator has to act.
    /// https://www.postgresql.org/docs/15/errcodes-appendix.html, class 53
    package var isShortOfResources: Bool { sqlState?.hasPrefix("53") == true }

    var isDeadlock: Bool { sqlState == "40P01" }

    /// The statement's values may be the cause. Any other error passes, or an operator ends it: the connection is lost,
    /// the disk is full, a function or a right is missing. Such statements are worth retrying.
    package var mayBeOfValues: Bool {
        guard !isConnectionLost, !isWorthRetrying else { return false }
        return !["28", "3D", "42", "53", "55", "57", "58"].contains(sqlState?.prefix(2) ?? "")
    }

    /// Returns whether the server's error is temporary.
    /// https://www.postgresql.org/docs/15/errcodes-appendix.html
    ///
    /// `routine` is the server's function. The text of a message depends on the server's language.
    static func isTemporary(sqlState: String, routine: String?) -> Bool {
        switch sqlState {
        case "40001", "40P01": true  // another transaction won
        case "55P03": true  // a lock was not free in time
        case "57P01", "57P02", "57P03", "57P05": true  // the server stops, crashed, starts, or closed an idle session
        case "53300": true  // too many connections
        case "25006": true  // read-only: we reached the old primary after a failover
        case "26000": true  // a pooler gave us a session that never saw our prepared statement
        case "XX000": routine?.hasPrefix("simple_heap_") == true  // two sessions changed the rights of one table
        case "0A000": routine == planCheck  // a migration changed a table under a prepared statement
        default: sqlState.hasPrefix("08")
        }
    }

    /// The server's function that finds a prepared statement whose tables have changed.
    private static let planCheck = "RevalidateCachedQuery"

    /// The prepared statement is unknown to the server, or no longer fits its tables.
    var isForgottenPlan: Bool { sqlState == "26000" || sqlState == "0A000" && isWorthRetrying }

    /// A sign of a pooler that uses another server session for each transaction, which mixes up prepared statements.
    package var isOfPooler: Bool { sqlState == "42P05" || sqlState == "26000" }

    /// The usual remedy for an error of the server.
    static func hint(sqlState: String?) -> String? {
        switch sqlState {
        case "42P05", "26000": poolerRemedy
        case "28000", "28P01": "correct the user in the URL, and the password in the URL, PGPASSWORD_FILE or ~/.pgpass"
        case "3D000": "create the database, with this login as its owner, or correct its name in the URL"
        case "42501":
            "this login lacks a right: let the owner of the database run the command. To make a login the owner, an "
                + "administrator runs ALTER DATABASE … OWNER TO …"
        default: nil
        }
    }

    package static let poolerRemedy =
        "a connection pooler that was not recognised shares sessions between here and PostgreSQL: point DATABASE_URL at "
        + "PostgreSQL itself"

    static func timeLimit(_ limit: Duration, of what: String, running statement: String? = nil) -> Self {
        var error = Self(
            message: "\(what) took longer than its limit of \(limit.formattedSeconds) and was cancelled",
            statement: statement)
        error.isOverTime = true
        return error
    }

    /// The login succeeded, so a pooler made it and had no session left.
    static func noSession(within limit: Duration) -> Self {
        Self(
            message: "the connection was accepted, but got no session of PostgreSQL within \(limit.formattedSeconds)",
            hint: "let the pooler open more sessions, such as default_pool_size in PgBouncer", isConnectionLost: true,
            isWorthRetrying: true)
    }

    static func noSuchColumn(_ column: String) -> Self {
        Self(message: "the result has no column \"\(column)\"")
    }

    static func undecodable(column: String, as type: Any.Type) -> Self {
        Self(message: "the value in column \"\(column)\" is not a \(type)")
    }

    /// Hides the value that a data error quotes: `invalid input syntax for type integer: "…"`.
    ///
    /// Messages of class 22 quote the invalid value, and a value may be a person's address.
    static func redacted(_ message: String, sqlState: String?) -> String {
        guard sqlState?.hasPrefix("22") == true, let first = message.firstIndex(of: "\""),
            let last = message.lastIndex(of: "\""), first < last
        else { return message }
        return message[..<first] + "\"…\"" + message[message.index(after: last)...]
    }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String {
        var lines = ["postgres: \(message)" + (sqlState.map { " (\($0))" } ?? "")]
        // If the connection broke or the disk is full, the statement is not the cause.
        if let statement, !isConnectionLost, !isShortOfResources {
            lines.append("  while running: \(statement.shortened(to: 1_000))")
        }
        if let hint { lines.append("  hint: \(hint)") }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// A script may have hundreds of lines.
    fileprivate func shortened(to most: Int) -> String { count > most ? prefix(most) + " …" : self }
}

extension Duration {
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
