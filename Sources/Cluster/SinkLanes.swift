package import Locations
import Operations
import Postgres
import Queue
package import Sinks

/// Everything that a worker needs to upload to sinks.
package struct SinkAccess: Sendable {
    let keys: @Sendable () throws -> SealingKeys?
    let makeSink: @Sendable (StoredSink, _ secret: String?) throws -> any LocationSink

    /// `keys` open sealed secrets and tokens; nil if there are none. They are read for each sink, because they may be
    /// created together with the first sink.
    package init(
        keys: @escaping @Sendable () throws -> SealingKeys? = { nil },
        makeSink: @escaping @Sendable (StoredSink, _ secret: String?) throws -> any LocationSink
    ) {
        self.keys = keys
        self.makeSink = makeSink
    }

    func work(for sink: StoredSink, database: Database) throws -> any LaneWork {
        let keys = try keys()
        let secret = try sink.sealed.map { sealed in
            guard let keys else { throw NoSealingKey() }
            return try keys.open(sealed, for: sink.context)
        }
        let made = try makeSink(sink, secret)
        guard sink.about == .places else {
            return UploadWork(lane: sink.lane, sink: made, keys: keys, database: database)
        }
        guard let webhook = made as? WebhookSink else { preconditionFailure("only a webhook is about places") }
        return PlaceNewsWork(lane: sink.lane, webhook: webhook)
    }
}

/// There is a secret, but no key that opens it.
struct NoSealingKey: Error, CustomStringConvertible {
    let description =
        "WAYPOST_SEALING_KEYS is not set, and the secrets of sinks are sealed; set it to the key of the cluster"
}

/// The lanes of sinks in one worker. Sinks are added, changed and removed while it runs.
final class SinkLanes: Sendable {
    private let access: SinkAccess
    private let worker: Worker
    private let membership: Membership
    private let looks: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let running = Locked<[String: Running]>([:])
    /// Loops of sinks that were changed or removed: their jobs in hand are still finished.
    private let leaving = Locked<[Running]>([])
    /// Sinks that could not be created, by lane and version: each is tried again now and then, but logged only once.
    private let failed = Locked<Set<String>>([])

    private struct Running: Sendable {
        let version: String
        let loop: LaneLoop
        let task: Task<Void, Never>
    }

    init(_ access: SinkAccess, of worker: Worker, membership: Membership) {
        self.access = access
        self.worker = worker
        self.membership = membership
        (looks, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var loops: [LaneLoop] { all.map(\.loop) }

    private var all: [Running] { running.withLock { Array($0.values) } + leaving.withLock { $0 } }

    /// Reads the sinks again, because they may have changed.
    func look() { signal.yield() }

    /// Ends at once. The jobs in hand are freed after the silence limit.
    func abandon() {
        signal.finish()
        for loop in loops { loop.abandon() }
    }

    /// Works in the lanes of the existing sinks until the task is cancelled. Then waits for the running calls.
    func run() async {
        // A notification may be missed.
        let ticks = Task { [signal] in
            while (try? await Task.sleep(for: .seconds(15))) != nil { signal.yield() }
        }
        signal.yield()
        for await _ in looks { await follow() }
        ticks.cancel()
        let tasks = all.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func follow() async {
        guard let sinks = try? await worker.database.run({ try SinkStore().sinks(on: $0) }) else { return }
        let current = running.withLock { $0 }
        for (lane, old) in current where !sinks.contains(where: { $0.lane == lane && $0.version == old.version }) {
            old.task.cancel()
            leaving.withLock { $0.append(old) }
            Task { [leaving] in
                await old.task.value
                leaving.withLock { $0.removeAll { $0.loop === old.loop } }
            }
        }
        var next: [String: Running] = [:]
        for sink in sinks {
            if let same = current[sink.lane], same.version == sink.version {
                next[sink.lane] = same
            } else {
                next[sink.lane] = begin(sink, after: current[sink.lane]?.task)
            }
        }
        running.withLock { $0 = next }
        await membership.serve(worker.works.map(\.lane) + next.keys.sorted())
    }

    /// Starts a loop, after the old one has ended: two loops of one lane would treat each other's jobs as lost.
    private func begin(_ sink: StoredSink, after old: Task<Void, Never>?) -> Running? {
        do {
            let loop = LaneLoop(
                try access.work(for: sink, database: worker.database), of: worker, membership: membership)
            let task = Task {
                await old?.value
                if !Task.isCancelled { await loop.run() }
            }
            return Running(version: sink.version, loop: loop, task: task)
        } catch {
            if failed.withLock({ $0.insert("\(sink.lane) \(sink.version)").inserted }) {
                worker.log.with(lane: sink.lane).error("can't upload to a sink", ["error": "\(error)"])
            }
            return nil
        }
    }
}
