import Foundation
import Postgres
import Processes
import Schema

/// A database for one benchmark, with our schema. It is dropped when the benchmark is over.
struct Scratch: Sendable {
    let name: String
    let url: String
    let database: Database

    /// The server's URL; `make bench` provides a private server.
    static var serverURL: String {
        guard let url = ProcessEnvironment.current["DATABASE_URL"] else {
            FileHandle.standardError.write(Data("DATABASE_URL is not set; run: make bench\n".utf8))
            exit(2)
        }
        return url
    }

    static func with(_ name: String, _ body: (Scratch) async throws -> Void) async throws {
        let server = Database(url: serverURL, options: .init(size: 1))
        let scratch = Scratch("waypost_bench_\(name)")
        try await server.run { try $0.query("DROP DATABASE IF EXISTS \(identifier: scratch.name) WITH (FORCE)") }
        try await server.run { try $0.query("CREATE DATABASE \(identifier: scratch.name)") }
        _ = try await scratch.database.migrate(Schema.scripts)
        try await body(scratch)
        await scratch.database.close()
        try await server.run { try $0.query("DROP DATABASE \(identifier: scratch.name) WITH (FORCE)") }
        await server.close()
    }

    private init(_ name: String) {
        self.name = name
        var parts = URLComponents(string: Self.serverURL)
        parts?.path = "/\(name)"
        url = parts?.string ?? Self.serverURL
        var options = Database.Options(size: 40)
        options.applicationName = Self.ourName
        database = Database(url: url, options: options)
    }

    func run(script: String) async throws {
        try await database.run { try $0.run(script: script) }
    }

    func number(_ sql: SQL) async throws -> Int {
        try await database.run { try $0.query(sql)[0].read("number") }
    }

    /// Empties all lanes and makes a lane without limits. The lane is paused, so that workers can gather before the
    /// start.
    func openLane(batch: Int) async throws {
        try await run(
            script: """
                TRUNCATE jobs, dead_jobs, calls, throughput, workers, token_buckets RESTART IDENTITY;
                DELETE FROM lanes WHERE name = '\(Self.lane)';
                INSERT INTO lanes (name, batch, paused_at) VALUES ('\(Self.lane)', \(batch), now());
                SELECT keep_call_partitions(2, '30 days');
                """)
    }

    static let lane = "bench"
    private static let ourName = "benchmark"

    /// CPU seconds of the server for all connections except ours.
    var serverTime: Double {
        get async throws {
            try await database.run { database in
                try database.query(
                    """
                    SELECT pid FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name <> \(Self.ourName)
                    """
                ).map { cpuTime(of: Int32(try $0.read("pid", as: Int.self))) }.reduce(0, +)
            }
        }
    }

    /// Limits the lane: for each period this many calls, with a burst of a tenth.
    func limit(_ limits: [(per: String, refill: Int)]) async throws {
        for limit in limits {
            try await run(
                script: """
                    INSERT INTO token_buckets (lane, per, refill, capacity)
                    SELECT id, '\(limit.per)', \(limit.refill), \(limit.refill / 10) FROM lanes
                    WHERE name = '\(Self.lane)'
                    """)
        }
    }

    /// Puts `count` jobs into the lane, then vacuums the table.
    func fill(jobs count: Int, batch: Int) async throws {
        try await insert(jobs: count, batch: batch)
        try await run(script: "VACUUM (FREEZE, ANALYZE) jobs")
        try await run(script: "CHECKPOINT")
    }

    func insert(jobs count: Int, batch: Int) async throws {
        try await run(
            script: """
                INSERT INTO jobs (lane, subjects)
                SELECT (SELECT id FROM lanes WHERE name = '\(Self.lane)'),
                       ARRAY(SELECT generate_series(n * \(batch) + 1, (n + 1) * \(batch)))
                FROM generate_series(0, \(count - 1)) AS n
                """)
    }

    /// Registers workers 1 to `count`, without processes.
    func enlist(workers count: Int) async throws {
        try await run(
            script: """
                INSERT INTO workers (id, name, host, pid) OVERRIDING SYSTEM VALUE
                SELECT n, 'nobody', 'here', n FROM generate_series(1, \(count)) AS n
                """)
    }

    func resumeLane() async throws {
        try await run(
            script: """
                UPDATE lanes SET paused_at = NULL WHERE name = '\(Self.lane)';
                SELECT pg_notify('waypost_lanes', '\(Self.lane)')
                """)
    }

    /// Calls that ended, from the counters that every finish updates.
    var finished: Int {
        get async throws { try await number("SELECT coalesce(sum(calls), 0) AS number FROM throughput") }
    }

    /// Waits until no job is waiting or held. Returns the number of calls that had ended by then.
    func settled() async throws -> Int {
        while try await number("SELECT count(*) AS number FROM jobs") > 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await finished
    }

    /// The time from now until that many calls have ended.
    func wait(until calls: Int) async throws -> Duration {
        let start = ContinuousClock.now
        while try await finished < calls { try await Task.sleep(for: .milliseconds(10)) }
        return start.duration(to: .now)
    }
}
