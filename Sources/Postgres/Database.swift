import Operations

/// The connections of one process, lent out one caller at a time.
///
/// Connections are opened when they are needed, up to `size`. One that broke is thrown away when it
/// comes back, and one that the server closed meanwhile is noticed before it is lent, so a restart of
/// the server costs callers a wait and not an error, unless it hit their own statement.
package final class Database: Sendable {
    package struct Options: Sendable {
        /// How many connections at most.
        package var size = 8
        /// How long a caller waits for a connection, the time to reach a missing server included.
        package var waitLimit: Duration = .seconds(30)
        /// How long one host may take to answer; whole seconds, 2 at least.
        package var connectLimit: Duration = .seconds(5)
        /// How long a stopped process may hold a transaction open, and so its locks.
        package var idleInTransactionLimit: Duration = .seconds(30)
        /// What `pg_stat_activity` shows.
        package var applicationName = "waypost"
        /// Whether a statement is planned once in a session, whatever its values: for sessions with many short statements, each of which is
        /// written so that one plan is good for all values. Else PostgreSQL plans it anew each time, or after five times decides by what it
        /// estimates, and so may turn to a plan that nobody has seen before.
        package var plansOnce = false
        /// Gets what the server remarks beside its answers: notices and warnings.
        package var remarked: (@Sendable (String) -> Void)?
        /// The role to step down to after logging in; nil to stay who the URL names.
        package var role: String?
        /// Prepares a connection for whoever borrows it, in their task: settings that it should ``Connection/keep(_:at:)``.
        package var prepare: (@Sendable (isolated Connection) throws -> Void)?

        package init() {}

        package init(size: Int) {
            self.size = size
        }
    }

    package let url: String
    /// How many connections there are at most.
    package var size: Int { options.size }
    let options: Options
    let state = Locked(Pool())

    /// What `url` leaves out comes from the usual `PG…` variables. Nothing is opened yet.
    package init(url: String, options: Options = Options()) {
        precondition(options.size > 0, "a pool needs at least one connection")
        self.url = url
        self.options = options
    }

    /// A pool of its own beside this one, to the same database and in the same role: for what must not wait until
    /// somebody gives a connection back.
    package func beside(size: Int, waitLimit: Duration) -> Database {
        var options = options
        options.size = size
        options.waitLimit = waitLimit
        return Database(url: url, options: options)
    }

    /// Runs `body` on a connection of its own; each statement commits by itself.
    ///
    /// With a limit, what `body` runs is cancelled when it is over.
    @discardableResult
    package func run<Value: Sendable>(
        within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        while true {
            let connection = try await borrow()
            let lending = await connection.lend(first: true, within: limit) { [prepare = options.prepare] connection in
                try prepare?(connection)
                return try body(connection)
            }
            switch lending {
            case .done(let outcome, let isReusable):
                giveBack(connection, isReusable: isReusable)
                return try outcome.get()
            case .stale:
                giveBack(connection, isReusable: false)
            }
        }
    }

    /// Runs `body` in one transaction: all of it happens, or none.
    ///
    /// The body can't `await`. No other task can slip a statement in, and nobody can hold a
    /// transaction open while a provider answers.
    @discardableResult
    package func transaction<Value: Sendable>(
        within limit: Duration? = nil, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await run(within: limit) { connection in try connection.transaction(body) }
    }
}
