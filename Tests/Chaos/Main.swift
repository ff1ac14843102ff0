import Cluster
import Foundation
import Glibc
import Operations
import Postgres
import Queue

/// Runs many workers against limits, kills and stops them, and asks an independent recorder what it saw.
///
///     Chaos [--workers N] [--seconds N] [--calm]
///
/// Exits with 1 when a limit was exceeded in any window, a call was made that no log knows, or, with --calm, which
/// disturbs nobody, less than 99 % of what was permitted was used.
@main
struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "recorder": try Recorder().run()
            case "worker": try await work(url: arguments[1], port: arguments[2], name: arguments[3])
            default:
                let trial = try Trial(&arguments)
                exit(try await trial.run() ? 0 : 1)
            }
        } catch {
            FileHandle.standardError.write(Data("chaos: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func work(url: String, port: String, name: String) async throws {
        guard let port = UInt16(port) else { throw ChaosError("no port: \(port)") }
        let line = try RecorderLine(port: port)
        let database = Database(url: url, options: .init(size: 5))
        let log = Log(level: .error)
        let worker = Worker(
            name: name, database: database, works: Lane.all.map { RecordedWork(lane: $0.name, line: line) },
            registry: Trial.registry, callsAtOnce: 200, log: log)
        try await ServiceGroup([Lifeline(), worker], log: log, stopLimit: .seconds(10)).runUntilSignalled()
    }
}

struct ChaosError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
