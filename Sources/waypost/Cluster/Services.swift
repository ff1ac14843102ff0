import Cluster
import HTTP
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
                + PointSetStore().lanes(on: db) { GeocodingWork($0, mending: TownMender(), metrics: metrics) }
        }
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
