import Cluster
import HTTP
import Locations
import Operations
import Postgres
import Sinks
import Terminal
import Towns

extension Application {
    func worker(named name: String?) -> Worker {
        let me = ProcessIdentity.current
        return Worker(
            name: name ?? settings.workerName ?? "\(me.host)-\(me.pid)", database: database,
            works: providers.map { GeocodingWork($0, mending: TownMender()) }, sinks: sinkAccess, registry: registry,
            callsAtOnce: settings.callsAtOnce, log: log)
    }

    private var sinkAccess: SinkAccess {
        SinkAccess(keys: { try sealingKeys() }) { [options = settings.providers.clientOptions] sink, secret in
            try SinkDescription(kind: sink.kind, settings: sink.settings, secret: secret).makeSink(options)
        }
    }

    func coordinator() -> Coordinator {
        let me = ProcessIdentity.current
        return Coordinator(
            name: "\(me.host)-\(me.pid)", database: database, registry: registry,
            retention: settings.callsKept, locationRetention: settings.locationsKept,
            auditRetention: settings.auditLogKept, log: log)
    }

    /// Runs services until a signal comes, or until whoever started this process is gone.
    func run(_ services: [any Service]) async throws {
        let lifeline: [any Service] = settings.hasLifeline ? [Lifeline()] : []
        let group = ServiceGroup(lifeline + services, log: log, stopLimit: settings.stopLimit)
        // The log already has the reason.
        do {
            // Never the end of a worker or a coordinator.
            try await group.runUntilSignalled(hangUp: { [hangUps] in hangUps.tell() })
        } catch {
            throw ExitCode(error is UsageError ? 2 : 1)
        }
        await database.close()
        for case let provider as any HTTPCaller in providers { await provider.http.close() }
    }
}
