import Postgres
import Terminal

struct MigrateCommand: ChangingCommand {
    static let name = "migrate"
    static let summary = "Bring the database's schema and its roles up to date."
    static let discussion = "Safe to run at any time, and by any number of processes at once."

    func run() async throws {
        let settings = try Settings.current()
        try await settings.waitForCluster()
        let app = Application(
            settings, url: try Application.url(for: settings), connections: 2, patience: .seconds(30))
        let done = try await app.prepareDatabase()
        let (migrations, functions) = (done.changes.migrations, done.changes.functions)
        if done.changes.isEmpty { Screen.output.writeLine("The schema is up to date.") }
        if !migrations.isEmpty {
            Screen.output.writeLine("Took the migrations \(migrations.map(String.init).joined(separator: ", ")).")
        }
        if !functions.isEmpty {
            let names = functions.joined(separator: ", ")
            Screen.output.writeLine(
                migrations.isEmpty ? "Applied the changed functions: \(names)." : "Applied all functions.")
        }
        let missing = done.missingRoles.map { "Roles: \($0); \(Remedy.sentence(for: $0) ?? "")." }
        Screen.output.writeLine(missing ?? "The roles are up to date.")
        await app.close()
    }
}
