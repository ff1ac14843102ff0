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
