import Contacts
import Planning
import Postgres
import Queue
import Terminal

/// Plans the geocoding of a source. Writes nothing to the database.
struct PlanWork: Sendable {
    let source: Source
    let account: String
    let wishes: Wishes

    func run(in app: Application) async throws -> PlanReport {
        let contents = try await DryRunWork(source: source, account: account).run(in: app).outcome
        let survey = try await app.database.run { [contacts = app.contacts, registry = app.registry, account] in
            let chain = try contacts.chain(ofAccount: account, on: $0)
            return try Survey.read(along: chain, workers: registry, on: $0)
        }
        if Screen.errors.isTerminal { Screen.errors.write("Simulating …") }
        defer { if Screen.errors.isTerminal { Screen.errors.clearLine() } }
        do {
            let work = try survey.plan(
                contents.load, terms: app.terms, inWorker: app.inWorker, wishes: wishes,
                callsAtOnce: app.settings.callsAtOnce)
            return PlanReport(contents: contents, work: work)
        } catch {
            throw UsageError(
                "the chain of this account has no lane called \"\(error.name)\"; it has "
                    + error.known.joined(separator: ", "))
        }
    }
}
