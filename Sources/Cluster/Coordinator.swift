import Contacts
import Locations
package import Postgres
package import Processes
import Questions
package import Queue

/// Keeps the cluster healthy: frees the jobs of silent workers, hashes and queues addresses that other programs wrote,
/// and deletes old rows.
///
/// Any number of coordinators may run. One leads and acts; the others stand by, and only try to take the lead.
package struct Coordinator: Service {
    package let name: String

    let database: Database
    let queue = JobQueue()
    let questions = QuestionQueue()
    let addresses = AddressSweep()
    let contacts = ContactStore()
    let trackers = TrackerStore()
    let registry: ProcessRegistry
    let leadership = Leadership()
    let host: ProcessIdentity
    let retention: Duration
    let locationRetention: Duration
    let auditRetention: Duration
    let interval: Duration
    let log: Log
    let instruments: CoordinatorInstruments?
    /// The state of this coordinator while it runs.
    package let vitals = ProcessVitals()

    /// Calls are kept for `retention`, uploaded locations for `locationRetention`, and people's acts for
    /// `auditRetention`. Rounds start about `interval` apart.
    package init(
        name: String, database: Database, registry: ProcessRegistry, host: ProcessIdentity = .current,
        retention: Duration = .seconds(7 * 86_400), locationRetention: Duration = .seconds(30 * 86_400),
        auditRetention: Duration = AuditLog.usualRetention, interval: Duration = .seconds(1), log: Log,
        instruments: CoordinatorInstruments? = nil
    ) {
        self.name = name
        self.database = database
        self.registry = registry
        self.host = host
        self.retention = retention
        self.locationRetention = locationRetention
        self.auditRetention = auditRetention
        self.interval = interval
        self.log = log
        self.instruments = instruments
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let membership = try await Membership.join(
            as: .coordinator, name: name, host: host, registry: registry, database: database, log: log)
        vitals.begin(membership)
        log.info("started", ["connections_at_most": ConnectionNeeds.process(work: database.size)])
        ready()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await membership.keepAlive(outageLimit: nil) }
            group.addTask { await roundAfterRound(membership) }
            // One is useless without the other.
            defer { group.cancelAll() }
            try await group.next()
        }
        await membership.leave()
        log.info("stopped")
    }

    private func roundAfterRound(_ membership: Membership) async {
        var duty = CoordinatorDuty(clock: membership.clock, knowsClock: membership.knowsClock)
        var leadsUntil = ContinuousClock.now
        repeat {
            do {
                var isMore = true
                while isMore {
                    let began = ContinuousClock.now
                    isMore = try await round(duty: &duty, as: membership.id, at: began)
                    instruments?.round(took: began.duration(to: .now), leads: duty.term != nil)
                    leadsUntil = began + registry.silenceLimit
                }
            } catch is CancellationError { break } catch {
                if leadsUntil <= .now { instruments?.standBy() }
                // The next round comes by itself, and continues the work of this one.
                log.warning("a round failed", ["error": "\(error)"])
            }
        } while (try? await Task.sleep(for: interval * Double.random(in: 0.9...1.1))) != nil
        await resign(duty)
    }

    /// Gives up the lead on a clean stop.
    private func resign(_ duty: CoordinatorDuty) async {
        guard let term = duty.term else { return }
        do {
            try await database.sayLast(within: registry.farewellLimit) { [leadership] in
                try leadership.resign(term, on: $0)
            }
        } catch {
            // The lead ends by itself a little later.
            log.warning("can't hand over the lead", ["error": "\(error)"])
        }
    }
}
