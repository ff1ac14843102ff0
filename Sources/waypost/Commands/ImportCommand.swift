import Contacts
import Postgres
import Terminal

struct ImportCommand: Command {
    static let name = "import"
    static let summary = "Read contacts from a CSV file and ask for their places."
    static let discussion = """
        The first row names the columns, in the forms of Google Contacts, Outlook and common sense. A bad row is \
        named by its line and left out; the rest is imported, and the command fails at the end to say so. Importing \
        the same file again finds the same contacts.
        """

    @Argument("FILE", "The CSV file; - reads standard input.", completion: .files) var file: String
    @Option("--account", "NAME", "Whose contacts these are.") var account = "default"
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let app = try await Application.forCommand()
        let outcome = try await ImportWork(app: app, file: file, account: account).run()
        await app.database.close()
        if json {
            try Screen.output.writeJSON(ImportJSON(outcome))
        } else {
            Screen.output.writeLine(
                "Imported \(Readable.count(outcome.counts.friends)) contacts with "
                    + "\(Readable.count(outcome.counts.addresses)) addresses; "
                    + "\(Readable.count(outcome.counts.questions)) had not been asked for before.")
            outcome.reportRefusals(of: file, to: .errors)
        }
        if !outcome.refusals.isEmpty { throw ExitCode(1) }
    }
}

/// The form of `import --json`.
private struct ImportJSON: Encodable {
    struct Refusal: Encodable {
        let line: Int
        let reason: String
    }

    let friends, addresses, questions: Int
    let refused: [Refusal]

    init(_ outcome: ImportWork.Outcome) {
        friends = outcome.counts.friends
        addresses = outcome.counts.addresses
        questions = outcome.counts.questions
        refused = outcome.refusals.map { Refusal(line: $0.line, reason: $0.reason) }
    }
}
