import Cluster
import Foundation
import Glibc
import HTTP
import Postgres
import Processes

/// Runs many workers against limits and disturbs them, their coordinators, their database and their provider. An
/// independent recorder records the calls.
///
///     Chaos [--workers N] [--seconds N] [--seed N] [--rate CALLS_A_SECOND] [--calm]
///           [--database freeze,crash,… | none] [--longest-outage SECONDS] [--disturb kill,end,stop,stutter,namespace | none]
///           [--keep FOLDER]
///
/// `Chaos judge` judges the calls of real workers instead (``Judge``).
///
/// `--keep` stores the logs of all processes, the recorder's data and the tables in a folder, to analyse a trial.
///
/// Exits with 1 in each of these cases:
/// - A limit was exceeded, other than by calls that slipped because their process was stopped.
/// - A call is missing in the log at its time, or the audit reports less than the recorder.
/// - A job has disappeared without an answer.
/// - An answered call was repeated although no process was disturbed (`--disturb none`).
/// - No call is made for long after the database is back, or a process stays away in the end.
/// - With `--calm`, which disturbs nothing, less than 99 % of the permitted calls were made.
@main
struct Main {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "recorder": try record(seed: arguments[1], seconds: arguments[2], delay: arguments[3])
            case "judge": exit(try await Judge(arguments).run() ? 0 : 1)
            case "worker": try await work(arguments)
            case "coordinator": try await coordinate(arguments)
            default:
                let isMarked = arguments.first == Trial.namespaceMark
                if isMarked { arguments.removeFirst() }
                var trial = try Trial(&arguments)
                if trial.fillsDisks, !isMarked { await SmallDisk.enterNamespace(mark: Trial.namespaceMark) }
                await trial.leaveOutNamespacesIfImpossible()
                exit(try await trial.run() ? 0 : 1)
            }
        } catch {
            FileHandle.standardError.write(Data("chaos: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func record(seed: String, seconds: String, delay: String) throws {
        guard let seed = UInt64(seed), let seconds = Double(seconds) else { throw ChaosError("no seed: \(seed)") }
        try Recorder(ProviderFaults(seed: seed, seconds: seconds, calmDelay: Double(delay))).run()
    }

    private static var log: Log { Log(level: getenv(Trial.logLevel) == nil ? .error : .info) }

    private static func work(_ arguments: [String]) async throws {
        let (url, port, name) = (arguments[1], arguments[2], arguments[3])
        let lanes = Lane.all(orOnly: arguments.count > 4 ? Double(arguments[4]) : nil)
        guard let server = HTTPURL("http://127.0.0.1:\(port)") else { throw ChaosError("no port: \(port)") }
        let database = Database(url: url, options: .init(size: 5))
        let worker = Worker(
            name: name, database: database,
            works: lanes.map { WireWork(lane: $0.name, worker: name, server: server) },
            registry: Trial.registry, callsAtOnce: 400, log: log)
        try await ServiceGroup([Lifeline(), worker], log: log, stopLimit: .seconds(10)).runUntilSignalled()
    }

    private static func coordinate(_ arguments: [String]) async throws {
        let database = Database(url: arguments[1], options: .init(size: 3))
        let coordinator = Coordinator(
            name: arguments[2], database: database, registry: Trial.registry, log: log)
        try await ServiceGroup([Lifeline(), coordinator], log: log, stopLimit: .seconds(10)).runUntilSignalled()
    }
}

struct ChaosError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
