import Foundation
import Polling
import Processes
import Testing

/// A real terminal of a given size with a shell, drawn by tmux, which reports the visible text.
///
/// https://man.openbsd.org/tmux
final class TestTerminal: Sendable {
    private let name: String
    private let folder: String

    init(columns: Int, rows: Int, in program: Program, environment: [String: String]) async throws {
        name = "waypost-\(UUID().uuidString.prefix(8))"
        folder = program.folder
        try program.write("set -g history-limit 100\nset -g escape-time 0\nset -g status off\n", to: "tmux.conf")
        let variables = Program.environment(environment).filter { $0.key != "TMUX" && $0.key != "NO_COLOR" }
        let outcome = try await ChildProcess.output(
            of: "tmux",
            [
                "-L", name, "-f", "\(folder)/tmux.conf", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
                "env PS1='$ ' sh",
            ], environment: variables.merging(["LANG": "C.UTF-8", "TERM": "screen"]) { _, new in new },
            directory: folder)
        try #require(outcome.exit.isSuccess, "\(String(decoding: outcome.error, as: UTF8.self))")
    }

    /// Ends the programs in the terminal, also when a test failed earlier.
    deinit {
        _ = try? ChildProcess("tmux", ["-L", name, "kill-server"], output: .discarded, error: .discarded)
    }

    /// Types text, or presses keys by their names in tmux, such as `Enter`.
    func type(_ keys: String...) async throws {
        for key in keys { _ = try await tmux("send-keys", key) }
    }

    func resize(columns: Int, rows: Int) async throws {
        _ = try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// All lines of the window.
    func text() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Waits until the window's text is right, and returns it.
    @discardableResult
    func wait(until isRight: (String) throws -> Bool) async throws -> String {
        var text = ""
        do {
            try await pollUntil {
                text = try await self.text()
                return try isRight(text)
            }
        } catch  where Task.isCancelled {
            Issue.record("until the test's time limit the window was not as expected, but:\n\(text)")
            throw error
        }
        return text
    }

    @discardableResult
    func wait(for part: String) async throws -> String { try await wait { $0.contains(part) } }

    /// The process id of the shell.
    func shell() async throws -> Int32 {
        let text = try await tmux("display-message", "-p", "#{pane_pid}")
        return try #require(Int32(text.filter(\.isNumber)))
    }

    private func tmux(_ words: String...) async throws -> String {
        let outcome = try await ChildProcess.output(
            of: "tmux", ["-L", name] + words, environment: ProcessEnvironment.current, directory: folder)
        return String(decoding: outcome.output, as: UTF8.self)
    }
}
