import Foundation
package import HTTP
package import Operations
package import Postgres
package import Queue
package import Tracing

/// What the API uses.
package struct Backend: Sendable {
    /// Its sessions have the role `waypost_api`, and see no rows but those of the account that they have entered.
    package var database: Database { didSet { beginAnew() } }
    /// For who may steer the cluster: its sessions have the role `waypost_admin`, and see the addresses of the account that they have entered.
    /// Nil where this server only shows the cluster.
    package var admin: Database?
    package var tokens: TokenStore
    /// The account that any client on this machine may use before the first token is created. Nil where the server
    /// can be reached from elsewhere.
    package var openAccount: OpenAccount?
    package var log: Log
    /// The state of this process's coordinator in the cluster.
    package var standing: @Sendable (isolated Connection) throws -> CoordinatorStanding { didSet { beginAnew() } }
    /// Seals a text, for the place that is given with it; nil where this process has no key.
    package var seal: @Sendable (_ text: String, _ context: String) throws -> [UInt8]? = { _, _ in nil }
    /// What slows or stops the cluster, for `/v1/doctor`.
    package var examine: @Sendable () async throws -> [Finding] = { [] }
    /// What this process runs with, for `/v1/settings`.
    package var running = RunningSettings(version: "")
    /// The map service that pages show, for those who have signed in: its address may have a key in it.
    package var mapTiles: (template: String, attribution: String)?
    /// An error as a page for a person; nil where this server has no pages.
    package var errorPage: (@Sendable (_ status: Int, _ sentence: String) -> ServerResponse)?
    /// The metrics of this process, as Prometheus reads them.
    package var scrape: @Sendable () async -> String = { "" }
    /// Makes a span of each request; nil where nothing is traced.
    package var tracer: Tracer?
    /// The time, in seconds since 1970: a fix may be a little ahead of it.
    package var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    package var instruments: APIInstruments? { didSet { beginAnew() } }
    /// How long `/health` waits for the database where nobody watches it: who asks gives up soon, and requests may wait longer.
    var healthLimit: Duration = .seconds(3)
    /// How long the database may work for one request.
    var requestLimit: Duration = .seconds(10)
    /// How long the database may be silent before requests are refused.
    var silenceLimit: Duration = .milliseconds(700) { didSet { beginAnew() } }
    /// How many connections the server takes from one address. The limits of event streams are parts of it.
    package var connectionsOfAddress = 256
    private(set) var share: FairShare
    private(set) var watch: DatabaseWatch

    package init(
        database: Database, tokens: TokenStore, openAccount: OpenAccount?, log: Log,
        standing: @escaping @Sendable (isolated Connection) throws -> CoordinatorStanding
    ) {
        self.database = database
        self.tokens = tokens
        self.openAccount = openAccount
        self.log = log
        self.standing = standing
        share = FairShare(Shares.Limits(places: database.size))
        watch = DatabaseWatch(database, patience: silenceLimit, standing: standing)
    }

    private mutating func beginAnew() {
        share = FairShare(Shares.Limits(places: database.size), refused: instruments?.overShare)
        watch = DatabaseWatch(database, patience: silenceLimit, standing: standing)
    }

    /// The database as this account sees it.
    func database(of account: Int) -> AccountDatabase {
        AccountDatabase(database, account: account, share: share, watch: watch, limit: requestLimit)
    }

    /// The cluster for somebody who may steer it, and the addresses of this account. Its connections are few, and not shared by account.
    func adminDatabase(of account: Int) throws -> AccountDatabase {
        guard let admin else { throw RequestError.onlyShows }
        return AccountDatabase(admin, account: account, share: nil, watch: watch, limit: requestLimit)
    }

    /// For what is asked before an account is known: those who have none share one account's part of the connections.
    var strangers: AccountDatabase { database(of: 0) }

    /// A client without a token.
    func openCaller() async throws -> Caller? {
        guard let openAccount, try await !strangers.run({ [tokens] in try tokens.hadAny(on: $0) }) else { return nil }
        return Caller(
            account: openAccount.id, accountName: openAccount.name, token: nil, scopes: Set(AccessScope.allCases))
    }
}

/// An account that needs no token.
package struct OpenAccount: Sendable {
    let id: Int
    let name: String

    package init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}
