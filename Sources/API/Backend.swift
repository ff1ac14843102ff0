package import Access
import FoundationEssentials
package import Geocoding
package import HTTP
package import Postgres
package import Processes
package import Queue

/// The services and settings that the API uses.
package struct Backend: Sendable {
    /// Its sessions have the role `waypost_api`, and see only the rows of the account that they have entered.
    package var database: Database { didSet { beginAnew() } }
    /// For administrators: its sessions have the role `waypost_admin`, and see the addresses of the account that they
    /// have entered. Nil if this server can only show the cluster.
    package var admin: Database?
    /// Answers reads while its data is recent enough. Nil: the database answers all requests.
    package var standby: Standby? { didSet { beginAnew() } }
    package var tokens: TokenStore
    /// The account that any client on this machine may use before the first token is created. Nil if other machines can
    /// reach the server.
    package var openAccount: OpenAccount?
    package var log: Log
    /// The state of this process's coordinator in the cluster.
    package var standing: @Sendable (isolated Connection) throws -> CoordinatorStanding { didSet { beginAnew() } }
    /// Encrypts a text for the context that is given with it; nil if this process has no key.
    package var seal: @Sendable (_ text: String, _ context: String) throws -> [UInt8]? = { _, _ in nil }
    /// Examines the cluster for problems, for `/v1/doctor`.
    package var examine: @Sendable () async throws -> [Finding] = { [] }
    /// The settings of this process, for `/v1/settings`.
    package var running = RunningSettings(version: "")
    /// The map service of the pages. Only signed-in persons get it, because its URL may contain a key.
    package var mapTiles: (template: String, attribution: String)?
    /// Makes an error page for a person; nil if this server has no pages.
    package var errorPage: (@Sendable (_ status: Int, _ sentence: String) -> ServerResponse)?
    /// The metrics of this process in Prometheus' format.
    package var scrape: @Sendable () async -> String = { "" }
    /// The providers that need no call outside, by their lanes, with the attribution of their data.
    package var localProviders: @Sendable () async throws -> [String: LocalProvider] = { [:] }
    /// Makes a span of each request; nil if tracing is off.
    package var tracer: Tracer?
    /// The time in seconds since 1970. A fix may be slightly ahead of it.
    package var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    package var instruments: APIInstruments? { didSet { beginAnew() } }
    /// How long `/health` waits for the database if the watch does not run. It is shorter than for other requests,
    /// because a health check gives up soon.
    var healthLimit: Duration = .seconds(3)
    /// How long the database may work for one request.
    var requestLimit: Duration = .seconds(10)
    /// How long the database may not respond before requests are refused.
    var silenceLimit: Duration = .milliseconds(700) { didSet { beginAnew() } }
    /// How many connections the server accepts from one address. The limits of event streams are fractions of it.
    package var connectionsOfAddress = 256
    private(set) var share: FairShare
    private(set) var watch: DatabaseWatch<CoordinatorStanding>

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
        watch = Self.watch(database, silenceLimit, nil, log, standing)
    }

    private mutating func beginAnew() {
        share = FairShare(Shares.Limits(places: database.size), refused: instruments?.overShare)
        watch = Self.watch(database, silenceLimit, standby, log, standing)
    }

    private static func watch(
        _ database: Database, _ patience: Duration, _ standby: Standby?, _ log: Log,
        _ standing: @escaping @Sendable (isolated Connection) throws -> CoordinatorStanding
    ) -> DatabaseWatch<CoordinatorStanding> {
        DatabaseWatch(
            database, patience: patience, refused: CoordinatorStanding(isHeard: false, isLed: false),
            turned: { isAway in
                if isAway {
                    log.warning("the database does not answer: requests get 503", ["silent_for": patience])
                } else {
                    log.info("the database answers again")
                }
            }
        ) { db in
            let standing = try standing(db)
            standby?.note(ofPrimary: db)
            return standing
        }
    }

    /// The database restricted to this account.
    func database(of account: Int) -> AccountDatabase {
        AccountDatabase(database, account: account, share: share, limit: requestLimit, heard: watch.hear)
    }

    /// Runs `body` on the standby or, if that can't answer, on the database. So `body` may run twice.
    ///
    /// The data is at least as new as `position`, which ``position(of:)`` returned, and otherwise no older than the
    /// standby's limit.
    func read<Value: Sendable>(
        of account: Int, after position: Int? = nil, inBackground: Bool = false,
        _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        func placed(_ database: AccountDatabase) -> AccountDatabase { inBackground ? database.inBackground : database }
        if let standby, let target = standby.target(after: position) {
            let copy = AccountDatabase(
                standby.database, account: account, share: standby.share, limit: requestLimit,
                heard: standby.watch.hear)
            if let value = try await standby.answer(atLeast: target, placed(copy), body) { return value }
        }
        return try await placed(database(of: account)).run(body)
    }

    /// The database's position after the changes that were committed so far. If it can't be read, the position is one
    /// that no standby reaches.
    func position(of account: Int) async -> Int {
        let sql: SQL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS position"
        return (try? await database(of: account).run { try $0.query(sql)[0].read("position") }) ?? .max
    }

    /// The share of connections that limits the requests of a route now.
    func share(of route: APIRoute) -> FairShare {
        guard let standby, route.isOfReaders, standby.state == .used else { return share }
        return standby.share
    }

    /// The database for administrators, with the addresses of this account. Its connections are few and not shared by
    /// account.
    func adminDatabase(of account: Int) throws -> AccountDatabase {
        guard let admin else { throw RequestError.onlyShows }
        return AccountDatabase(admin, account: account, share: nil, limit: requestLimit, heard: watch.hear)
    }

    /// For queries before the account is known. All of them share the connections of one account.
    var strangers: AccountDatabase { database(of: 0) }

    /// The caller for a client without a token.
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

/// The settings of this process, for an administrator. The code that makes this lists the visible settings. The value of
/// a secret has no place here.
package struct RunningSettings: Sendable {
    package struct Setting: Sendable {
        package let name: String
        /// Nil for a secret, and for a setting without a value.
        package let value: String?
        package let isSecret: Bool
        /// True if the environment sets it; otherwise it has its default.
        package let isSet: Bool

        package static func plain(_ name: String, _ value: String?, isSet: Bool) -> Self {
            Self(name: name, value: value, isSecret: false, isSet: isSet)
        }

        package static func secret(_ name: String, isSet: Bool) -> Self {
            Self(name: name, value: nil, isSecret: true, isSet: isSet)
        }
    }

    package struct Provider: Sendable {
        let name: String
        let terms: ProviderTerms

        package init(name: String, terms: ProviderTerms) {
            self.name = name
            self.terms = terms
        }
    }

    package var version: String
    package var settings: [Setting]
    package var providers: [Provider]
    /// The providers that run inside a worker and send no request.
    package var inWorker: Set<String>
    /// How many calls a worker has open in a lane, unless a plan sets another number.
    package var callsAtOnce: Int

    package init(
        version: String, settings: [Setting] = [], providers: [Provider] = [], inWorker: Set<String> = [],
        callsAtOnce: Int = 16
    ) {
        self.inWorker = inWorker
        self.callsAtOnce = callsAtOnce
        self.version = version
        self.settings = settings
        self.providers = providers
    }
}
