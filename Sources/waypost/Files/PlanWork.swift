import Contacts
import Geocoding
import HTTP
import Planning
import Postgres
import Queue
import Terminal

/// Plans the geocoding of a source, without writing anything.
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
        let ways = ChainWays(contents.load, terms: app.terms, answered: survey.ways)
        if let unknown = wishes.lanes.subtracting(ways.lanes).min() {
            throw UsageError(
                "the chain of this account has no lane called \"\(unknown)\"; it has "
                    + ways.lanes.joined(separator: ", "))
        }
        let inWorker = Set(app.providers.filter { !($0 is any HTTPCaller) }.map(\.name))
        let (scenario, facts) = survey.scenario(
            for: ways, inWorker: inWorker, wishes: wishes, callsAtOnce: app.settings.callsAtOnce)
        if Screen.errors.isTerminal { Screen.errors.write("Simulating …") }
        defer { if Screen.errors.isTerminal { Screen.errors.clearLine() } }
        return PlanReport(
            contents: contents, scenario: scenario, facts: facts, known: ways.known,
            plan: WorkPlan(scenario, longest: ways.work(.longest)))
    }
}
