import Foundation
import Postgres

/// Looks for unwanted growth while jobs come and go at a steady rate in a limited lane.
enum SoakBenchmark {
    static func run(_ options: Options) async throws {
        let minutes = try options.integer("minutes", 1)
        let load = try options.integer("rate", 3_000)
        try await Scratch.with("soak") { scratch in
            try await scratch.openLane(batch: 1)
            try await scratch.limit([("1 second", 100_000)])
            // Here hundreds of slots open at once, and the disk may be busy when they are claimed.
            try await scratch.run(
                script: "UPDATE lanes SET grace = '100 milliseconds' WHERE name = '\(Scratch.lane)'")
            try await scratch.resumeLane()
            let crew = try await BenchCrew.start(2, callsAtOnce: 400, in: scratch)
            print(
                "  min    calls/s  waiting   " + tables.map { "\($0): dead, heap, indexes kB" }.joined(separator: "   ")
            )
            var last = (at: Duration.zero, calls: 0)
            try await SteadyLoad(scratch: scratch, jobsPerSecond: load).run(for: .seconds(60 * minutes + 1)) { now in
                let calls = try await scratch.finished
                let rate = Double(calls - last.calls) / ((now - last.at) / .seconds(1))
                last = (now, calls)
                let waiting = try await scratch.number("SELECT count(*) AS number FROM jobs")
                var cells: [String] = []
                for table in tables { cells.append(try await size(of: table, in: scratch)) }
                print(
                    ratio(now / .seconds(60)), column(rate), column(Double(waiting)), "  ",
                    cells.joined(separator: "   "))
                fflush(nil)
            }
            await crew.stop()
        }
    }

    private static let tables = ["jobs", "token_buckets", "lanes", "workers"]

    private static func size(of table: String, in scratch: Scratch) async throws -> String {
        try await scratch.database.run { database in
            let row = try database.query(
                """
                SELECT n_dead_tup AS dead, pg_relation_size(relid) / 1024 AS heap, pg_indexes_size(relid) / 1024 AS indexes
                FROM pg_stat_user_tables
                WHERE relname = \(table)
                """)[0]
            let figures: [Int] = [try row.read("dead"), try row.read("heap"), try row.read("indexes")]
            return figures.map { column(Double($0), width: 7) }.joined()
        }
    }
}
