package import Contacts
package import Operations
package import Postgres
package import Queue

/// Keeps the cluster healthy: frees the jobs of workers that went silent, and picks up addresses that
/// other programs wrote.
///
/// All it does may be done twice, so any number of coordinators may run.
package struct Coordinator: Service {
    package let name: String

    let database: Database
    let intake: Intake
    let registry: ProcessRegistry
    let host: ProcessIdentity
    let interval: Duration
    let log: Log

    package init(
        name: String, database: Database, intake: Intake, registry: ProcessRegistry,
        host: ProcessIdentity = .current, interval: Duration = .seconds(1), log: Log
    ) {
        self.name = name
        self.database = database
        self.intake = intake
        self.registry = registry
        self.host = host
        self.interval = interval
        self.log = log
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let membership = try await Membership.join(
            as: .coordinator, name: name, host: host, registry: registry, database: database, log: log)
        log.info("started")
        ready()
        await withTaskGroup { group in
            group.addTask { try? await membership.keepAlive() }
            group.addTask { await roundAfterRound() }
        }
        await membership.leave()
        log.info("stopped")
    }

    private func roundAfterRound() async {
        var patientUntil = ContinuousClock.now
        repeat {
            do { try await round(rescuing: .now >= patientUntil) } catch is CancellationError { return } catch {
                // The next round comes by itself. While the database was away nobody's heart could beat:
                // everyone gets the time to be heard of before anyone is taken for dead.
                log.warning("a round failed", ["error": "\(error)"])
                patientUntil = .now + registry.silenceLimit
            }
        } while (try? await Task.sleep(for: interval * Double.random(in: 0.9...1.1))) != nil
    }

    /// Everything there is to do, once.
    package func round(rescuing: Bool = true) async throws {
        let freed = rescuing ? try await database.transaction { [registry] in try registry.rescue(on: $0).freed } : 0
        if freed > 0 { log.warning("freed jobs of workers that went silent", ["jobs": freed]) }
        let sweep = 5_000
        let hashed = try await repeated { [intake] in try intake.hashForeignAddresses(sweep, on: $0) }
        if hashed > 0 { log.info("hashed addresses of another program", ["addresses": hashed]) }
        let queued = try await repeated { [intake] in try intake.enqueueWaiting(sweep, on: $0) }
        if queued > 0 { log.info("queued waiting addresses", ["addresses": queued]) }
    }

    /// Repeats a bounded step until it finds nothing more, so that no transaction grows long.
    private func repeated(_ step: @escaping @Sendable (isolated Connection) throws -> Int) async throws -> Int {
        var total = 0
        while true {
            let count = try await database.run(step)
            total += count
            if count == 0 { return total }
            try Task.checkCancellation()
        }
    }
}
