import Processes

/// The connection pool of one process. Each connection is lent to one caller at a time.
///
/// Connections are opened when they are needed, up to `size`. A broken connection is thrown away when it is given back.
/// A connection that the server has closed is noticed before it is lent. So a restart of the server makes callers wait,
/// and only the statements that were running fail.
package final class Database: Sendable {
    package struct Options: Sendable {
        /// The most connections that are open at once.
        package var size = 8
        /// How long a caller waits for the connections in use before another one is opened. The first one is opened at
        /// once.
        package var openingDelay: Duration = .zero
        /// A connection that was idle for this long is closed. Opening another one costs both sides about 10 ms of CPU
        /// time.
        package var idleLimit: Duration = .seconds(60)
        /// How long a caller waits for a connection, including the time to reach a missing server.
        package var waitLimit: Duration = .seconds(30)
        /// How long one host may take to answer; whole seconds, 2 at least.
        package var connectLimit: Duration = .seconds(5)
        /// How long a stopped process may keep a transaction open, and so keep its locks.
        package var idleInTransactionLimit: Duration = .seconds(30)
        /// The name that `pg_stat_activity` shows.
        package var applicationName = "waypost"
        /// Plans each statement once in a session, for all values. It is meant for sessions with many short statements,
        /// each written so that one plan is good for all values. Without it PostgreSQL plans a statement each time.
        /// After five times it may switch to a plan that was never tested, because of its estimates.
        package var plansOnce = false
        /// Receives the server's notices and warnings.
        package var remarked: (@Sendable (String) -> Void)?
        /// A way to the same database on which a session stays the same: not through a pooler that shares sessions by
        /// transaction. ``KeptConnection`` uses it. Nil: the pool's URL.
        package var directURL: String?
        /// The role to switch to after the login; nil keeps the role of the URL.
        package var role: String?
        /// Prepares a connection for its borrower, in the borrower's task: settings for ``Connection/set(_:to:)``.
        package var prepare: (@Sendable (isolated Connection) throws -> Void)?

        package init() {}

        package init(size: Int) {
            self.size = size
        }
    }

    package let url: String
    /// The most connections that are open at once.
    package var size: Int { options.size }
    let options: Options
    let state = Locked(Pool())

    /// `PG…` variables are the defaults for the parts that `url` leaves out. Nothing is opened yet.
    package init(url: String, options: Options = Options()) {
        precondition(options.size > 0, "a pool needs at least one connection")
        self.url = url
        self.options = options
    }

    /// A second pool for the same database and role, for work that must not wait until a connection of this pool is
    /// free. It leads to the direct URL if there is one and `isDirect` is true.
    package func beside(size: Int, waitLimit: Duration, isDirect: Bool = false) -> Database {
        var options = options
        options.size = size
        options.waitLimit = waitLimit
        return Database(url: isDirect ? options.directURL ?? url : url, options: options)
    }

    /// A pool of the same size and role that leads to another server.
    package func sibling(at url: String) -> Database {
        Database(url: url, options: options)
    }

    /// A pool of one connection over the direct URL; nil without one.
    package var direct: Database? {
        options.directURL.map { url in
            var options = options
            options.size = 1
            return Database(url: url, options: options)
        }
    }

    /// Runs `body` on a connection of its own; each statement commits by itself.
    ///
    /// The statements of `body` are cancelled when the limit is over.
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
}

/// Runs statements and transactions: a pool, or the part of a pool that one account may use.
package protocol DatabaseAccess: Sendable {
    func run<Value: Sendable>(
        within limit: Duration?, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value
}

extension Database: DatabaseAccess {}

extension DatabaseAccess {
    /// Runs `body` in one transaction: all of it happens, or none.
    ///
    /// The body can't `await`. So no other task can run a statement in between, and the transaction is never open while
    /// a provider is called.
    @discardableResult
    package func transaction<Value: Sendable>(
        within limit: Duration? = nil, isSnapshot: Bool = false,
        _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await run(within: limit) { connection in try connection.transaction(isSnapshot: isSnapshot, body) }
    }

    /// Repeats `piece`, each time in a transaction of its own, until it handles fewer than `size` things. It gets how
    /// many were handled before. No lock is held for long, and finished pieces stay done. Returns the total.
    package func inPieces(
        of size: Int, _ piece: @Sendable (isolated Connection, _ done: Int) throws -> Int
    ) async throws -> Int {
        var done = 0
        while true {
            let count = try await transaction { [done] connection in try piece(connection, done) }
            done += count
            if count < size { return done }
        }
    }
}
