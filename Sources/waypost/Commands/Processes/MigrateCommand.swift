import Postgres
import Schema
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
                functions.count < Schema.scripts.functions.count
                    ? "Applied the changed functions: \(names)." : "Applied all functions.")
        }
        let shortfall = done.roles.shortfall.map { "Roles: \($0); \(done.roles.remedy)." }
        Screen.output.writeLine(shortfall ?? "The roles are up to date.")
        await app.close()
    }
}
