import Foundation
import Geocoding
import Postgres
import Processes
import Questions
import Towns

/// Distinct addresses through real `waypost worker` processes and the gazetteer, from waiting to stored. With `--form
/// line` each address is first read from one line. The importer does this, so its time is printed separately.
///
/// Needs the release build of `waypost` next to this program.
enum GazetteerBenchmark {
    static func run(_ options: Options) async throws {
        let count = try options.integer("addresses", 400_000)
        let crew = try options.integer("workers", 2)
        let isLine = options.text("form") == "line"
        let ourselves = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: ourselves).deletingLastPathComponent().appending(path: "waypost").path
        try await Scratch.with("gazetteer") { scratch in
            var environment = ProcessEnvironment.current
            environment["DATABASE_URL"] = scratch.url
            environment["WAYPOST_LIFELINE"] = "1"
            environment["WAYPOST_LOG_LEVEL"] = "warning"
            try await output(of: program, ["migrate"], environment: environment)
            let reading = try await scratch.askAboutTowns(count, onLines: isLine)
            while try await scratch.database.run({ try QuestionQueue().enqueueWaiting(5_000, on: $0) }) > 0 {}
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
            if isLine { print(title("CPU µs an address, reading"), ratio(reading / Double(count) * 1e6)) }
            for worker in workers { worker.closeLifeline() }
            for worker in workers { _ = await worker.exit() }
        }
    }
}

extension Scratch {
    /// Stores new questions for houses in towns that the gazetteer contains. Returns the time for reading their lines.
    fileprivate func askAboutTowns(_ count: Int, onLines isLine: Bool) async throws -> Double {
        let gazetteer = Gazetteer.shared
        let towns = gazetteer.towns
        var reading = 0.0
        for first in stride(from: 1, through: count, by: 20_000) {
            var houses = (first..<min(first + 20_000, count + 1)).map { number in
                let town = towns[number * 7919 % towns.count]
                return Address(street: "\(number) Main Street", city: town.name, country: town.country)
            }
            if isLine {
                let lines = houses.map { "\($0.street), \($0.city), \(Country($0.country)?.name ?? "")" }
                let start = threadTime()
                houses = lines.map { gazetteer.read(line: $0) }
                reading += threadTime() - start
            }
            let (addresses, offset) = (houses, first)
            try await database.run { db in
                try db.query(
                    """
                    INSERT INTO geocodes (hash, street, city, region, postcode, country)
                    SELECT sha256(int8send(\(offset) + number)), street, city, region, postcode, country
                    FROM unnest(
                        \(addresses.map(\.street)), \(addresses.map(\.city)), \(addresses.map(\.region)),
                        \(addresses.map(\.postcode)), \(addresses.map(\.country))
                    ) WITH ORDINALITY AS house (street, city, region, postcode, country, number)
                    """)
            }
        }
        return reading
    }
}
