package import Locations
import Operations
import Postgres
package import Sinks

/// What a worker needs to upload to sinks.
package struct SinkAccess: Sendable {
    let keys: @Sendable () throws -> SealingKeys?
    let makeSink: @Sendable (StoredSink, _ secret: String?) throws -> any LocationSink

    /// `keys` open sealed secrets and tokens; nil where there are none. They are read for each sink, for they may be made
    /// together with the first one.
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

/// A secret is there, and no key that opens it.
struct NoSealingKey: Error, CustomStringConvertible {
    let description =
        "WAYPOST_SEALING_KEYS is not set, and the secrets of sinks are sealed; set it to the key of the cluster"
}

/// The lanes of sinks in one worker. Sinks come, change and go while it runs.
final class SinkLanes: Sendable {
    private let access: SinkAccess
    private let worker: Worker
    private let membership: Membership
    private let looks: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let running = Locked<[String: Running]>([:])
    /// Of sinks that have changed or are gone: what they have in hand is still carried out.
    private let leaving = Locked<[Running]>([])
    /// What could not be made, by lane and version: it is tried again now and then, and told once.
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

    /// Sinks may have changed.
    func look() { signal.yield() }

    /// Ends at once. The jobs in hand are freed when the silence limit ends.
    func abandon() {
        signal.finish()
        for loop in loops { loop.abandon() }
    }

    /// Works in the lanes of the sinks that there are, until the task is cancelled; then waits for the calls that run.
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

    /// Two loops of one lane would take each other's jobs for lost ones: the new one waits for the old.
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
