import Foundation
import Processes
import Testing

/// The built program, run like a person or a script would run it.
final class Program: Sendable {
    /// Its own folder, which is the working directory of everything it starts. The folder is removed with the suite's
    /// instance, at the end of the test.
    let folder: String

    init() {
        folder = FileManager.default.temporaryDirectory.appending(path: "waypost-\(UUID().uuidString)").path
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            fatalError("\(folder): \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The program is next to the test bundle.
    static var path: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "waypost").path
    }

    static var sample: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/sample/contacts.csv").standardizedFileURL.path
    }

    struct Outcome {
        let code: Int32?
        let output: String
        let error: String

        /// Compares the exit code and the whole output, and finds texts in the output and in the errors.
        @discardableResult
        func expect(
            _ code: Int32? = nil, prints output: String? = nil, has texts: String..., error hints: String...,
            sourceLocation: SourceLocation = #_sourceLocation
        ) -> Self {
            func check(_ holds: Bool, _ expected: String) {
                if !holds { Issue.record("expected \(expected): \(self)", sourceLocation: sourceLocation) }
            }
            if let code { check(self.code == code, "the exit code \(code)") }
            if let output { check(self.output == output, "the output \(output.debugDescription)") }
            for text in texts { check(self.output.contains(text), "the output to have \(text.debugDescription)") }
            for hint in hints { check(error.contains(hint), "the errors to have \(hint.debugDescription)") }
            return self
        }
    }

    /// Runs a line of words. Those of `more` may contain spaces.
    func run(_ line: String, _ more: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await run(line.split(separator: " ").map(String.init) + more, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let outcome = try await ChildProcess.output(
            of: Self.path, arguments, environment: Self.environment(environment), directory: folder)
        var code: Int32?
        if case .code(let number) = outcome.exit { code = number }
        return Outcome(
            code: code, output: String(decoding: outcome.output, as: UTF8.self),
            error: String(decoding: outcome.error, as: UTF8.self))
    }

    /// None of the caller's settings, and no API server, because several would compete for its port.
    static func environment(_ more: [String: String]) -> [String: String] {
        ProcessEnvironment.current
            .filter { !$0.key.hasPrefix("WAYPOST_") && !$0.key.hasPrefix("PG") && $0.key != "DATABASE_URL" }
            .merging(["WAYPOST_LISTEN": "off"]) { _, new in new }
            .merging(more) { _, new in new }
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }
}

/// A program that runs until it is told to stop, with its log.
final class RunningProgram: Sendable {
    let process: ChildProcess
    private let (lines, inbox) = AsyncStream.makeStream(of: String.self)

    convenience init(_ program: Program, _ arguments: String..., environment: [String: String] = [:]) throws {
        try self.init(program, arguments, environment: environment)
    }

    init(_ program: Program, _ arguments: [String], environment: [String: String] = [:]) throws {
        process = try ChildProcess(
            Program.path, arguments, environment: Program.environment(environment), directory: program.folder,
            output: .discarded, error: .lines { [inbox] in inbox.yield($0) })
    }

    /// Waits for a line that contains `text`, and returns it.
    @discardableResult
    func wait(for text: String) async throws -> String {
        for await line in lines where line.contains(text) { return line }
        throw CancellationError()
    }

    /// Its child processes that run `waypost COMMAND`.
    func children(_ command: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { pid in
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")
            else { return false }
            let parent = status.split(separator: ")").last?.split(separator: " ").dropFirst().first
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return parent == "\(process.pid)" && words.dropFirst().first == command
        }
    }
}
