import Glibc
import Postgres
import Terminal

extension Application {
    /// Opens the database for a command, runs `body` in one transaction, and closes it again.
    static func asking<Value: Sendable>(
        _ home: Home = .kept, _ body: @Sendable (Application, isolated Connection) throws -> Value
    ) async throws -> Value {
        let app = try await forCommand(home)
        do {
            let value = try await app.database.transaction { try body(app, $0) }
            await app.close()
            return value
        } catch {
            await app.close()
            throw error
        }
    }
}

/// Asks for confirmation before a large change. Without a terminal, `--yes` is the only way.
func confirm(_ question: String, isSure: Bool) throws {
    if isSure { return }
    guard isatty(STDIN_FILENO) == 1 else {
        throw UsageError("\(question) There is no terminal to confirm it; use --yes.")
    }
    Screen.errors.write("\(question) [y/N] ")
    guard ["y", "yes"].contains(readLine()?.lowercased()) else {
        Screen.errors.writeLine("Nothing was changed.")
        throw ExitCode(1)
    }
}
