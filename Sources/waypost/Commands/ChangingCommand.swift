import Glibc
import Postgres
import Processes
import Terminal

/// A command that changes something in the database, or enqueues work there.
///
/// It first prints the name of the database on standard error. So a person with several databases sees the target in
/// time, and the log of a script contains it. The private database of a folder is not named, because it is the only one
/// there.
protocol ChangingCommand: Command, Changing {}

/// A call of a command that may change something.
protocol Changing: Invocation {
    /// False if it changes nothing, or only prints planned changes.
    var changes: Bool { get }
}

extension ChangingCommand {
    var changes: Bool { true }
}

/// Names the database that `command` is about to change, if it changes one. Invalid settings are ignored here, because
/// the command itself will refuse them.
func nameTarget(of command: any Invocation, _ environment: [String: String] = ProcessEnvironment.current) -> String? {
    var reader = SettingsReader(environment)
    guard let command = command as? any Changing, command.changes,
        let url = reader.secret("DATABASE_URL"), let place = DatabasePlace(url: url)
    else { return nil }
    return "Database: \(place)"
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

/// A command can't be carried out, for a reason that has no type of its own.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Failure {
    static func noJob(_ id: Int) -> Self { Self("there is no job \(id): it has ended, or never existed") }
    static func noToken(_ id: Int) -> Self { Self("there is no token \(id); 'waypost tokens list' shows all") }
    static func noFriend(_ id: Int) -> Self { Self("there is no friend \(id): soft-deleted, or never existed") }

    static func noQuestion(_ id: Int) -> Self {
        Self("there is no question \(id); 'waypost review list' shows those that need review")
    }

    static func noSink(_ name: String) -> Self {
        Self("there is no sink called \"\(name)\"; 'waypost sinks list' shows all")
    }

    /// `advice` names the command that lists the accounts, or creates one.
    static func noAccount(_ name: String, advice: String = "'waypost import --account' creates it") -> Self {
        Self("there is no account called \"\(name)\"; \(advice)")
    }

    /// Users are people, so the sentence does not contain the name.
    static func noTracker(in account: String) -> Self {
        Self(
            "this user has no tracker in account \"\(account)\"; 'waypost trackers list --account \(account)' shows all"
        )
    }
}
