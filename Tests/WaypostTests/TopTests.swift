import DatabaseTesting
import Foundation
import Glibc
import Postgres
import Processes
import Queue
import Testing

/// The output of `top` and `stats --watch` in a real terminal.
@Suite(.database)
final class TopTests: CommandSuite {
    let program = Program()

    /// Lanes and workers as in a running cluster, and a minute without a call, so that nothing changes by itself.
    private func fill() async throws {
        try await Database.test.run { db throws in
            let queue = JobQueue()
            try queue.addLane("nominatim", batch: 1, on: db)
            try queue.setLimits([#require(RateLimit(text: "1/s"))], of: "nominatim", on: db)
            try queue.addLane("here", batch: 1, on: db)
            try queue.pause("here", on: db)
            _ = try queue.enqueue(Array(1...1_234), in: "nominatim", on: db)
            for name in ["ada", "bob"] {
                let worker = try ProcessRegistry().register(
                    .worker, name: name, host: "vm", pid: 7, lanes: ["nominatim"], on: db)
                _ = try ProcessRegistry().beat(.worker, worker, memory: 38_000_000, on: db)
            }
            try db.query(
                """
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason)
                VALUES (99, 2, 1, 5, 0, '{1}', 'the provider answered 500')
                """)
        }
    }

    private func terminal(columns: Int = 80, rows: Int = 24, _ more: [String: String] = [:]) async throws
        -> TestTerminal
    {
        try await TestTerminal(
            columns: columns, rows: rows, in: program,
            environment: ["DATABASE_URL": Database.testURL].merging(more) { _, new in new })
    }

    /// The text without times and durations, which differ at each look.
    private func lasting(_ text: String) -> String {
        text.replacing(/\d\d:\d\d:\d\d/, with: "hh:mm:ss")
            .replacing(/\d+(\.\d+)? (ms|s|min)( \d+ s)?( ago)?/) { String(repeating: "~", count: $0.output.0.count) }
            .replacing(/~+/, with: "~").replacing(/[ ]{2,}/, with: "  ")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.replacing(/\s+$/, with: "") }.joined(separator: "\n")
    }

    /// Compares with the text stored next to this file. WAYPOST_KEEP_SCREENS=1 writes it again.
    private func compare(_ text: String, with name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Screens/\(name).txt")
        if ProcessEnvironment.current["WAYPOST_KEEP_SCREENS"] != nil {
            try lasting(text).write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try lasting(text) == String(contentsOf: file, encoding: .utf8), "\(text)")
    }

    @Test(arguments: [(80, 24), (200, 60)])
    func `top fits the window and equals the stored screens`(columns: Int, rows: Int) async throws {
        try await fill()
        let terminal = try await terminal(columns: columns, rows: rows)
        try await terminal.type("\(Program.path) top", "Enter")
        let text = try await terminal.wait { $0.contains("ERRORS") && $0.contains("most") }
        try compare(text, with: "top-\(columns)x\(rows)")
    }

    @Test func `top and gateway show the requests of each token`() async throws {
        try await fill()
        try await Database.test.run { db throws in
            try db.query(
                """
                INSERT INTO gateway_minutes (
                    minute, account, token, process, name, local, cache, call, waiting, missed, refused, durations)
                SELECT date_trunc('minute', now()) - interval '1 minute' * age, 1, token, process, CASE token WHEN 7 THEN 'photos' ELSE '' END,
                       token * 10, 0, 20, 1, 0, 2, array_fill(token, '{20}')
                FROM generate_series(-3, 3) AS age, generate_series(0, 7, 7) AS token, generate_series(1, 2) AS process
                """)
        }
        let terminal = try await terminal(columns: 120, rows: 30)
        try await terminal.type("\(Program.path) gateway", "Enter")
        let table = /photos +372 +.*75% +0% +22% +4 +0 +8/
        try await terminal.wait { $0.contains(table) && $0.contains("no token") && $0.contains("of the last hour") }
        try await terminal.type("\(Program.path) top", "Enter")
        let text = try await terminal.wait { $0.contains("ERRORS") && $0.contains("LANE") }
        #expect(text.contains(/GATEWAY.*P99/) && text.contains(table) && text.contains("no token"), "\(text)")
    }

    @Test func `keys of top pause a lane, change a limit and quiet a worker, each after confirmation`() async throws {
        try await fill()
        let terminal = try await terminal()
        func paused() async throws -> Bool {
            try await Database.test.run { try JobQueue().lane("nominatim", on: $0).condition != .open }
        }
        try await terminal.type("\(Program.path) top", "Enter")
        try await terminal.wait(for: "nominatim")
        try await terminal.type("Down", "Down")
        try await terminal.wait(for: "▶  nominatim")
        try await terminal.type("p")
        try await terminal.wait(for: "Pause nominatim?")
        #expect(try await !paused())
        try await terminal.type("n")
        try await terminal.wait(for: "Nothing was changed.")
        #expect(try await !paused())
        try await terminal.type("p", "y")
        try await terminal.wait(for: "nominatim is paused.")
        #expect(try await paused())
        try await terminal.type("p", "y")
        try await terminal.wait(for: "nominatim is open.")

        // The end of a long input line is visible while typing.
        try await terminal.type("l", " 300/min 25000/d 100000/7d 1000000/30d 10000000/365d 20000000/730d")
        try await terminal.wait(for: "20000000/730d█")
        try await terminal.type("Escape")
        // An escape and a letter that arrive together are one key.
        try await terminal.wait { !$0.contains("730d") }
        try await terminal.type("l", "BSpace", "BSpace", "BSpace", "fast", "Enter")
        try await terminal.wait(for: "Not a rate: fast")
        try await terminal.type("l", "BSpace", "BSpace", "BSpace", "2/s", "Enter")
        try await terminal.wait(for: "Limit nominatim to 2/s, in the whole cluster?")
        try await terminal.type("y")
        try await terminal.wait(for: "nominatim is limited to 2/s now.")
        #expect(
            try await Database.test.run { try JobQueue().lane("nominatim", on: $0).limits.map(\.limit.text) } == ["2/s"]
        )

        try await terminal.type("Tab", "w")
        try await terminal.wait(for: "Make ada (1) finish its jobs and claim no more?")
        try await terminal.type("y")
        try await terminal.wait(for: "Worker 1 is quiet.")
        #expect(try await Database.test.run { try ProcessRegistry().workers(on: $0).map(\.isQuiet) } == [true, false])

        try await terminal.type("Enter")
        try await terminal.wait(for: "Jobs of nominatim")
        try await terminal.type("Enter")
        try await terminal.wait(for: "priority")
        try await terminal.type("Escape")
        try await terminal.wait(for: "WORKER")
        try await terminal.type("/", "gaz")
        try await terminal.wait { !$0.contains("here") && $0.contains("gazetteer") }
    }

    @Test func `top follows the size of the window`() async throws {
        try await fill()
        let terminal = try await terminal()
        try await terminal.type("\(Program.path) top", "Enter")
        try await terminal.wait(for: "q quit")
        try await terminal.resize(columns: 120, rows: 40)
        let text = try await terminal.wait { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(39).first?.contains("q quit")
                ?? false
        }
        #expect(text.contains("ERRORS"))
    }

    enum End: String, CaseIterable { case q, interrupt, terminate, kill }

    @Test(arguments: End.allCases)
    func `top restores the terminal, however it ends`(end: End) async throws {
        try await fill()
        let terminal = try await terminal()
        try await terminal.type("echo before", "Enter")
        try await terminal.wait { $0.contains("before\n$") }
        try await terminal.type("stty -a > modes-before; \(Program.path) top; stty -a > modes-after", "Enter")
        try await terminal.wait(for: "q quit")
        switch end {
        case .q: try await terminal.type("q")
        case .interrupt: try await terminal.type("C-c")
        case .terminate: try await signal(SIGTERM, toTopOf: terminal)
        case .kill: try await signal(SIGKILL, toTopOf: terminal)
        }
        let text = try await terminal.wait { $0.contains("before") && !$0.contains("LANE") }
        #expect(text.contains("before"))
        // Typed text is echoed again, and lines can be edited.
        try await terminal.type("echo aftex", "BSpace", "r", "Enter")
        try await terminal.wait { $0.contains("\nafter\n") }
        try await terminal.type("stty -a > modes-after", "Enter", "echo done", "Enter")
        try await terminal.wait { $0.contains("\ndone\n") }
        #expect(try program.read("modes-after") == program.read("modes-before"))
    }

    /// The program is the shell's child.
    private func signal(_ number: Int32, toTopOf terminal: TestTerminal) async throws {
        let shell = try await terminal.shell()
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        let child = try #require(children.split(separator: " ").compactMap { Int32($0) }.first)
        kill(child, number)
    }

    @Test(arguments: [(80, 24), (200, 60)])
    func `stats redraws itself in the window and equals the stored screens`(columns: Int, rows: Int) async throws {
        try await fill()
        let terminal = try await terminal(columns: columns, rows: rows)
        try await terminal.type("\(Program.path) stats --watch --every 200ms", "Enter")
        let text = try await terminal.wait { $0.contains("CALLS") && !$0.contains("--watch") }
        try compare(text, with: "stats-\(columns)x\(rows)")
        try await terminal.type("C-c")
        // A last redraw may hide the "^C".
        try await terminal.wait {
            $0.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces) == "$" }
        }
    }

    @Test func `on a write-only terminal, stats appends its output, and top points to it`() async throws {
        try await fill()
        let terminal = try await terminal(rows: 70)
        try await terminal.type("TERM=dumb \(Program.path) top", "Enter")
        try await terminal.wait(for: "use 'waypost stats")
        try await terminal.type("clear; TERM=dumb \(Program.path) stats --watch --every 200ms", "Enter")
        let text = try await terminal.wait { $0.ranges(of: "ANSWER").count > 1 }
        #expect(text.ranges(of: "WORKER").count > 1)
    }

    @Test func `into a pipe, stats writes blocks of text or lines of JSON, without colour`() async throws {
        try await fill()
        let outcome = try await ChildProcess.output(
            of: "sh", ["-c", "\(Program.path) stats --watch --every 200ms --json | head -n 2"],
            environment: Program.environment(["DATABASE_URL": Database.testURL]), directory: program.folder)
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let look = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((look?["lanes"] as? [[String: Any]])?.count == 3)
        }
        try await waypost("top").expect(2, error: "stats --watch")
    }

    @Test func `a history shows the rate of each step`() async throws {
        try await fill()
        try await Database.test.query(
            """
            INSERT INTO throughput (minute, lane, worker, calls, subjects, retried)
            SELECT date_trunc('minute', now()) - ago * interval '1 minute', 2, 0, 60 - ago, 60 - ago, 1
            FROM generate_series(1, 50) AS ago
            """)
        let text = try await waypost("stats --history 1h").output
        #expect(text.contains("1,725 calls, 1,725 addresses"))
        #expect(text.contains("50 retried"))
        #expect(text.contains("▂") && text.contains("█"))
        let json = try #require(try await json("stats --history 1h") as? [String: Any])
        #expect(json["step_seconds"] as? Int == 60)
        try await waypost("stats --history 2h").expect(2)
    }
}
