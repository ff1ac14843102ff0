import Contacts
import Formats
import HTTP
import Monitoring
import Postgres
import Terminal
import Wording

/// Imports contacts into an account.
struct ImportWork: Sendable {
    let app: Application
    let source: Source
    let account: String
    /// The feed. A later import with the same name updates its contacts.
    let feed: String
    var isComplete = false
    var mayBeEmpty = false
    var removesDespiteRefusals = false
    /// The path for a table of refused rows.
    var report: String?

    struct Outcome: Sendable {
        let summary: ImportSummary
        let refusals: Refusals

        var counts: SyncCounts { summary.counts }
    }

    func run() async throws -> Outcome { try await app.traced("import") { try await runUntraced() } }

    private func runUntraced() async throws -> Outcome {
        switch source.place {
        case .file(let path):
            var reader = try source.open(path)
            return try await run(over: &reader)
        case .server(let url):
            let http = app.settings.providers.newClient()
            var contacts = MonicaContacts(
                MonicaServer(url: url, token: try token, http: http).pages(options: source.options))
            let outcome = try await run(over: &contacts)
            await http.close()
            return outcome
        }
    }

    private func run(over contacts: inout some ContactSource) async throws -> Outcome {
        var refusals = try Refusals.Log(of: source.name, report: report)
        var bar = ProgressBar("Importing", total: contacts.totalSize, unit: unit)
        defer { bar.erase() }
        let account = try await app.database.run { [contacts = app.contacts, account] in
            try contacts.openAccount(named: account, on: $0)
        }
        var work = ImportRun(database: app.database, account: account)
        (work.feed, work.fingerprint, work.isComplete) = (feed, source.fingerprint, isComplete)
        (work.mayBeEmpty, work.removesDespiteRefusals) = (mayBeEmpty, removesDespiteRefusals)
        let summary = try await work.run(&contacts) { entry in
            try refusals.add(entry)
        } onProgress: { progress in
            bar.update(
                done: progress.bytesRead, total: progress.totalSize,
                label: Words.count(progress.contacts, "contact"))
        }
        return Outcome(summary: summary, refusals: try refusals.finish())
    }

    /// The progress of a server is counted in contacts.
    private var unit: ProgressBar.Unit { if case .server = source.place { .count } else { .bytes } }

    private var token: String {
        get throws {
            if let token = app.settings.monicaToken { return token }
            throw UsageError(
                "WAYPOST_MONICA_TOKEN is not set; create a token in Monica under Settings > API, and set it")
        }
    }
}
