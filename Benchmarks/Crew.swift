import Cluster
import Foundation
import HTTP
import Operations
import Postgres
import Queue

/// Worker processes: this very program, started again as `Benchmarks worker CALLS`, in which a call does nothing.
struct BenchCrew {
    let workers: [ChildProcess]

    /// Starts `count` of them and waits until all are registered. `onLine` hears what they write.
    static func start(
        _ count: Int, callsAtOnce: Int, in scratch: Scratch, reporting: Bool = false, isMeasured: Bool = true,
        onLine: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> BenchCrew {
        var environment = ProcessEnvironment.current
        environment["DATABASE_URL"] = scratch.url
        let workers = try (0..<count).map { _ in
            try ChildProcess(
                "/proc/self/exe",
                ["worker", "\(callsAtOnce)"] + (reporting ? ["report"] : []) + (isMeasured ? [] : ["bare"]),
                environment: environment, input: .lifeline, output: .lines(onLine))
        }
        while try await scratch.number("SELECT count(*) AS number FROM workers") < count {
            try await Task.sleep(for: .milliseconds(20))
        }
        // They listen a moment after they are registered.
        try await Task.sleep(for: .milliseconds(300))
        return BenchCrew(workers: workers)
    }

    /// Seconds that they have used, their start included.
    var cpuTime: Double { workers.map { Benchmarks.cpuTime(of: $0.pid) }.reduce(0, +) }

    func stop() async {
        for worker in workers { worker.closeLifeline() }
        for worker in workers { _ = await worker.exit() }
    }

    /// What such a process does.
    static func work(_ arguments: [String]) async throws {
        guard let callsAtOnce = arguments.first.flatMap(Int.init) else { exit(2) }
        let database = Database(url: Scratch.serverURL, options: .init(size: 4))
        let log = Log(level: .warning)
        let worker = Worker(
            name: "bench-\(getpid())", database: database,
            works: [NothingToDo(isReporting: arguments.contains("report"))], registry: ProcessRegistry(),
            callsAtOnce: callsAtOnce, log: log,
            instruments: arguments.contains("bare") ? nil : WorkerInstruments(Metrics()))
        try await ServiceGroup([worker, Lifeline()], log: log).run()
    }
}

/// Calls that take no time: what remains is the queue's own cost.
struct NothingToDo: LaneWork {
    let lane = Scratch.lane
    /// Writes down when each call begins.
    let isReporting: Bool

    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Int] {
        Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.subjects[0]) })
    }

    func call(_ subject: Int, _ departure: Departure) async -> Reply<Void> {
        guard departure.leave() else { return Reply(.void) }
        if isReporting {
            var line = "\(subject) \(monotonicNanoseconds())\n"
            line.withUTF8 { bytes in _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
        }
        return Reply(.done())
    }

    func store(_ ends: [JobEnd<Void>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) throws
    {}
}

/// The same clock in every process of a machine.
func monotonicNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
