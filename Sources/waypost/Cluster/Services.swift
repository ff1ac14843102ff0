import Cluster
import HTTP
import Operations
import Postgres
import Terminal
import Towns

extension Application {
    func worker(named name: String?) -> Worker {
        let me = ProcessIdentity.current
        return Worker(
            name: name ?? settings.workerName ?? "\(me.host)-\(me.pid)", database: database,
            works: providers.map { GeocodingWork($0, mending: TownMender()) }, registry: registry,
            callsAtOnce: settings.callsAtOnce, log: log)
    }

    func coordinator() -> Coordinator {
        let me = ProcessIdentity.current
        return Coordinator(
            name: "\(me.host)-\(me.pid)", database: database, registry: registry,
            retention: settings.callsKept, locationRetention: settings.locationsKept, log: log)
    }

    /// Runs services until a signal comes, or until whoever started this process is gone.
    func run(_ services: [any Service]) async throws {
        let lifeline: [any Service] = settings.hasLifeline ? [Lifeline()] : []
        let group = ServiceGroup(lifeline + services, log: log, stopLimit: settings.stopLimit)
        // The log already has the reason.
        do { try await group.runUntilSignalled() } catch { throw ExitCode(error is UsageError ? 2 : 1) }
        await database.close()
        for case let provider as any HTTPCaller in providers { await provider.http.close() }
    }
}
