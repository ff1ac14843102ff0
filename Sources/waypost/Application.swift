import Cluster
import Contacts
import Geocoding
import Glibc
import HTTP
import Points
import Postgres
import Processes
import Providers
import Questions
import Queue
import Schema
import Sinks
import Terminal

/// The assembled system. Only this type gives each part its dependencies.
struct Application: Sendable {
    let settings: Settings
    let database: Database
    let queue = JobQueue()
    let geocodes = GeocodeStore()
    let contacts = ContactStore()
    let questions = QuestionQueue()
    let registry: ProcessRegistry
    let log: Log
    /// The metrics of this process.
    let metrics: Metrics
    /// Nil if tracing is off.
    let tracer: Tracer?
    /// Reports each SIGHUP.
    let hangUps = HangUps()
    /// The lifetime of the database.
    var cluster = Cluster.lasting
    /// Stops the private server that this command started.
    var stopServer: @Sendable () async -> Void = {}

    enum Cluster: Sendable {
        case lasting
        /// A private cluster that ends with the command. Its answers stay in the folder.
        case passing
        case temporary
    }

    /// All providers that this process can call. Each one on the network has a client of its own, so that none waits
    /// for another.
    let providers: [any GeocodingProvider]

    /// The sets of address points, once ``withPoints()`` has read them.
    private(set) var pointSets: [PointSet] = []

    /// The providers that run inside the worker and send no request.
    var inWorker: Set<String> {
        Set(providers.filter { !($0 is any HTTPCaller) }.map(\.name) + pointSets.map(\.name))
    }

    /// The terms of each provider, by its name, which is also the name of its lane.
    var terms: [String: ProviderTerms] {
        Dictionary(
            providers.map { ($0.name, $0.terms) } + pointSets.map { ($0.name, $0.terms) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The same with the present sets of points.
    func withPoints() async throws -> Application {
        var app = self
        app.pointSets = try await database.run { try PointSetStore().sets(on: $0) }
        return app
    }

    init(
        _ settings: Settings, url: String, connections: Int, patience: Duration, openingDelay: Duration = .zero
    ) {
        self.settings = settings
        var options = Database.Options(size: connections)
        options.waitLimit = patience
        options.openingDelay = openingDelay
        // Without DATABASE_URL the database is that of a cluster in the folder.
        options.directURL = settings.databaseURL.flatMap { _ in settings.directURL }
        let metrics = Metrics()
        self.metrics = metrics
        _ = Tracer.countOfDropped(in: metrics)
        let tracer = settings.tracing.map { Tracer(sampler: $0.sampler, metrics: metrics) }
        self.tracer = tracer
        Self.keepTraces(in: &options, tracer)
        database = Database(url: url, options: options)
        registry = ProcessRegistry(silenceLimit: settings.silenceLimit)
        log = Log(level: settings.logLevel, format: settings.logFormat)
        let makers = settings.providers.makers
        providers = [GazetteerProvider()] + makers.map { Self.provider($0, settings.providers, tracer) }
    }

    /// The database that a command uses.
    enum Home: Sendable {
        /// The database of `DATABASE_URL`, or of the cluster that runs in the folder.
        case running
        /// The same, or else the private server of the folder, while the command runs.
        case kept
        /// The same, but the server is created if there is none.
        case folder
    }

    /// For a command that a person waits for: it uses the existing database, and soon gives up if that is unreachable.
    /// End it with ``close()``.
    static func forCommand(_ home: Home = .kept, requiresSchema: Bool = true) async throws -> Application {
        let settings = try Settings.current()
        try await settings.waitForCluster()
        let mayStart =
            switch home {
            case .running: false
            case .kept: settings.folder.hasServer
            case .folder: true
            }
        if mayStart, settings.databaseURL == nil, settings.folder.runningURL == nil {
            return try await openPrivate(settings, workers: 0, isTemporary: false).forCommand()
        }
        let application = Application(
            settings, url: try Self.url(for: settings), connections: 2, patience: .seconds(3))
        if requiresSchema { try await application.database.requireSchema(Schema.scripts) }
        return application
    }

    func close() async {
        await database.close()
        await stopServer()
    }

    /// For a process that runs until it is stopped: it waits for a database that restarts.
    static func forService() async throws -> Application {
        let settings = try Settings.current()
        try await settings.waitForCluster()
        let application = Application(
            settings, url: try Self.url(for: settings), connections: settings.workConnections, patience: .seconds(30),
            openingDelay: .seconds(1))
        try await application.database.requireSchema(Schema.scripts)
        return application
    }

    /// The keys that encrypt the secrets of sinks, from the setting or from the private cluster. Nil without keys.
    func sealingKeys() throws -> SealingKeys? {
        if let keys = settings.sealingKeys { return keys }
        return try settings.folder.sealingKey.map { text throws(SealingMistake) in try SealingKeys(text) }
    }

    /// The same, but creates a key for a private cluster that has none.
    func makeSealingKeys() throws -> SealingKeys {
        if let keys = try sealingKeys() { return keys }
        guard settings.databaseURL == nil else {
            throw UsageError(
                "the secrets of sinks are sealed before they are stored, and WAYPOST_SEALING_KEYS is not set. Make a key with "
                    + "'openssl rand -hex 32', and set it for this command and for all workers and coordinators.")
        }
        let text = SealingKeys.newKey()
        try settings.folder.writeSealingKey(text)
        return try SealingKeys(text)
    }

    /// The same, but nil if only a person can give the key.
    func ownSealingKeys() throws -> SealingKeys? {
        settings.databaseURL == nil ? try makeSealingKeys() : try sealingKeys()
    }

    static func url(for settings: Settings) throws -> String {
        if let url = settings.databaseURL ?? settings.folder.runningURL { return url }
        throw UsageError(
            "there is no database: DATABASE_URL is not set, and no cluster runs in \(settings.folder.path)"
                + (settings.folder.hasServer ? ". " : ", nor was there ever one. ")
                + "Start one with 'waypost up', or set DATABASE_URL.")
    }

    /// Brings the schema and the roles up to date. Returns the changes, and the rights of this login on the roles.
    func prepareDatabase(
        under limits: LockLimits = LockLimits()
    ) async throws -> (changes: SchemaChanges, roles: RoleStanding) {
        let done = try await Schema.prepare(database, under: limits)
        try await prepareLanes()
        return done
    }

    /// Puts the providers of the environment into the chain "default" of a private cluster, until somebody sets it.
    /// Processes of a shared cluster may have different environments, so there an operator sets it.
    func extendFirstChain() async throws {
        let links = providers.filter { $0.name != "gazetteer" }.map {
            Chain.Link($0.name, countries: $0.terms.countries?.sorted())
        }
        try await database.transaction { [questions] in
            let points = Set(try PointSetStore().sets(on: $0).map(\.name))
            try questions.extendFirstChain(with: links, apartFrom: points, by: .current, on: $0)
        }
    }

    /// Creates the missing lanes of providers.
    func prepareLanes() async throws {
        for provider in providers {
            let terms = provider.terms
            try await database.transaction { [queue, name = provider.name] in
                try queue.prepareLane(
                    name, batch: terms.batch,
                    limits: terms.limits.compactMap { RateLimit(Double($0.calls), per: $0.per) },
                    attribution: terms.attribution, machines: terms.use?.machines, on: $0)
            }
        }
    }
}

extension Author {
    /// The person who runs this command, by the login and host name.
    static let current: Author = {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 16_384)
        let user = getuid()
        let isKnown = getpwuid_r(user, &entry, &texts, texts.count, &found) == 0 && found != nil
        return .user(
            isKnown ? String(cString: entry.pw_name) : "user \(user)", on: ProcessIdentity.current.host)
    }()
}

extension Application {
    /// Runs an operation that starts a trace, for a command. The spans are sent before the command ends.
    func traced<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        guard let exporter = spanExporter, let tracer else { return try await body() }
        let sending = Task { try await exporter.run {} }
        let result: Result<Value, any Error>
        do { result = .success(try await tracer.trace(name, .internal) { try await body() }) } catch {
            result = .failure(error)
        }
        sending.cancel()
        // The command ignores whether the collector accepted the spans.
        _ = await sending.result
        return try result.get()
    }

    /// Nil if tracing is off.
    var spanExporter: SpanExporter? {
        guard let tracer, let options = settings.tracing?.exporter else { return nil }
        return SpanExporter(tracer, options, log: log)
    }

    /// Adds the current trace to jobs that are enqueued inside it.
    static func keepTraces(in options: inout Database.Options, _ tracer: Tracer?) {
        guard tracer != nil else { return }
        options.prepare = { try $0.queueJobs(inTrace: TraceScope.current?.text) }
    }

    /// Makes a provider with a client of its own. A setting lists the providers that get the trace context.
    static func provider(
        _ make: (HTTPClient) -> any GeocodingProvider, _ settings: ProviderSettings, _ tracer: Tracer?
    ) -> any GeocodingProvider {
        let provider = make(settings.newClient())
        guard let tracer else { return provider }
        var options = settings.clientOptions
        options.witness = tracer.witness(handsOn: settings.traced.contains(provider.name))
        return make(HTTPClient(options))
    }
}
