import Cluster
import HTTP
import JSON
import Locations
import Points
import Postgres
import Processes
import Questions
import Sinks
import Terminal
import Towns

extension Application {
    func worker(named name: String?) -> Worker {
        let me = ProcessIdentity.current
        let instruments = WorkerInstruments(metrics)
        let worker = Worker(
            name: name ?? settings.workerName ?? "\(me.host)-\(me.pid)", database: database,
            works: providers.map { GeocodingWork($0, mending: TownMender(), metrics: metrics) },
            readLanes: readLanes, registry: registry, callsAtOnce: settings.callsAtOnce,
            outageLimit: settings.outageLimit, log: log,
            instruments: instruments, tracer: tracer)
        worker.vitals.exportDatabase(to: metrics)
        export(worker.vitals)
        return worker
    }

    /// Exports the metrics that every process has.
    private func export(_ vitals: ProcessVitals) {
        metrics.watchProcess(version: Waypost.version, commit: Waypost.commit)
        vitals.export(to: metrics)
        database.export(as: "work", to: metrics)
    }

    /// Reads the lanes that people add while workers run: those of sinks and of address points.
    private var readLanes: @Sendable (isolated Connection) throws -> [ChangingLane] {
        let sinks = SinkAccess(keys: { try sealingKeys() }) {
            [options = settings.providers.clientOptions] _, description in try description.makeSink(options)
        }
        return { [metrics] db in
            try sinks.readLanes(db)
                + PointSetStore().lanes(on: db, guide: .gazetteer) {
                    GeocodingWork($0, mending: TownMender(), metrics: metrics)
                }
        }
    }

    func fileNotices() -> FileNotices {
        FileNotices(
            database: database, keys: { [self] in try sealingKeys() }, settings.providers.clientOptions, log: log)
    }

    func coordinator() -> Coordinator {
        let me = ProcessIdentity.current
        let coordinator = Coordinator(
            name: "\(me.host)-\(me.pid)", database: database, registry: registry,
            retention: settings.callsKept, locationRetention: settings.locationsKept,
            auditRetention: settings.auditLogKept, log: log, instruments: CoordinatorInstruments(metrics))
        export(coordinator.vitals)
        return coordinator
    }

    /// Runs services until a signal comes, or until the process that started this one has ended.
    func run(_ services: [any Service]) async throws {
        let lifeline: [any Service] = settings.hasLifeline ? [Lifeline()] : []
        // It comes first, so that it stops last.
        let exporter: [any Service] = spanExporter.map { [$0] } ?? []
        let group = ServiceGroup(lifeline + exporter + services, log: log, stopLimit: settings.stopLimit)
        // The log already contains the reason.
        do {
            // SIGHUP never ends a worker or a coordinator.
            try await group.runUntilSignalled(hangUp: { [hangUps] in hangUps.tell() })
        } catch {
            if error is SchemaError, let remedy = Remedy.sentence(for: error) {
                log.error("can't go on", ["remedy": remedy])
            }
            throw ExitCode(error is UsageError ? 2 : 1)
        }
        await database.close()
        for case let provider as any HTTPCaller in providers { await provider.http.close() }
    }
}

/// The HTTP server of a worker: its health and its metrics. It serves no data of an account, and needs no token.
struct WorkerServer: Service {
    let name = "worker server"
    let address: ListenAddress
    let vitals: ProcessVitals
    let app: Application

    func run(ready: @escaping @Sendable () -> Void) async throws {
        var options = HTTPServer.Options()
        options.address = address.host
        options.port = address.port
        // Few clients use it.
        options.connections = 32
        options.connectionsPerClient = 16
        options.largestBody = 1 << 10
        do {
            try await HTTPServer(options, router: router).run { port in
                let place = ListenAddress(host: address.host, port: port)
                app.log.info("serving health and metrics", ["address": "\(place)"])
                ready()
            }
        } catch {
            throw UsageError("can't listen on WAYPOST_WORKER_LISTEN=\(address): \(error)")
        }
    }

    private var router: Router {
        var router = Router()
        router.add(.get, "/livez", isAlwaysAnswered: true) { _ in Self.health([]) }
        router.add(.get, "/readyz", isAlwaysAnswered: true) { [vitals] _ in Self.health(vitals.reasonsNotReady) }
        router.add(.get, "/metrics") { [app] request in
            let response = ServerResponse(
                status: 200, headers: ["Content-Type": Metrics.contentType, "Cache-Control": "no-store"],
                body: .bytes(Array(app.metrics.text.utf8)))
            return request.acceptsGzip && response.gainsFromGzip ? response.gzipped() : response
        }
        return router
    }

    private static func health(_ reasons: [String]) -> ServerResponse {
        let body = JSONWriter.bytes { json in
            json.object { json in
                json.member("status", reasons.isEmpty ? "ok" : "not ready")
                json.list("reasons", reasons) { $0.value($1) }
            }
        }
        return ServerResponse(
            status: reasons.isEmpty ? 200 : 503,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: .bytes(body))
    }
}

extension PointGuide {
    static let gazetteer = PointGuide(
        otherTowns: { Gazetteer.shared.otherTowns(of: $0) }, isAbroad: { CountryMap.shared.isAbroad($0, from: $1) })
}
