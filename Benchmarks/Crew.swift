import Cluster
import Foundation
import HTTP
import Postgres
import Processes
import Questions
import Queue

/// Worker processes: this program, started again as `Benchmarks worker CALLS`. Their calls do nothing.
struct BenchCrew {
    let workers: [ChildProcess]

    /// Starts `count` workers and waits until all are registered. `onLine` gets their output lines.
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
        // A worker listens shortly after its registration.
        try await Task.sleep(for: .milliseconds(300))
        return BenchCrew(workers: workers)
    }

    /// CPU seconds used by the workers, including their start.
    var cpuTime: Double { workers.map { Benchmarks.cpuTime(of: $0.pid) }.reduce(0, +) }

    func stop() async {
        for worker in workers { worker.closeLifeline() }
        for worker in workers { _ = await worker.exit() }
    }

    /// The main function of a worker process.
    static func work(_ arguments: [String]) async throws {
        guard let callsAtOnce = arguments.first.flatMap(Int.init) else { exit(2) }
        var options = Database.Options(size: 4)
        // As in `waypost worker`.
        options.openingDelay = .milliseconds(100)
        let database = Database(url: Scratch.serverURL, options: options)
        let log = Log(level: .warning)
        let worker = Worker(
            name: "bench-\(getpid())", database: database,
            works: [NothingToDo(isReporting: arguments.contains("report"))], registry: ProcessRegistry(),
            callsAtOnce: callsAtOnce, log: log,
            instruments: arguments.contains("bare") ? nil : WorkerInstruments(Metrics()))
        try await ServiceGroup([worker, Lifeline()], log: log).run()
    }
}

/// Calls that take no time, so that only the queue's own cost is measured.
struct NothingToDo: LaneWork {
    let lane = Scratch.lane
    /// Prints the start of each call.
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

/// All processes of a machine share this clock.
func monotonicNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
