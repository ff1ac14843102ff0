import Cluster
import Contacts
import Foundation
import Glibc
import HTTP
import Hosting
import Operations
import Postgres
import Queue
import Schema

/// One run: a private PostgreSQL, a recorder, a coordinator, workers, and somebody who disturbs them.
struct Trial {
    static let registry = ProcessRegistry(silenceLimit: .seconds(3))

    private var workers = 4
    private var seconds = 20.0
    private var isCalm = false
    private var rate: Double?
    private var seed = UInt64.random(in: 1...999_999)

    init(_ arguments: inout [String]) throws {
        while let argument = arguments.first {
            arguments.removeFirst()
            func number<Number: LosslessStringConvertible & Comparable>(from least: Number) throws -> Number {
                guard let value = arguments.first.flatMap({ Number($0) }), value >= least else {
                    throw ChaosError("\(argument) takes a number from \(least) on")
                }
                arguments.removeFirst()
                return value
            }
            switch argument {
            case "--calm": isCalm = true
            case "--workers": workers = try number(from: 1)
            case "--seconds": seconds = try number(from: 3)
            case "--seed": seed = try number(from: 0)
            case "--rate": rate = try number(from: 1)
            default:
                throw ChaosError(
                    "what is \(argument)? There are --workers N, --seconds N, --seed N, --rate N and --calm")
            }
        }
    }

    func run() async throws -> Bool {
        let server = try await PrivateServer.start(in: "/tmp/waypost-chaos-\(getpid())", .temporary)
        let database = Database(url: server.url, options: .init(size: 8))
        try await database.migrate(Schema.migrations)
        try await prepare(database)
        let recording = "/tmp/waypost-chaos-\(getpid()).calls"
        defer { unlink(recording) }
        let recorder = try ChildProcess(
            Self.program, ["recorder", "\(seed)", "\(seconds)", "\(isCalm)"], output: .file(recording))
        let port = try await waitForPort(recording)

        let coordinator = Coordinator(
            name: "coordinator", database: database,
            registry: Self.registry, log: Log(level: .error))
        let leading = Task { try await coordinator.run {} }
        var course = Course()
        let crew = (1...workers).map { number in
            Task { await keepRunning(number, url: server.url, port: port) }
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
        try await end(port)
        _ = await recorder.exit()
        print(
            "\(workers) workers, \(Int(seconds)) s,",
            isCalm ? "undisturbed" : "killed, stopped and restarted, at a provider with faults; --seed \(seed)")
        let isGood = try await judge(recording, course, database)
        await database.close()
        await server.stop()
        return isGood
    }

    private var lanes: [Lane] { Lane.all(orOnly: rate) }

    private static var program: String { CommandLine.arguments[0] }

    /// Lanes, limits, and more jobs than the limits permit in the time.
    private func prepare(_ database: Database) async throws {
        _ = try await database.transaction { try $0.query("SELECT keep_call_partitions(1, '7 days')").count }
        for lane in lanes {
            let most = lane.limits.map { $0.capacity + $0.rate * (seconds + 10) }.min() ?? 0
            try await database.transaction { db throws in
                // Faults of the provider make no lane rest: it would not be at its limits.
                try db.query(
                    """
                    INSERT INTO lanes (name, grace, breaker_after, most_failures, first_retry, longest_retry)
                    VALUES (\(lane.name), \(Duration.milliseconds(lane.grace))::interval, 30000, 30000,
                            '1 millisecond', '10 milliseconds')
                    """)
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

    /// Has the recorder write down what it saw, and end.
    private func end(_ port: UInt16) async throws {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost/chaos"))
        guard let url = HTTPURL("http://127.0.0.1:\(port)/end") else { throw ChaosError("no port: \(port)") }
        // It hangs up.
        _ = try? await client.send(HTTPRequest(.get, url))
        await client.close()
    }

    // MARK: The run

    /// Changes limits and pauses at their times.
    private func steer(_ database: Database, _ course: inout Course) async throws {
        let begin = ContinuousClock.now
        func wait(for share: Double) async throws { try await Task.sleep(until: begin + .seconds(seconds * share)) }
        guard rate == nil else { return try await wait(for: 1) }
        try await wait(for: 1 / 3)
        try await database.transaction { _ = try JobQueue().pause("paused", on: $0) }
        course.pausedFrom = wallTime()
        try await wait(for: 1 / 2)
        for lane in lanes {
            guard let limits = lane.laterLimits else { continue }
            let later = limits.compactMap(\.rateLimit)
            try await database.transaction { try JobQueue().setLimits(later, of: lane.name, on: $0) }
        }
        course.slowed = wallTime()
        try await wait(for: 2 / 3)
        course.pausedUntil = wallTime()
        try await database.transaction { _ = try JobQueue().resume("paused", on: $0) }
        try await wait(for: 1)
    }

    /// Keeps one worker process running until the task is cancelled, and disturbs it unless the trial is calm.
    private func keepRunning(_ number: Int, url: String, port: UInt16) async {
        var disturber = Disturber(random: SeededGenerator(seed, stream: UInt64(number)))
        while !Task.isCancelled {
            guard
                let child = try? ChildProcess(
                    Self.program, ["worker", url, "\(port)", "worker-\(number)"] + (rate.map { ["\($0)"] } ?? []),
                    input: .lifeline)
            else { return }
            if isCalm {
                try? await Task.sleep(for: .seconds(3_600))
            } else {
                await disturber.disturb(child)
            }
            if Task.isCancelled {
                child.send(SIGCONT)
                child.send(SIGTERM)
            }
            _ = await child.exit()
        }
    }

    // MARK: The verdict

    private func judge(_ recording: String, _ course: Course, _ database: Database) async throws -> Bool {
        var calls: [String: [RecordedCall]] = [:]
        for line in try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").dropFirst() {
            guard let call = RecordedCall(line: line) else { throw ChaosError("the recorder wrote \"\(line)\"") }
            calls[call.lane, default: []].append(call)
        }
        var isGood = true
        for lane in lanes {
            let log = try await database.run { try CallLog(of: lane.name, on: $0) }
            let verdict = Verdict(lane, (calls[lane.name] ?? []).sorted { $0.at < $1.at }, log, course, isCalm: isCalm)
            verdict.write()
            isGood = isGood && verdict.faults.isEmpty
        }
        return isGood
    }
}

/// When lanes were changed, in seconds since 1970.
struct Course {
    var slowed = 0.0
    var pausedFrom = 0.0
    var pausedUntil = 0.0
}
