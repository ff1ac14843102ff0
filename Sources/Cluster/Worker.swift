package import Geocoding
package import Geocodes
package import Operations
package import Postgres
package import Queue

/// Claims jobs, asks a provider, records what it said.
///
/// When its task is cancelled it drains: it claims no more, finishes the calls that run, and gives
/// its place up.
package struct Worker: Service {
    package let name: String

    let database: Database
    let providers: [any GeocodingProvider]
    let queue: JobQueue
    let geocodes: GeocodeStore
    let registry: ProcessRegistry
    let host: ProcessIdentity
    let callsAtOnce: Int
    let log: Log

    /// `callsAtOnce` bounds the calls under way in each lane.
    package init(
        name: String, database: Database, providers: [any GeocodingProvider], queue: JobQueue,
        geocodes: GeocodeStore = GeocodeStore(), registry: ProcessRegistry, host: ProcessIdentity = .current,
        callsAtOnce: Int, log: Log
    ) {
        self.name = name
        self.database = database
        self.providers = providers
        self.queue = queue
        self.geocodes = geocodes
        self.registry = registry
        self.host = host
        self.callsAtOnce = callsAtOnce
        self.log = log.with(worker: name)
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let membership = try await Membership.join(
            as: .worker, name: name, host: host, registry: registry, database: database, log: log)
        log.info("started", ["lanes": providers.map(\.name).joined(separator: ",")])
        ready()
        await withTaskGroup { group in
            group.addTask { await membership.keepAlive() }
            for provider in providers {
                let lane = LaneLoop(worker: self, membership: membership, provider: provider)
                group.addTask { await lane.run() }
            }
        }
        await membership.leave()
        log.info("stopped")
    }
}
