import Cluster
import Contacts
import Foundation
import Glibc
import Hosting
import Operations
import Postgres
import Queue
import Schema

/// One run: a private PostgreSQL, a recorder, a coordinator, workers, and somebody who disturbs them.
struct Trial {
    static let registry = ProcessRegistry(silenceLimit: .seconds(3))

    /// Calls may take so long to arrive.
    private static let slack = 0.005

    private var workers = 4
    private var seconds = 20.0
    private var isCalm = false

    init(_ arguments: inout [String]) throws {
        while let argument = arguments.first {
            arguments.removeFirst()
            switch argument {
            case "--calm": isCalm = true
            case "--workers":
                guard let number = arguments.first.flatMap({ Int($0) }), number > 0 else {
                    throw ChaosError("--workers takes a number")
                }
                workers = number
                arguments.removeFirst()
            case "--seconds":
                guard let number = arguments.first.flatMap({ Double($0) }), number >= 3 else {
                    throw ChaosError("--seconds takes a number from 3 on")
                }
                seconds = number
                arguments.removeFirst()
            default: throw ChaosError("what is \(argument)? There are --workers N, --seconds N and --calm")
            }
        }
    }

    /// What became of the lanes: when they were changed, on the recorder's clock.
    private struct Course {
        var began = 0.0
        var slowed = 0.0
        var pausedFrom = 0.0
        var pausedUntil = 0.0
        var ended = 0.0
    }

    func run() async throws -> Bool {
        let server = try await PrivateServer.start(in: "/tmp/waypost-chaos-\(getpid())", .temporary)
        let database = Database(url: server.url, options: .init(size: 8))
        try await database.migrate(Schema.migrations)
        try await prepare(database)
        let recording = "/tmp/waypost-chaos-\(getpid()).calls"
        defer { unlink(recording) }
        let recorder = try ChildProcess(Self.program, ["recorder"], output: .file(recording))
        let port = try await waitForPort(recording)

        let coordinator = Coordinator(
            name: "coordinator", database: database, intake: Intake(queue: JobQueue()),
            registry: Self.registry, log: Log(level: .error))
        let leading = Task { try await coordinator.run {} }
        var course = Course(began: now())
        let crew = (1...workers).map { number in
            Task { await keepRunning("worker-\(number)", url: server.url, port: port) }
        }
        try await steer(database, &course)
        for member in crew { member.cancel() }
        for member in crew { await member.value }
        // Who was killed is rescued, and what they may have called is written down.
        try await database.run { db throws in
            try db.query("UPDATE workers SET seen_at = '-infinity'")
            try Self.registry.rescue(on: db)
        }
        leading.cancel()
        try await leading.value
        try RecorderLine(port: port).call("end")
        _ = await recorder.exit()
        let isGood = try await judge(recording, course, database)
        await database.close()
        await server.stop()
        return isGood
    }

    private static var program: String { CommandLine.arguments[0] }

    /// Lanes, limits, and more jobs than the limits permit in the time.
    private func prepare(_ database: Database) async throws {
        for lane in Lane.all {
            let most = lane.limits.map { $0.capacity + $0.rate * (seconds + 10) }.min() ?? 0
            try await database.transaction { db throws in
                // A machine on which eight workers share two cores needs a longer grace than the default.
                try db.query("INSERT INTO lanes (name, grace) VALUES (\(lane.name), '40 milliseconds')")
                try JobQueue().setLimits(lane.limits.compactMap(\.rateLimit), of: lane.name, on: db)
                // As if the lane had rested: the trial begins with whole bursts.
                try db.query("UPDATE token_buckets SET full_at = now()")
                _ = try JobQueue().enqueue(Array(1...Int(most)), in: lane.name, on: db)
            }
        }
    }

    private func waitForPort(_ file: String) async throws -> UInt16 {
        for _ in 1...500 {
            let line = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").first
            if let port = line.flatMap({ UInt16($0) }) { return port }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ChaosError("the recorder did not start")
    }

    // MARK: The run

    /// Changes limits and pauses at their times.
    private func steer(_ database: Database, _ course: inout Course) async throws {
        let begin = ContinuousClock.now
        func wait(for share: Double) async throws { try await Task.sleep(until: begin + .seconds(seconds * share)) }
        try await wait(for: 1 / 3)
        try await database.transaction { _ = try JobQueue().pause("paused", on: $0) }
        course.pausedFrom = now()
        try await wait(for: 1 / 2)
        for lane in Lane.all {
            guard let limits = lane.laterLimits else { continue }
            let later = limits.compactMap(\.rateLimit)
            try await database.transaction { try JobQueue().setLimits(later, of: lane.name, on: $0) }
        }
        course.slowed = now()
        try await wait(for: 2 / 3)
        course.pausedUntil = now()
        try await database.transaction { _ = try JobQueue().resume("paused", on: $0) }
        try await wait(for: 1)
        course.ended = now()
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Keeps one worker process running until the task is cancelled, and disturbs it unless the trial is calm.
    private func keepRunning(_ name: String, url: String, port: UInt16) async {
        while !Task.isCancelled {
            guard let child = try? ChildProcess(Self.program, ["worker", url, "\(port)", name], input: .lifeline) else {
                return
            }
            if isCalm {
                try? await Task.sleep(for: .seconds(3_600))
            } else {
                await disturb(child)
            }
            if Task.isCancelled {
                child.send(SIGCONT)
                child.send(SIGTERM)
            }
            _ = await child.exit()
        }
    }

    private func disturb(_ child: ChildProcess) async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: .seconds(Double.random(in: 1...6)))) != nil else { return }
            switch Int.random(in: 1...4) {
            case 1: return child.send(SIGKILL)
            case 2: return child.send(SIGTERM)
            default:
                child.send(SIGSTOP)
                try? await Task.sleep(for: .seconds(5))
                child.send(SIGCONT)
            }
        }
    }

    // MARK: The verdict

    private func judge(_ recording: String, _ course: Course, _ database: Database) async throws -> Bool {
        var calls: [String: [Double]] = [:]
        for line in try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            guard words.count >= 3, let at = words.last.flatMap({ Int($0) }) else {
                throw ChaosError("the recorder wrote \"\(line)\"")
            }
            calls[words.dropLast(2).joined(separator: " "), default: []].append(Double(at) / 1e9)
        }
        var isGood = true
        print("\(workers) workers, \(Int(seconds)) s, \(isCalm ? "undisturbed" : "killed, stopped and restarted")")
        for lane in Lane.all {
            let seen = (calls[lane.name] ?? []).sorted()
            let logged = try await database.run { db throws in
                try db.query(
                    """
                    SELECT (SELECT count(*) FROM calls WHERE lane = lanes.id) AS calls,
                           (SELECT sum(voided) FROM throughput WHERE lane = lanes.id) AS voided
                    FROM lanes WHERE name = \(lane.name)
                    """)[0]
            }
            let counts = Counts(calls: try logged.read("calls"), voided: try logged.readIfPresent("voided") ?? 0)
            isGood = report(lane, seen, counts, course) && isGood
        }
        return isGood
    }

    /// What the database says about a lane.
    private struct Counts {
        let calls: Int
        let voided: Int
    }

    private func report(_ lane: Lane, _ seen: [Double], _ logged: Counts, _ course: Course) -> Bool {
        guard let first = seen.first, let last = seen.last else {
            print("  \(lane.name): no call at all")
            return false
        }
        // Slots that were promised before a change are handed back when the workers hear of it: 250 ms, generously.
        let spans: [([Limit], [Double])] =
            if let later = lane.laterLimits {
                [(lane.limits, seen.filter { $0 < course.slowed }), (later, seen.filter { $0 > course.slowed + 0.25 })]
            } else {
                [(lane.limits, seen)]
            }
        let excess =
            spans.flatMap { limits, calls in limits.map { $0.excess(of: calls, slack: Self.slack) } }.max() ?? 0
        let used = lane.limits.map { $0.used(seen.count, seconds: last - first) }.max() ?? 0
        let whilePaused =
            lane.isPaused ? seen.count { $0 > course.pausedFrom + 0.25 && $0 < course.pausedUntil } : 0
        var faults: [String] = []
        if excess > 0 { faults.append("TOO MANY") }
        if whilePaused > 0 { faults.append("\(whilePaused) CALLS WHILE PAUSED") }
        if logged.calls < seen.count { faults.append("\(seen.count - logged.calls) CALLS NOT IN THE LOG") }
        if isCalm, lane.isSteady, used < 0.99 { faults.append("TOO FEW") }
        print(
            "  \(lane.name): \(seen.count) calls, \(logged.calls) logged, \(logged.voided) void; the fullest window held",
            String(format: "%.2f", -excess), "fewer than permitted;",
            lane.isSteady ? String(format: "%.1f %% used", used * 100) : "",
            faults.isEmpty ? "" : "← " + faults.joined(separator: ", "))
        return faults.isEmpty
    }
}
