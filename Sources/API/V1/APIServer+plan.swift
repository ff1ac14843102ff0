import Access
import Contacts
import Dispatch
import Formats
import Geocoding
import HTTP
import Questions
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var planRoutes: [APIRoute] {
        APIRoute(.post, "/v1/plan", .write, is: .unremembered, plan)
            .described(
                "postPlan", "Plans the geocoding of contacts: how long it takes, what it costs, and what limits it",
                details: "Nothing is asked and nothing is stored. Up to 100,000 new addresses.",
                body: .contacts, .ok("The plan."))
    }

    /// The most new addresses in a plan. The simulation would take too long for more.
    private static let mostPlanned = 100_000

    /// Plans are made one after the other on a separate thread, because each keeps a core busy.
    private static let desk = DispatchQueue(label: "plans")

    /// Returns how long geocoding these contacts takes, its cost, and its bottleneck. Nothing is stored.
    private func plan(_ request: APIRequest, _ query: PlanQuery) async throws -> Reply<SourcePlan> {
        try request.requireLines()
        var contacts = BodyContacts(request.body)
        let contents = try await dryRun(of: &contacts, for: request.caller)
        return Reply(try await planned(contents, query.wishes, for: request.caller))
    }

    private var terms: [String: ProviderTerms] {
        Dictionary(backend.running.providers.map { ($0.name, $0.terms) }) { first, _ in first }
    }

    /// Counts the contents of a source.
    func dryRun(of contacts: inout some ContactSource, for caller: Caller) async throws -> DryRun.Outcome {
        try await DryRun(account: caller.accountName, terms: terms)
            .run(over: &contacts, on: backend.database(of: caller.account))
    }

    /// Returns the plan for these contents.
    func planned(_ contents: DryRun.Outcome, _ wishes: Wishes, for caller: Caller) async throws -> SourcePlan {
        guard contents.new <= Self.mostPlanned else { throw RequestError.planTooLong(most: Self.mostPlanned) }
        let (terms, running) = (terms, backend.running)
        let survey = try await backend.database(of: caller.account).run { database in
            let chain = try ContactStore().chain(ofAccount: caller.accountName, on: database)
            return try Survey.read(along: chain, workers: ProcessRegistry(), on: database)
        }
        let work = try await withCheckedThrowingContinuation { continuation in
            Self.desk.async {
                continuation.resume(
                    with: Result {
                        try survey.plan(
                            contents.load, terms: terms, inWorker: running.inWorker, wishes: wishes,
                            callsAtOnce: running.callsAtOnce)
                    })
            }
        }
        return SourcePlan(contents, work)
    }
}

struct PlanQuery: QueryInput {
    var wishes = Wishes()

    init(_ query: inout RequestReader) {
        wishes.workers = query.integer("workers", in: 1...1_000, "By default as many as run now.", example: 4)
        wishes.callsAtOnce = query.integer(
            "calls_at_once", in: 1...1_000, "Calls that a worker holds in a lane.", example: 16)
    }
}

extension RequestError {
    fileprivate static func planTooLong(most: Int) -> Self {
        RequestError(
            status: 413, detail: "These are more than \(most) new addresses; plan a part, or use 'waypost plan'.")
    }
}
