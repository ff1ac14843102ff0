import Contacts
import Foundation
import Operations
import Postgres
import Queue
import Towns

/// Distinct addresses through real `waypost worker` processes and the gazetteer: from waiting to stored. And a list of
/// which nine in ten are repeated.
///
/// Needs the release build of `waypost` beside this program.
enum GazetteerBenchmark {
    static func run(_ options: Options) async throws {
        let count = try options.integer("addresses", 400_000)
        let crew = try options.integer("workers", 2)
        let ourselves = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: ourselves).deletingLastPathComponent().appending(path: "waypost").path
        try await Scratch.with("gazetteer") { scratch in
            var environment = ProcessEnvironment.current
            environment["DATABASE_URL"] = scratch.url
            environment["WAYPOST_LIFELINE"] = "1"
            environment["WAYPOST_LOG_LEVEL"] = "warning"
            try await output(of: program, ["migrate"], environment: environment)
            try await scratch.askAboutTowns(count)
            let intake = Intake(queue: JobQueue())
            while try await scratch.database.run({ try intake.enqueueWaiting(5_000, on: $0) }) > 0 {}
            try await scratch.run(script: "VACUUM ANALYZE geocodes")
            try await scratch.run(script: "UPDATE lanes SET paused_at = now()")
            try await scratch.run(script: "CHECKPOINT")
            let workers = try (0..<crew).map { _ in
                try ChildProcess(program, ["worker"], environment: environment, input: .lifeline)
            }
            while try await scratch.number("SELECT count(*) AS number FROM workers") < crew {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await Task.sleep(for: .milliseconds(500))
            try await scratch.run(
                script: "UPDATE lanes SET paused_at = NULL; SELECT pg_notify('waypost_lanes', name) FROM lanes")
            let start = ContinuousClock.now
            _ = try await scratch.settled()
            let took = seconds(since: start)
            let located = try await scratch.number("SELECT count(*) AS number FROM geocodes WHERE status = 'located'")
            print(title("distinct addresses a second"), column(Double(count) / took))
            print(title("located, share"), ratio(Double(located) / Double(count)))
            print(
                title("CPU µs an address, workers"),
                ratio(workers.map { cpuTime(of: $0.pid) }.reduce(0, +) / Double(count) * 1e6))
            print(title("CPU µs an address, server"), ratio(try await scratch.serverTime / Double(count) * 1e6))
            for worker in workers { worker.closeLifeline() }
            for worker in workers { _ = await worker.exit() }
        }
    }
}

extension Scratch {
    /// Houses that nobody has asked about, in towns that the gazetteer knows.
    fileprivate func askAboutTowns(_ count: Int) async throws {
        let towns = Gazetteer.shared.towns
        try await database.run { db in
            try db.query(
                """
                CREATE TEMP TABLE towns AS
                SELECT * FROM unnest(\(towns.map(\.name)), \(towns.map(\.country)))
                WITH ORDINALITY AS towns (name, country, number)
                """)
            try db.run(
                script: """
                    ALTER TABLE towns ADD PRIMARY KEY (number);
                    INSERT INTO geocodes (hash, street, city, region, postcode, country)
                    SELECT sha256(int8send(n)), n || ' Main Street', name, '', '', country
                    FROM generate_series(1, \(count)) AS n
                    JOIN towns ON number = 1 + n * 7919::bigint % (SELECT count(*) FROM towns);
                    """)
        }
    }
}
