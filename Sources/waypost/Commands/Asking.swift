import Glibc
import Terminal

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
