import DatabaseTesting
import Foundation
import Polling
import Postgres
import Processes
import Terminal
import Testing

@testable import waypost

/// Rows that another program wrote end neither a command nor a process.
@Suite(.database)
struct ForeignRowTests: CommandSuite {
    let program = Program()

    private static let commands = [
        "stats", "stats --history 1h", "stats --history 1d", "doctor", "lanes list", "lanes show gazetteer",
        "lanes show blocked", "lanes show failing", "lanes audit gazetteer", "jobs list", "jobs list --json",
        "jobs show 1", "jobs show 900", "jobs why 1", "workers list", "trackers list --account app",
        "trackers show ada --account app", "trackers list --account app --json",
        "locations list --user ada --account app", "locations export --user ada --account app --format gpx -o -",
        "sinks list", "review list", "cache stats", "cache list", "friends list --account app",
        "friends show 1", "export --account app -o -", "points list", "accounts list", "log",
        "chains report default",
    ]

    /// All commands run in one process, because each start of the program costs half a second. A trap ends it.
    @Test(arguments: 0..<5) func `no command ends the program`(_ number: Int) async throws {
        try await Database.test.run { db in
            try db.fillTables()
            try db.storeForeignValues(number)
        }
        let (url, folder, commands) = (try Database.testURL, program.folder, Self.commands)
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [url = url as String, folder = folder as String, commands = commands as [String]] in
            setenv("DATABASE_URL", url, 1)
            _ = chdir(folder)
            for command in commands {
                // The last line names the command at which the process ended.
                Screen.errors.writeLine("waypost \(command)")
                _ = await Waypost.commands.main(command.split(separator: " ").map(String.init))
            }
        }
        let lines = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).split(separator: "\n") }
        #expect(result?.exitStatus == .exitCode(0), "\(lines?.suffix(5).joined(separator: "\n") ?? "")")
    }

    @Test(arguments: 0..<5) func `a coordinator and a worker live on, and stop when they are told`(_ number: Int)
        async throws
    {
        let environment = ["DATABASE_URL": try Database.testURL]
        try await Database.test.run { try $0.fillTables() }
        let coordinator = try RunningProgram(program, "coordinator", environment: environment)
        try await coordinator.wait(for: "leads")
        let worker = try RunningProgram(program, "worker", environment: environment)
        try await pollUntil {
            try await Database.test.query("SELECT FROM workers WHERE pid <> 1").count > 0
        }
        try await Database.test.run { try $0.storeForeignValues(number) }
        // The leader's next acts, and a claim of new jobs.
        try await Database.test.query("INSERT INTO jobs (lane, subjects) VALUES (1, '{2}')")
        for _ in 1...3 {
            _ = try await waypost(["stats"])
            _ = try await waypost(["lanes", "show", "gazetteer"])
        }
        for process in [worker, coordinator] {
            kill(process.process.pid, SIGTERM)
            #expect(await process.process.exit() == .code(0))
        }
    }
}
