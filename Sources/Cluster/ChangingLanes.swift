import Postgres
import Processes
import Questions
import Queue

/// The lanes of one worker that are added, changed and removed while it runs.
final class ChangingLanes: Sendable {
    private let readLanes: @Sendable (isolated Connection) throws -> [ChangingLane]
    private let worker: Worker
    private let membership: Membership
    private let looks: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let running = Locked<[String: Running]>([:])
    /// Loops of lanes that were changed or removed: their jobs in hand are still finished.
    private let leaving = Locked<[Running]>([])
    /// Lanes whose work could not be made, by lane and version: each is tried again now and then, but logged only once.
    private let failed = Locked<Set<String>>([])

    private struct Running: Sendable {
        let version: String
        let loop: LaneLoop
        let task: Task<Void, Never>
    }

    init(
        _ readLanes: @escaping @Sendable (isolated Connection) throws -> [ChangingLane], of worker: Worker,
        membership: Membership
    ) {
        self.readLanes = readLanes
        self.worker = worker
        self.membership = membership
        (looks, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var loops: [LaneLoop] { all.map(\.loop) }

    private var all: [Running] { running.withLock { Array($0.values) } + leaving.withLock { $0 } }

    /// Reads the lanes again, because they may have changed.
    func look() { signal.yield() }

    /// Ends at once. The jobs in hand are freed after the silence limit.
    func abandon() {
        signal.finish()
        for loop in loops { loop.send(.abandon) }
    }

    /// Works in the lanes that exist until the task is cancelled. Then waits for the running calls.
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
        guard let lanes = try? await membership.run(readLanes) else { return }
        let current = running.withLock { $0 }
        for (name, old) in current where !lanes.contains(where: { $0.name == name && $0.version == old.version }) {
            old.task.cancel()
            leaving.withLock { $0.append(old) }
            Task { [leaving] in
                await old.task.value
                leaving.withLock { $0.removeAll { $0.loop === old.loop } }
            }
        }
        var next: [String: Running] = [:]
        for lane in lanes {
            if let same = current[lane.name], same.version == lane.version {
                next[lane.name] = same
            } else {
                next[lane.name] = begin(lane, after: current[lane.name]?.task)
            }
        }
        running.withLock { $0 = next }
        await membership.serve(worker.works.map(\.lane) + next.keys.sorted())
    }

    /// Starts a loop, after the old one has ended: two loops of one lane would treat each other's jobs as lost.
    private func begin(_ lane: ChangingLane, after old: Task<Void, Never>?) -> Running? {
        do {
            let loop = LaneLoop(try lane.makeWork(worker.database), of: worker, membership: membership)
            let task = Task {
                await old?.value
                if !Task.isCancelled { await loop.run() }
            }
            return Running(version: lane.version, loop: loop, task: task)
        } catch {
            if failed.withLock({ $0.insert("\(lane.name) \(lane.version)").inserted }) {
                worker.log.with(lane: lane.name).error("can't work in this lane", ["error": "\(error)"])
            }
            return nil
        }
    }
}
