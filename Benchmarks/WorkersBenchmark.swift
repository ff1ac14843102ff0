import Foundation
import HTTP
import Postgres
import Processes

/// Real worker processes with 15 lanes, three of which have work, at the recorder of `Chaos`:
///
///     Benchmarks workers [--counts 1,10,50,200] [--rate 50] [--seconds 20] [--waypost PROGRAM]
///
/// Each count is a run of its own: start, idle, work at the limit, a pause, and `kill -9` of all workers. The server
/// needs `max_connections` for four connections a worker.
enum WorkersBenchmark {
    static func run(_ options: Options) async throws {
        let seconds = try options.integer("seconds", 20)
        print(
            """
            workers: s until registered | idle: % of a core in PostgreSQL, in workers; connections
              | % used from the third second of work to the tenth
              | at the limit: % used, % void, % of a core in PostgreSQL, in workers; connections, MB a worker
              | s from a pause to the last call | s from kill -9 of all to 95 % of the limit | calls over the limit
            """)
        for rate in try options.integers("rate", [50]) {
            for count in try options.integers("counts", [1, 10, 50, 200]) {
                try await Scratch.with("workers") { scratch in
                    var run = try await ManyWorkers(
                        count, rate: rate, program: options.text("waypost") ?? "\(programs)/waypost", in: scratch)
                    try await run.measure(seconds: Double(seconds))
                }
            }
        }
    }

    /// The folder of this program and those that it starts.
    static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
}

private struct ManyWorkers {
    let count: Int
    let rate: Int
    let program: String
    let scratch: Scratch
    let environment: [String: String]
    let recorder: ChildProcess
    let recording: String
    let port: String
    var coordinator: ChildProcess?
    var workers: [ChildProcess] = []

    /// Prepares lanes and jobs, without a worker.
    init(_ count: Int, rate: Int, program: String, in scratch: Scratch) async throws {
        (self.count, self.rate, self.program, self.scratch) = (count, rate, program, scratch)
        recording = "/tmp/waypost-workers-\(getpid())"
        try? FileManager.default.removeItem(atPath: recording)
        recorder = try ChildProcess(
            "\(WorkersBenchmark.programs)/Chaos", ["recorder", "1", "600", "0.05"], output: .file(recording))
        var port = ""
        while port.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            port =
                (try? String(contentsOfFile: recording, encoding: .utf8))?.split(separator: "\n").first.map(String.init)
                ?? ""
        }
        self.port = port
        var environment = ProcessEnvironment.current.filter { !$0.key.hasPrefix("WAYPOST_") }
        environment["DATABASE_URL"] = scratch.url
        environment["WAYPOST_LISTEN"] = "off"
        environment["WAYPOST_SEALING_KEYS"] = String(repeating: "ab", count: 32)
        environment["WAYPOST_LIFELINE"] = "true"
        for lane in ["NOMINATIM", "PHOTON", "PELIAS"] {
            environment["WAYPOST_\(lane)_URL"] = "http://127.0.0.1:\(port)"
        }
        for lane in ["GOOGLE", "OPENCAGE", "GEOAPIFY", "LOCATIONIQ", "HERE", "MAPBOX", "GEOCODIO"] {
            environment["WAYPOST_\(lane)_KEY"] = "key"
        }
        environment["WAYPOST_CENSUS"] = "true"
        self.environment = environment
    }

    mutating func measure(seconds: Double) async throws {
        try await prepare()
        let began = ContinuousClock.now
        try await startWorkers()
        let registered = began.duration(to: .now) / .seconds(1)
        try await Task.sleep(for: .seconds(10))
        let idle = try await share(of: seconds)
        let idleConnections = try await connections

        try await waypost("chains", "set", "default", "photon:countries=FR", "pelias:countries=US", "nominatim")
        for lane in ["nominatim", "photon", "pelias"] {
            try await waypost("lanes", "limit", lane, "\(lane == "nominatim" ? rate : 5)/s:burst=\(max(5, rate / 25))")
        }
        try await waypost("import", try contacts())
        try await Task.sleep(for: .seconds(10))
        let (start, before) = (wallTime(), try await counts)
        let busy = try await share(of: seconds)
        let (end, after) = (wallTime(), try await counts)
        let busyConnections = try await connections
        let memory = workers.map { proportionalMegabytes(of: $0.pid) }.reduce(0, +) / Double(count)

        try await waypost("lanes", "pause", "nominatim")
        let paused = wallTime()
        try await Task.sleep(for: .seconds(3))
        try await waypost("lanes", "resume", "nominatim")
        try await Task.sleep(for: .seconds(5))
        for worker in workers { worker.send(SIGKILL) }
        let killed = wallTime()
        for worker in workers { _ = await worker.exit() }
        workers = []
        try await startWorkers()
        try await Task.sleep(for: .seconds(25))
        let last = wallTime()
        for process in workers + [coordinator].compactMap({ $0 }) { process.send(SIGKILL) }
        let calls = try await recordedCalls()

        let used = Double(calls.count { $0 >= start && $0 < end }) / (Double(rate) * (end - start))
        let (made, void) = (after.made - before.made, after.void - before.void)
        let lastCall = calls.last { $0 < paused + 3 } ?? 0
        let first = calls.first ?? 0
        let figures = [
            "\(count) at \(rate)/s: \(ratio(registered))",
            percents(idle) + "\(idleConnections)",
            ratio(Double(calls.count { $0 >= first + 2 && $0 < first + 10 }) / Double(rate * 8) * 100),
            "\(ratio(used * 100)) \(ratio(Double(void) / Double(max(1, made + void)) * 100)) " + percents(busy)
                + "\(busyConnections) \(ratio(memory))",
            ratio(max(0, lastCall - paused)),
            ratio(timeBack(calls, since: killed, until: last)),
            ratio(max(0, excess(of: calls))),
        ]
        print(figures.joined(separator: " | "))
        fflush(nil)
    }

    private mutating func prepare() async throws {
        try await waypost("migrate")
        let secret = "/tmp/waypost-workers-secret"
        try Data(String(repeating: "secret", count: 8).utf8).write(to: URL(filePath: secret))
        for sink in ["one", "two", "three"] {
            try await waypost(
                "sinks", "add", sink, "--kind", "webhook", "--url", "http://127.0.0.1:\(port)", "--allow-private",
                "--secret-file", secret)
        }
        coordinator = try ChildProcess(
            program, ["coordinator"], environment: environment, input: .lifeline, output: .discarded, error: .discarded)
    }

    private mutating func startWorkers() async throws {
        let already = try await registered
        for number in 0..<count {
            workers.append(
                try ChildProcess(
                    program, ["worker", "--name", "w\(number)"], environment: environment, input: .lifeline,
                    output: .discarded, error: .discarded))
        }
        while try await registered < already + count { try await Task.sleep(for: .milliseconds(50)) }
    }

    /// Also counts the workers that were killed and are not yet removed.
    private var registered: Int {
        get async throws { try await scratch.number("SELECT coalesce(max(id), 0)::integer AS number FROM workers") }
    }

    private func waypost(_ arguments: String...) async throws {
        let process = try ChildProcess(
            program, arguments, environment: environment, output: .discarded, error: .discarded)
        guard await process.exit().isSuccess else { throw Options.Mistake("failed: waypost \(arguments)") }
    }

    private func contacts() throws -> String {
        let path = "\(recording).csv"
        try MadeUpContacts(count: rate * 200).write(to: path)
        return path
    }

    /// CPU time of PostgreSQL and of the workers in the next seconds, as shares of a core.
    private func share(of seconds: Double) async throws -> (server: Double, workers: Double) {
        let (began, server, ours) = (wallTime(), try await serverTime, workersTime)
        try await Task.sleep(for: .seconds(seconds))
        let length = wallTime() - began
        return ((try await serverTime - server) / length, (workersTime - ours) / length)
    }

    private var workersTime: Double { workers.map { cpuTime(of: $0.pid) }.reduce(0, +) }

    /// CPU seconds of the whole server, also of processes that have ended.
    private var serverTime: Double {
        get async throws {
            let ours = try await scratch.number("SELECT pg_backend_pid() AS number")
            guard let postmaster = statistics(of: Int32(ours))?[1] else { return 0 }
            var ticks = statistics(of: Int32(postmaster)).map { $0[11] + $0[12] + $0[13] + $0[14] } ?? 0
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
                guard let pid = Int32(name), let child = statistics(of: pid), child[1] == postmaster else { continue }
                ticks += child[11] + child[12]
            }
            return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The fields of /proc/PID/stat after the name, as numbers.
    private func statistics(of pid: Int32) -> [Double]? {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        return stat[end...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
    }

    private var connections: Int {
        get async throws {
            try await scratch.number(
                "SELECT count(*) AS number FROM pg_stat_activity WHERE application_name = 'waypost'")
        }
    }

    private var counts: (made: Int, void: Int) {
        get async throws {
            (
                try await scratch.finished,
                try await scratch.number("SELECT coalesce(sum(voided), 0) AS number FROM throughput")
            )
        }
    }

    /// Ends the recorder. Returns the moments of the calls in Nominatim's lane.
    private func recordedCalls() async throws -> [Double] {
        if let url = HTTPURL("http://127.0.0.1:\(port)/end") {
            _ = try? await HTTPClient(HTTPClient.Options(userAgent: "Waypost/benchmark")).send(HTTPRequest(.get, url))
        }
        _ = await recorder.exit()
        return try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 3 && words[0].hasPrefix("/search") ? Double(words[1]).map { $0 / 1e9 } : nil
        }.sorted()
    }

    /// The seconds until two seconds follow in which 95 % of the permitted calls were made.
    private func timeBack(_ calls: [Double], since start: Double, until end: Double) -> Double {
        let later = calls.filter { $0 > start }
        let enough = Int(Double(rate * 2) * 0.95)
        for (place, call) in later.enumerated() where place + enough < later.count {
            if later[place + enough] - call <= 2 { return call - start }
        }
        return end - start
    }

    /// By how many calls the worst window exceeds the limit.
    private func excess(of calls: [Double]) -> Double {
        var (best, worst) = (-Double.infinity, -Double.infinity)
        for (number, at) in calls.enumerated() {
            best = max(best, Double(rate) * at - Double(number))
            worst = max(worst, Double(number + 1) - Double(rate) * at + best - Double(max(5, rate / 25)))
        }
        return worst
    }

    private func percents(_ share: (server: Double, workers: Double)) -> String {
        "\(ratio(share.server * 100)) \(ratio(share.workers * 100)) "
    }
}

private func wallTime() -> Double { Date.now.timeIntervalSince1970 }

/// Memory of a process, with its part of what several processes share.
private func proportionalMegabytes(of pid: Int32) -> Double {
    let rollup = try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
    let line = rollup?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line.flatMap { Double($0.split(separator: " ")[1]) }.map { $0 / 1_024 } ?? 0
}
