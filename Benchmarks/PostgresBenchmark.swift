import Foundation
import Postgres
import Processes

/// Round trips through our `Postgres` room, next to `pgbench` doing the same on the same server in the same run. Rounds
/// alternate, so a slow minute of the machine affects both.
///
/// Needs `DATABASE_URL`; `make bench` provides a private server.
enum PostgresBenchmark {
    private static let rounds = 3
    private static let length = 2

    static func run() async throws {
        let url = Scratch.serverURL
        let database = Database(url: url, options: .init(size: 16))
        try await database.run { db in
            try db.run(
                script: """
                    DROP TABLE IF EXISTS bench; CREATE TABLE bench (id integer PRIMARY KEY, value integer NOT NULL)
                    WITH (fillfactor = 50); INSERT INTO bench SELECT n, 0 FROM generate_series(1, 1000) AS n
                    """)
        }
        print("round trips a second           ours    pgbench          pgbench -j 2      ours through the pool")
        for callers in [1, 4, 16] {
            try await compare("SELECT 1, \(callers) callers", callers, "SELECT 1;\n", url, database) { db, _ in
                try db.query("SELECT 1")
            }
        }
        for callers in [1, 4, 16] {
            let script = "\\set id random(1, 1000)\nUPDATE bench SET value = value + 1 WHERE id = :id;\n"
            try await compare("UPDATE, \(callers) callers", callers, script, url, database) { db, id in
                try db.query("UPDATE bench SET value = value + 1 WHERE id = \(id)")
            }
        }
        try await copy(database, url)
        try await database.run { try $0.run(script: "DROP TABLE bench") }
        await database.close()
    }

    private static func compare(
        _ title: String, _ callers: Int, _ script: String, _ url: String, _ database: Database,
        _ statement: @escaping @Sendable (isolated Connection, Int) throws -> Void
    ) async throws {
        var held: [Double] = []
        var pooled: [Double] = []
        var threaded: [Double] = []
        var multiplexed: [Double] = []
        for _ in 0..<rounds {
            held.append(
                try await rate(callers) { deadline in
                    try await database.run { db in
                        var count = 0
                        while ContinuousClock.now < deadline {
                            count += 1
                            let id = 1 + count * 7_919 % 1_000
                            try statement(db, id)
                        }
                        return count
                    }
                })
            threaded.append(
                try await Pgbench.rate(script, callers: callers, threads: callers, seconds: length, url: url))
            multiplexed.append(
                try await Pgbench.rate(script, callers: callers, threads: min(callers, 2), seconds: length, url: url))
            pooled.append(
                try await rate(callers) { deadline in
                    var count = 0
                    while ContinuousClock.now < deadline {
                        count += 1
                        let id = 1 + count * 7_919 % 1_000
                        try await database.run { try statement($0, id) }
                    }
                    return count
                })
        }
        let (ours, pool) = (median(held), median(pooled))
        print(
            title.padding(toLength: 22, withPad: " ", startingAt: 0), column(ours),
            column(median(threaded)), ratio(ours / median(threaded)),
            column(median(multiplexed)), ratio(ours / median(multiplexed)), column(pool), ratio(pool / median(threaded))
        )
    }

    /// Calls per second of `callers` tasks. Each task counts its own calls until the deadline.
    private static func rate(
        _ callers: Int, _ work: @escaping @Sendable (ContinuousClock.Instant) async throws -> Int
    ) async throws -> Double {
        let start = ContinuousClock.now
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<callers { group.addTask { try await work(start + .seconds(length)) } }
            return try await group.reduce(0, +)
        }
        return Double(total) / seconds(since: start)
    }

    private static func copy(_ database: Database, _ url: String) async throws {
        let rows = 500_000
        var ours: [Double] = []
        var theirs: [Double] = []
        let file = "/tmp/waypost-bench-\(getpid()).tsv"
        defer { unlink(file) }
        try (1...rows).map { "\($0)\tname of number \($0)\t\(Double($0) / 7)\n" }.joined()
            .write(toFile: file, atomically: false, encoding: .utf8)
        for _ in 0..<rounds {
            try await emptyTable(database)
            var start = ContinuousClock.now
            try await database.run { db in
                try db.copy(into: "bench_copy (id, name, value)") { writer in
                    for n in 1...rows { try writer.append(n, "name of number \(n)", Double(n) / 7) }
                }
            }
            ours.append(Double(rows) / seconds(since: start))
            try await emptyTable(database)
            start = .now
            try await Pgbench.psql("\\copy bench_copy from '\(file)'", url: url)
            theirs.append(Double(rows) / seconds(since: start))
        }
        var out: [Double] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            let count = Locked(0)
            try await database.run { db in
                try db.copy(outOf: "SELECT id, name, value FROM bench_copy") { row in
                    count.withLock { $0 += row.fields.count / 3 }
                }
            }
            out.append(Double(count.withLock { $0 }) / seconds(since: start))
        }
        try await database.run { try $0.run(script: "DROP TABLE bench_copy") }
        print("\nrows a second through COPY  ours    psql \\copy of a ready file   ratio")
        print(
            "in                     ", column(median(ours)), column(median(theirs)),
            ratio(median(ours) / median(theirs)))
        print("out, every column read ", column(median(out)))
    }

    private static func emptyTable(_ database: Database) async throws {
        try await database.run {
            try $0.run(
                script: """
                    DROP TABLE IF EXISTS bench_copy; CREATE UNLOGGED TABLE bench_copy (id integer, name text, value float8)
                    """)
        }
    }
}
