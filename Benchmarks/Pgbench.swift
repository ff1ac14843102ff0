import Foundation
import Processes

/// PostgreSQL's own programs, for comparison.
enum Pgbench {
    /// Runs of `script` per second. A thread for each client works like our clients. Two threads for all clients is
    /// pgbench's fastest setting.
    static func rate(
        _ script: String, callers: Int, threads: Int, seconds: Int, url: String, _ variables: [String] = []
    ) async throws -> Double {
        let output = try await run(
            script, callers: callers, threads: threads, ["-T", "\(seconds)"] + variables, url: url)
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.dropFirst(6).prefix { $0 != " " })
        else { throw CocoaError(.fileReadCorruptFile) }
        return rate
    }

    /// Repeats `script` until each client meets an error, such as a `\gset` without a row.
    static func runUntilItFails(_ script: String, callers: Int, url: String) async throws {
        do { _ = try await run(script, callers: callers, threads: callers, ["-t", "100000000"], url: url) } catch let
            error as ProgramFailure where error.description.contains("expected one row, got 0")
        {}
    }

    static func psql(_ command: String, url: String) async throws {
        _ = try await output(of: "psql", ["-qX", "-c", command, url])
    }

    private static func run(
        _ script: String, callers: Int, threads: Int, _ length: [String], url: String
    ) async throws -> String {
        let file = "/tmp/waypost-bench-\(getpid())-\(UInt32.random(in: 0 ... .max)).sql"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        defer { unlink(file) }
        let arguments = ["-n", "-M", "prepared", "-f", file, "-c", "\(callers)", "-j", "\(threads)"]
        return try await output(of: "pgbench", arguments + length + [url])
    }
}

/// The output of a program. Throws its error output when it fails.
@discardableResult
func output(of program: String, _ arguments: [String], environment: [String: String]? = nil) async throws -> String {
    let outcome = try await ChildProcess.output(of: program, arguments, environment: environment)
    guard outcome.exit.isSuccess else {
        throw ProgramFailure(
            description: "\(program): \(outcome.exit)\n\(String(decoding: outcome.error, as: UTF8.self))")
    }
    return String(decoding: outcome.output, as: UTF8.self)
}

struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}
