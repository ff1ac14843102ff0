import API
import Access
import Cluster
import Contacts
import HTTP
import Points
import Postgres
import Processes
import Providers
import Queue
import Schema
import Sinks
import Terminal

/// The HTTP server of a coordinator.
///
/// It has its own connections, each restricted to one account at a time.
struct APIService: Service {
    let name = "api"
    let app: Application

    func run(ready: @escaping @Sendable () -> Void) async throws {
        guard let address = app.settings.server.address else { return try await idle(ready) }
        let roles = try await roles()
        var options = Database.Options(size: app.settings.connections)
        options.role = roles.role("waypost_api")
        options.plansOnce = true
        Application.keepTraces(in: &options, app.tracer)
        let database = Database(url: app.database.url, options: options)
        options.role = roles.role("waypost_admin")
        options.size = ConnectionNeeds.admin(pool: options.size)
        options.plansOnce = false
        let admin = Database(url: app.database.url, options: options)
        let hasTokens = try await database.run { try TokenStore().hasAny(on: $0) }
        if !address.isLoopback, !hasTokens { warnOfMissingToken(at: address) }
        let cluster = ClusterMetrics(
            app.metrics, database: app.database, registry: app.registry, budgets: app.settings.budgets)
        database.export(as: "api", to: app.metrics)
        let instruments = APIInstruments(app.metrics)
        let backend = backend(database, admin, try await openAccount(at: address), cluster, instruments)
        let counting = Task { [app] in await instruments.traffic.writeRepeatedly(to: app.database, log: app.log) }
        defer { counting.cancel() }
        try await serve(APIServer(backend), at: address, instruments, hasTokens: hasTokens, ready)
        counting.cancel()
        await counting.value
        if !instruments.traffic.isWritten {
            try? await app.database.sayLast(within: .seconds(2)) { try instruments.traffic.write(on: $0) }
        }
        await cluster.close()
        await database.close()
        await admin.close()
        await backend.standby?.database.close()
    }

    private func warnOfMissingToken(at address: ListenAddress) {
        // A token that is created later is accepted at once. Until then only health checks are answered.
        app.log.warning(
            "there is no API token, and other machines can reach WAYPOST_LISTEN: every request is refused until there is one",
            [
                "address": "\(address)", "create_one": "waypost tokens create NAME --scope read --scope write",
                "with_compose":
                    "docker compose exec coordinator waypost tokens create NAME --scope read --scope write",
            ])
    }

    private func backend(
        _ database: Database, _ admin: Database, _ openAccount: OpenAccount?, _ cluster: ClusterMetrics,
        _ instruments: APIInstruments
    ) -> Backend {
        var backend = Backend(
            database: database, tokens: TokenStore(), openAccount: openAccount, log: app.log,
            standing: { [registry = app.registry, me = ProcessIdentity.current] in
                try registry.standing(ofCoordinatorAt: me.host, pid: me.pid, on: $0)
            })
        backend.admin = admin
        backend.standby = standby(for: database, instruments)
        backend.instruments = instruments
        backend.tracer = app.tracer
        backend.scrape = { [app] in
            await cluster.refresh()
            return app.metrics.text
        }
        backend.connectionsOfAddress = app.settings.server.connectionsPerAddress
        backend.mapTiles = app.settings.server.tiles.map { ($0.template, $0.attribution) }
        backend.seal = { [app] text, context in try app.ownSealingKeys()?.seal(text, for: context) }
        backend.running = app.running
        let gazetteer = GazetteerProvider()
        backend.localProviders = { [points = database] in
            var local = [gazetteer.name: LocalProvider(gazetteer)]
            for set in try await PointSetStore().providers(in: points, guide: .gazetteer) {
                local[set.name] = LocalProvider(set) { try await set.areas(ofRelations: $0) }
            }
            return local
        }
        backend.errorPage = PageRoutes.error
        backend.examine = { [app] in try await app.examine() }
        return backend
    }

    /// Serves until the task is cancelled.
    private func serve(
        _ api: APIServer, at address: ListenAddress, _ instruments: APIInstruments,
        hasTokens: Bool, _ ready: @escaping @Sendable () -> Void
    ) async throws {
        let files = app.settings.server.tls
        // Taken before the files are read, so that a change during the reading is noticed later.
        let version = files?.version ?? []
        let certificate = try certificate()
        app.metrics.gauge(
            "waypost_certificate_end_time_seconds", "The end of the server's TLS certificate, since 1970.")[]
            .read { certificate.map { Double($0.end) } ?? .infinity }
        let watching = Task { await api.watchDatabase() }
        let reading = Task { [app] in
            guard let files, let certificate else { return }
            await files.reload(certificate, since: version, hangUps: app.hangUps, log: app.log)
        }
        defer {
            watching.cancel()
            reading.cancel()
        }
        do {
            try await server(of: api, at: address, certificate, instruments).run { port in
                let place = ListenAddress(host: address.host, port: port)
                app.log.info(
                    "serving the API",
                    [
                        "address": "\(place)", "tokens": hasTokens,
                        "connections_at_most": ConnectionNeeds.api(pool: app.settings.connections),
                    ])
                ready()
            }
        } catch let error as ServerError where !app.settings.server.isChosen {
            // This address is only the default, so a second cluster on the machine is not a mistake.
            app.log.warning("the API is not served: set WAYPOST_LISTEN", ["error": "\(error)"])
            try await idle(ready)
        } catch {
            // A retry would not help, because a setting is wrong.
            throw UsageError("can't listen on WAYPOST_LISTEN=\(address): \(error)")
        }
    }

    private func standby(for database: Database, _ instruments: APIInstruments) -> Standby? {
        guard let url = app.settings.standbyURL else { return nil }
        let copy = database.sibling(at: url)
        copy.export(as: "standby", to: app.metrics)
        return Standby(
            copy, longestLag: app.settings.readLag, log: app.log, metrics: app.metrics, instruments: instruments)
    }

    /// The rights of this process's login on the roles. A login that may not use the server's role works as the owner
    /// of the tables, if row-level security also applies to the owner.
    private func roles() async throws -> RoleStanding {
        let standing = try await app.database.run { try Schema.roleStanding(on: $0) }
        guard standing.worksAsOwner else { return standing }
        guard standing.isFenced else {
            throw UsageError(
                "\(standing.login) may not become the roles of the API, and nothing else keeps the accounts apart. Run "
                    + "'waypost migrate' as \(standing.login).")
        }
        app.log.info("the API works as the owner of the tables; 'waypost doctor' says why", ["login": standing.login])
        return standing
    }

    private func certificate() throws -> ServerCertificate? {
        guard let files = app.settings.server.tls else { return nil }
        files.warnOfOpenKey(app.log)
        do {
            let (chain, key) = try files.read()
            let certificate = try ServerCertificate(chain, key: key)
            files.warnOfEnd(certificate, app.log)
            return certificate
        } catch {
            throw UsageError("can't use WAYPOST_TLS_CERTIFICATE=\(files.certificate): \(error)")
        }
    }

    /// Waits forever, because a return would stop the other services.
    private func idle(_ ready: @Sendable () -> Void) async throws {
        ready()
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// The account that programs on this machine use before the first token exists. It is nil if this process may not
    /// open an account: such strict rights are deliberate, and then a token is needed.
    private func openAccount(at address: ListenAddress) async throws -> OpenAccount? {
        guard address.isLoopback else { return nil }
        let name = "default"
        do {
            let id = try await app.database.run { try ContactStore().openAccount(named: name, on: $0) }
            return OpenAccount(id: id, name: name)
        } catch let error as DatabaseError where error.sqlState == "42501" {
            return nil
        }
    }

    private func server(
        of api: APIServer, at address: ListenAddress, _ certificate: ServerCertificate?, _ instruments: APIInstruments
    ) -> HTTPServer {
        var options = HTTPServer.Options()
        options.address = address.host
        options.port = address.port
        options.tls = certificate
        options.largestBody = APIServer.largestBody
        options.requestLimit = .seconds(3_600)
        options.connectionsPerClient = app.settings.server.connectionsPerAddress
        options.trustedProxies = app.settings.server.trustedProxies
        options.allowedOrigins = app.settings.server.allowedOrigins
        var router = api.router
        api.addSessions(to: &router)
        api.addGateway(to: &router)
        PageRoutes.add(to: &router, tiles: app.settings.server.tiles)
        let (log, logsRequests) = (app.log, app.settings.server.logsRequests)
        return HTTPServer(
            options, router: router,
            errorResponse: { status, sentence, target, acceptsHTML in
                acceptsHTML
                    ? PageRoutes.error(status, sentence) : APIServer.errorResponse(status, sentence, target, false)
            },
            failed: { error, route in
                log.error("request failed", ["route": route.pattern, "error": "\(type(of: error))"])
            },
            log: { entry in
                instruments.note(entry)
                guard logsRequests else { return }
                log.info(
                    "request",
                    [
                        "id": entry.id, "method": entry.method?.rawValue ?? "-", "route": entry.route ?? "-",
                        "status": entry.status ?? 0, "bytes": entry.bytes, "took": entry.duration,
                        "cut_off": entry.wasCutOff,
                    ])
            })
    }
}
