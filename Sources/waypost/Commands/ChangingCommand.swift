import Operations
import Postgres
import Terminal

/// A command that changes something in the database, or queues work there.
///
/// Before it does, it says on standard error which database that is: who works on several sees in time, and later in the log of a script,
/// which one it was. The private one of a folder is not named, for there is no other.
protocol ChangingCommand: Command {
    /// False where it only shows what it would do.
    var changes: Bool { get }
}

extension ChangingCommand {
    var changes: Bool { true }
}

/// Names the database that `command` is about to change, if it changes one. Settings that are wrong the command itself will refuse.
func nameTarget(of command: any Command, _ environment: [String: String] = ProcessEnvironment.current) -> String? {
    var reader = SettingsReader(environment)
    guard let command = command as? any ChangingCommand, command.changes,
        let url = reader.secret("DATABASE_URL"), let place = DatabasePlace(url: url)
    else { return nil }
    return "Database: \(place)"
}
