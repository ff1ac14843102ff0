import Foundation
import Postgres
import Processes
import Questions

/// Memory of a real `waypost worker`: when idle, and its peak while it drains.
///
/// Needs the release build of `waypost` next to this program.
enum MemoryBenchmark {
    static func run(_ options: Options) async throws {
        let addresses = try options.integer("addresses", 200_000)
        let ourselves = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: ourselves).deletingLastPathComponent().appending(path: "waypost").path
        try await Scratch.with("memory") { scratch in
            var environment = ProcessEnvironment.current
            environment["DATABASE_URL"] = scratch.url
            environment["WAYPOST_LIFELINE"] = "1"
            environment["WAYPOST_LOG_LEVEL"] = "warning"
            try await output(of: program, ["migrate"], environment: environment)
            let worker = try ChildProcess(program, ["worker"], environment: environment, input: .lifeline)
            while try await scratch.number("SELECT count(*) AS number FROM workers") == 0 {
                try await Task.sleep(for: .milliseconds(50))
            }
            try await Task.sleep(for: .seconds(5))
            print(title("an idle worker, MB"), ratio(residentMegabytes(of: worker.pid)))

            try await scratch.ask(addresses)
            while try await scratch.database.run({ try QuestionQueue().enqueueWaiting(5_000, on: $0) }) > 0 {}
            var most = 0.0
            while try await scratch.number("SELECT count(*) AS number FROM jobs") > 0 {
                most = max(most, residentMegabytes(of: worker.pid))
                try await Task.sleep(for: .milliseconds(20))
            }
            print(title("a busy one at most, MB"), ratio(most))
            worker.closeLifeline()
            _ = await worker.exit()
        }
    }
}
