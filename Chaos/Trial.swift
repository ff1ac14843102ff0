import Foundation
import Glibc
import HTTP
import Postgres
import Processes
import Queue
import Schema
import ServerTesting

/// One run: a private PostgreSQL, a recorder, two coordinators, workers, and faults in all of them.
struct Trial {
    static let registry = ProcessRegistry(silenceLimit: .seconds(3))
    /// The first argument of a trial in its own mount namespace.
    static let namespaceMark = "in-namespace"
    /// The longest permitted time, in seconds, from the end of an outage to the next calls, or until every process
    /// sends heartbeats in the end. A worker may just have been stopped for five seconds, and the provider may stall
    /// for six.
    static let longestReturn = 15.0

    private var workers = 4
    private var seconds = 20.0
    private var isCalm = false
    private var rate: Double?
    private var seed = UInt64.random(in: 1...999_999)
    /// The faults of the database.
    private var faults = ServerFault.allCases
    /// The length of the database's outages, in seconds.
    private let outages: ClosedRange<Double>
    private let chronicle: Chronicle
    private let isOver = Locked(false)
    private let isDark = Locked(false)
    /// The number of running workers and coordinators.
    private let running = Locked(0)
    /// The faults of processes. Short stops are more frequent.
    private var disturbances: [Disturbance] = [.kill, .end, .stop, .stutter, .stutter, .stutter, .namespace]
    /// Tells the processes which lines to log.
    static let logLevel = "CHAOS_LOG_LEVEL"
    /// The folder for the recorded data and the processes' logs; nil: none.
    private var keptFolder: String?

    init(_ arguments: inout [String]) throws {
        var longestOutage: Double?
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
            case "--keep":
                guard !arguments.isEmpty else { throw ChaosError("--keep takes a folder") }
                let folder = arguments.removeFirst()
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                keptFolder = folder
                setenv(Self.logLevel, "info", 1)
            case "--longest-outage": longestOutage = try number(from: 1)
            case "--disturb":
                disturbances = try Self.disturbances(arguments.isEmpty ? "" : arguments.removeFirst())
            case "--database":
                faults = try Self.faults(arguments.isEmpty ? "" : arguments.removeFirst())
            default:
                throw ChaosError(
                    "what is \(argument)? There are --workers N, --seconds N, --seed N, --rate N, --database FAULTS, "
                        + "--disturb WAYS, --longest-outage SECONDS, --keep FOLDER and --calm")
            }
        }
        outages = longestOutage.map { 1...$0 } ?? 0.2...min(60, seconds / 3)
        chronicle = Chronicle(longestOutage: outages.upperBound)
    }

    private static func faults(_ text: String) throws -> [ServerFault] {
        if text == "none" { return [] }
        let all = ServerFault.allCases.map(\.rawValue).joined(separator: ",")
        return try text.split(separator: ",").map { name in
            guard let fault = ServerFault(rawValue: String(name)) else {
                throw ChaosError("--database takes some of \(all), or none; not \"\(name)\"")
            }
            return fault
        }
    }

    private static func disturbances(_ text: String) throws -> [Disturbance] {
        if text == "none" { return [] }
        let all = Disturbance.allCases.map(\.rawValue).joined(separator: ",")
        return try text.split(separator: ",").map { name in
            guard let kind = Disturbance(rawValue: String(name)) else {
                throw ChaosError("--disturb takes some of \(all), or none; not \"\(name)\"")
            }
            return kind
        }
    }

    var fillsDisks: Bool { !isCalm && faults.contains(.disk) }

    /// Leaves out time namespaces if this process may not make them.
    mutating func leaveOutNamespacesIfImpossible() async {
        guard disturbances.contains(.namespace) else { return }
        let trial = try? await ChildProcess.output(of: "unshare", ["--time", "--boottime", "1", "true"])
        if trial?.exit.isSuccess == true { return }
        disturbances.removeAll { $0 == .namespace }
        print("No process has a time namespace of its own: that takes root and the program unshare.")
    }

    func run() async throws -> Bool {
        let clock = try await SettableClock()
        defer { clock.remove() }
        // Commits are durable, because the server may crash.
        let folder = "/tmp/waypost-chaos-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let disk = fillsDisks ? SmallDisk(at: folder) : nil
        defer { disk?.remove() }
        var faults = isCalm ? [] : faults
        if fillsDisks, disk == nil {
            faults.removeAll { $0 == .disk }
            print(
                "The disk is not filled: this process may not mount a file system. That takes root, in a container with",
                "CAP_SYS_ADMIN, and the program unshare. The same seed chooses other faults without it.")
        }
        let server = try await PrivateServer.start(in: folder, environment: clock.environment)
        let database = Database(url: server.url, options: .init(size: 8))
        try await database.migrate(Schema.scripts)
        let jobs = try await prepare(database)
        let recording = "/tmp/waypost-chaos-\(getpid()).calls"
        defer { unlink(recording) }
        let recorder = try ChildProcess(
            Self.program, ["recorder", "\(seed)", "\(seconds)", isCalm ? "0.05" : "faulty"], output: .file(recording))
        let port = try await waitForPort(recording)

        let ways = try distantWays(to: server.url)
        let near =
            faults.contains(where: \.takesProxy) ? try DistantServer(to: server.url, roundTrip: .zero) : nil
        let url = near?.url ?? server.url
        var course = Course()
        if !ways.isEmpty { course.settling = 0.75 }
        let crew =
            (1...2).map { number in
                Task {
                    await keepRunning(
                        "coordinator-\(number)", ["coordinator", url, "coordinator-\(number)"],
                        stream: 100 + number)
                }
            }
            + (1...workers).map { number in
                let url = ways[number]?.url ?? url
                let name = "worker-\(number)"
                let arguments = ["worker", url, "\(port)", name] + (rate.map { ["\($0)"] } ?? [])
                return Task { await keepRunning(name, arguments, stream: number) }
            }
        var disturber = ServerDisturber(
            server, in: folder, clock: clock, disk: disk, ways: ways.values + (near.map { [$0] } ?? []), faults,
            outages: outages, chronicle: chronicle, isDark: isDark, running: running,
            port: port, random: SeededGenerator(seed, stream: 200))
        let disturbing = Task { try await disturber.disturb() }
        try await steer(database, &course)
        disturbing.cancel()
        try await disturbing.value
        isOver.withLock { $0 = true }
        // The remaining processes notice the last fault.
        if !faults.isEmpty { try await Task.sleep(for: .seconds(3)) }
        let missing = try await waitForEverybody(database)
        let endedAt = wallTime()
        for member in crew { member.cancel() }
        for member in crew { await member.value }
        for way in ways.values { way.close() }
        near?.close()
        // Frees the jobs of killed workers and logs their possible calls as lost.
        try await database.run { db throws in
            try db.query("UPDATE workers SET seen_at = '-infinity'")
            try Self.registry.rescue(on: db)
        }
        try await end(port)
        _ = await recorder.exit()
        print("\(workers) workers, \(Int(seconds)) s,", isCalm ? "undisturbed" : chronicle.summary + "; --seed \(seed)")
        for event in chronicle.events(between: -.infinity, and: endedAt) where event.kind == .full {
            print(String(format: "  full for %.1f s:", event.to - event.from), event.what)
        }
        let distant = ways.keys.sorted().map { "worker-\($0)" }
        if !distant.isEmpty { print("  far from the database:", distant.joined(separator: ", ")) }
        if !missing.isEmpty { print("  NOT HEARD OF AGAIN:", missing.joined(separator: ", ")) }
        if let keptFolder { try await keep(recording, "\(folder)/log", in: keptFolder, database) }
        let isGood = try await judge(recording, course, jobs, until: endedAt, database)
        await database.close()
        await server.stop()
        return isGood && missing.isEmpty
    }

    /// Waits until each process has sent a heartbeat, now without faults. Returns the names of the missing ones.
    private func waitForEverybody(_ database: Database) async throws -> [String] {
        let everybody = ["coordinator-1", "coordinator-2"] + (1...workers).map { "worker-\($0)" }
        let deadline = ContinuousClock.now + .seconds(Self.longestReturn)
        while true {
            let heard = try await database.run { db throws in
                try db.query(
                    """
                    SELECT name FROM workers WHERE seen_at > now() - interval '2 seconds'
                    UNION SELECT name FROM coordinators WHERE seen_at > now() - interval '2 seconds'
                    """
                ).map { try $0.read("name", as: String.self) }
            }
            let missing = everybody.filter { !heard.contains($0) }
            if missing.isEmpty || .now > deadline { return missing }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// About every third worker is up to 200 ms away from the database, and loses one packet in a hundred.
    private func distantWays(to url: String) throws -> [Int: DistantServer] {
        guard !isCalm, !faults.isEmpty else { return [:] }
        var random = SeededGenerator(seed, stream: 300)
        var ways: [Int: DistantServer] = [:]
        for number in 1...workers where Int.random(in: 1...3, using: &random) == 1 {
            let roundTrip = Double.random(in: 5...200, using: &random)
            ways[number] = try DistantServer(to: url, roundTrip: .milliseconds(roundTrip), loss: 0.01)
        }
        return ways
    }

    private var lanes: [Lane] { Lane.all(orOnly: rate) }

    static var program: String { CommandLine.arguments[0] }

    /// Makes lanes, limits, and more jobs than the limits permit in the time. Returns the jobs of each lane.
    private func prepare(_ database: Database) async throws -> [String: [Job.ID]] {
        var jobs: [String: [Job.ID]] = [:]
        _ = try await database.transaction { try $0.query("SELECT keep_call_partitions(1, '7 days')").count }
        for lane in lanes {
            // A lane that is without limits for a moment gets its workers' full hands of calls.
            let most = ([lane.limits] + lane.changes).map { limits in
                limits.map { $0.capacity + $0.rate * (seconds + 10) }.min() ?? Double(50 * workers)
            }.reduce(0, +)
            jobs[lane.name] = try await database.transaction { db throws in
                // Faults of the provider must not block a lane, because then it would not reach its limits.
                try db.query(
                    """
                    INSERT INTO lanes (
                        name, grace, breaker_after, most_failures, first_retry, longest_retry, calls_per_worker)
                    VALUES (\(lane.name), \(Duration.milliseconds(lane.grace))::interval, 30000, 30000,
                            '1 millisecond', '10 milliseconds', \(lane.callsPerWorker)::integer)
                    """)
                try JobQueue().setLimits(lane.limits.compactMap(\.rateLimit), of: lane.name, on: db)
                // The trial begins with full bursts, as after a pause of the lanes.
                try db.query("UPDATE token_buckets SET full_at = now()")
                return try JobQueue().enqueue(Array(1...Int(most)), in: lane.name, on: db).map(\.id)
            }
        }
        return jobs
    }

    private func waitForPort(_ file: String) async throws -> UInt16 {
        for _ in 1...500 {
            let line = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").first
            if let port = line.flatMap({ UInt16($0) }) { return port }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ChaosError("the recorder did not start")
    }

    /// Makes the recorder write its data and end.
    private func end(_ port: UInt16) async throws {
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost/chaos"))
        guard let url = HTTPURL("http://127.0.0.1:\(port)/end") else { throw ChaosError("no port: \(port)") }
        // The recorder closes the connection without a reply.
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
        course.pausedFrom = try await change(database) { _ = try JobQueue().pause("paused", on: $0) }
        try await wait(for: 1 / 2)
        for lane in lanes {
            for limits in lane.changes {
                let (began, later) = (wallTime(), limits.compactMap(\.rateLimit))
                let done = try await change(database) { try JobQueue().setLimits(later, of: lane.name, on: $0) }
                course.limited[lane.name, default: []].append(began...done)
            }
        }
        try await wait(for: 2 / 3)
        course.pausedUntil = wallTime()
        _ = try await change(database) { _ = try JobQueue().resume("paused", on: $0) }
        try await wait(for: 1)
    }

    /// Makes a change as soon as the database permits, and returns the time from which it is surely in force. It may be
    /// in force since the change began.
    private func change(
        _ database: Database, _ body: @Sendable (isolated Connection) throws -> Void
    ) async throws -> Double {
        while true {
            do {
                try await database.transaction(body)
                return wallTime()
            } catch let error as DatabaseError
                where error.isConnectionLost || error.isWorthRetrying || error.isShortOfResources
            {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Keeps one process running until the task is cancelled, and disturbs it unless the trial is calm.
    private func keepRunning(_ name: String, _ arguments: [String], stream: Int) async {
        var disturber = Disturber(
            name: name, chronicle: chronicle, isOver: isOver, isDark: isDark, kinds: disturbances,
            random: SeededGenerator(seed, stream: UInt64(stream)))
        while !Task.isCancelled {
            if isDark.withLock({ $0 }) {
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            let (program, arguments) = disturber.command(Self.program, arguments)
            let kept = keptFolder.map { ChildProcess.Output.file("\($0)/\(name).log") }
            guard let child = try? ChildProcess(program, arguments, input: .lifeline, error: kept ?? .inherited) else {
                return
            }
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            if !isCalm { await disturber.disturb(child) }
            while isCalm || isOver.withLock({ $0 }), !Task.isCancelled, !child.hasEnded {
                try? await Task.sleep(for: .milliseconds(100))
            }
            if Task.isCancelled {
                child.send(SIGCONT)
                child.send(SIGTERM)
            }
            _ = await child.exit()
        }
    }

    // MARK: The verdict

    /// Stores the output of the recorder, the call log and the server, to analyse a failed trial.
    private func keep(_ recording: String, _ serverLog: String, in folder: String, _ database: Database) async throws {
        let files = FileManager.default
        for (file, name) in [(recording, "recorder"), (serverLog, "server")] {
            try? files.removeItem(atPath: "\(folder)/\(name)")
            try files.copyItem(atPath: file, toPath: "\(folder)/\(name)")
        }
        let events = chronicle.events(between: -.infinity, and: .infinity).map {
            String(format: "%.6f %.6f ", $0.from, $0.to) + "\($0.kind.rawValue): \($0.what)"
        }
        try events.joined(separator: "\n").write(toFile: "\(folder)/events", atomically: true, encoding: .utf8)
        let tables: [(name: String, query: SQL)] = [
            ("calls", "SELECT calls::text AS row FROM calls ORDER BY started_at"),
            ("clock-steps", "SELECT clock_steps::text AS row FROM clock_steps ORDER BY epoch"),
            ("lanes", "SELECT lanes::text AS row FROM lanes"), ("jobs", "SELECT jobs::text AS row FROM jobs"),
        ]
        for table in tables {
            let rows = try await database.run { db throws in
                try db.query(table.query).map { try $0.read("row", as: String.self) }
            }
            try rows.joined(separator: "\n").write(
                toFile: "\(folder)/\(table.name)", atomically: true, encoding: .utf8)
        }
    }

    private func judge(
        _ recording: String, _ course: Course, _ jobs: [String: [Job.ID]], until end: Double, _ database: Database
    ) async throws -> Bool {
        var (calls, copied) = ([String: [RecordedCall]](), Set<String>())
        for line in try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").dropFirst() {
            guard let call = RecordedCall(line: line) else { throw ChaosError("the recorder wrote \"\(line)\"") }
            if call.worker == ServerDisturber.worker {
                copied.insert(call.lane)
            } else {
                calls[call.lane, default: []].append(call)
            }
        }
        // At half time this lane loses its limits, and then a copy may call too.
        copied.remove("removed")
        if !copied.isEmpty { print("  CALLS OF A COPY:", copied.sorted().joined(separator: ", ")) }
        var isGood = copied.isEmpty
        let moments = calls.values.joined().map(\.at).sorted()
        if let longest = chronicle.longestReturn(moments, until: end) {
            let isLong = longest > Self.longestReturn
            print(
                "  calls again", String(format: "%.1f s", longest), "after an outage at most",
                isLong ? "← TOO LONG" : "")
            isGood = isGood && !isLong
        }
        for lane in lanes {
            let (log, audit) = try await database.transaction { db throws in
                (
                    try CallLog(of: lane.name, on: db),
                    try JobQueue().audit(lane.name, last: .seconds(86_400), on: db)
                )
            }
            let left = try await database.run { try JobsLeft(in: lane.name, on: $0) }
            let verdict = Verdict(
                lane, (calls[lane.name] ?? []).sorted { $0.at < $1.at }, log, audit, course, chronicle, isCalm: isCalm,
                jobs: jobs[lane.name] ?? [], left)
            print(verdict.text)
            isGood = isGood && verdict.faults.isEmpty
        }
        if !isGood, chronicle.isClockSet {
            let rows = try await database.run {
                try $0.query(
                    """
                    SELECT concat_ws(' ', 'epoch', epoch, extract(epoch FROM noticed_at), size, 'rate', rate) AS change
                    FROM clock_steps ORDER BY epoch
                    """
                ).map { try $0.read("change", as: String.self) }
            }
            for row in rows { print("    ", row) }
        }
        return isGood
    }
}

/// The times at which lanes were changed, in seconds since 1970.
struct Course {
    /// When the changes of each lane's limits began, and when they were surely in force.
    var limited: [String: [ClosedRange<Double>]] = [:]
    var pausedFrom = 0.0
    var pausedUntil = 0.0
    /// An upper bound of the time until all workers have noticed a change, in seconds.
    var settling = 0.25
}
