import Contacts
import Postgres
import Terminal

struct ExportCommand: Command {
    static let name = "export"
    static let summary = "Write the places of an account's contacts to files."

    @Option(
        "-o", "--output", "FILE", "Where the places go: a name that ends in .csv or .geojson.",
        completion: .files)
    var outputs: [String] = []
    @Option("--account", "NAME", "Whose contacts.") var account = "default"

    func run() async throws {
        try ExportWork.check(outputs)
        let app = try await Application.forCommand()
        try await ExportWork(app: app, filter: PlaceFilter(account: account)).run(to: outputs)
        await app.database.close()
        Screen.errors.writeLine("Wrote \(outputs.joined(separator: ", ")).")
    }
}
