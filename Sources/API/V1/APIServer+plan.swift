import Access
import Contacts
import Dispatch
import Formats
import HTTP
import JSON
import Planning
import Queue

extension APIServer {
    /// The most new addresses in a plan. The simulation would take too long for more.
    private static let mostPlanned = 100_000

    /// Plans are made one after the other on a separate thread, because each keeps a core busy.
    private static let desk = DispatchQueue(label: "plans")

    /// `POST /v1/plan`: how long geocoding these contacts takes, its cost, and its bottleneck. Nothing is stored.
    func plan(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        var wishes = Wishes()
        wishes.workers = query.integer("workers", in: 1...1_000)
        wishes.callsAtOnce = query.integer("calls_at_once", in: 1...1_000)
        try query.finish()
        guard request.http.isOfLines else {
            throw RequestError(status: 415, detail: "The body must be sent as application/x-ndjson.", monicaCode: 37)
        }
        let (caller, running) = (request.caller, backend.running)
        let database = backend.database(of: caller.account)
        let terms = Dictionary(running.providers.map { ($0.name, $0.terms) }) { first, _ in first }
        var contacts = BodyContacts(request.body)
        let contents = try await DryRun(account: caller.accountName, terms: terms).run(over: &contacts, on: database)
        guard contents.new <= Self.mostPlanned else { throw RequestError.planTooLong(most: Self.mostPlanned) }
        let survey = try await database.run { database in
            let chain = try ContactStore().chain(ofAccount: caller.accountName, on: database)
            return try Survey.read(along: chain, workers: ProcessRegistry(), on: database)
        }
        let work = try await withCheckedThrowingContinuation { continuation in
            Self.desk.async { [wishes] in
                continuation.resume(
                    with: Result {
                        try survey.plan(
                            contents.load, terms: terms, inWorker: running.inWorker, wishes: wishes,
                            callsAtOnce: running.callsAtOnce)
                    })
            }
        }
        return .json { $0.plan(work, of: contents) }
    }
}

extension RequestError {
    fileprivate static func planTooLong(most: Int) -> Self {
        RequestError(
            status: 413, detail: "These are more than \(most) new addresses; plan a part, or use 'waypost plan'.",
            monicaCode: 37)
    }
}

extension JSONWriter {
    fileprivate mutating func plan(_ work: PlannedWork, of contents: DryRun.Outcome) {
        let plan = work.plan
        object { json in
            json.member("contacts", contents.contacts)
            json.member("refused", contents.refused)
            json.member("addresses", contents.addresses)
            json.member("distinct", contents.distinct)
            json.member("known", contents.known)
            json.member("new", contents.new)
            json.member("workers", work.scenario.workers)
            json.member("calls_at_once", work.scenario.callsAtOnce)
            json.span("calls", plan.least.calls, plan.most.calls)
            // Null if it never ends.
            if let least = plan.least.seconds, let most = plan.most.seconds {
                json.span("seconds", least, most)
            } else {
                json.null("seconds")
            }
            json.member("half_after_seconds", plan.most.halfAfter.map(\.inThousandths))
            json.member("nine_tenths_after_seconds", plan.most.nineTenthsAfter.map(\.inThousandths))
            json.object("costs") { json in
                for (currency, cost) in work.costs.sorted(by: { $0.key < $1.key }) {
                    json.span(currency, cost.least, cost.most)
                }
            }
            json.member("limited_by", plan.bottleneck.words.what.replacing("callsAtOnce", with: "calls_at_once"))
            json.member("limited_in", plan.bottleneck.words.lane)
            json.list("lanes", Array(work.facts.indices)) { json, index in
                json.object { json in
                    json.member("lane", work.facts[index].lane.name)
                    json.span("calls", plan.least.lanes[index].calls, plan.most.lanes[index].calls)
                    json.member("waiting", work.facts[index].lane.outlook.waiting)
                }
            }
            json.list("by_workers", plan.byWorkers) { json, row in
                json.object { json in
                    json.member("workers", row.workers)
                    json.member("seconds", row.seconds.inThousandths)
                }
            }
            json.member("workers_worth_having", plan.workersWorthHaving)
            json.member("answered_questions", work.known)
        }
    }

    private mutating func span(_ name: String, _ least: Int, _ most: Int) {
        object(name) { json in
            json.member("least", least)
            json.member("most", most)
        }
    }

    private mutating func span(_ name: String, _ least: Double, _ most: Double) {
        object(name) { json in
            json.member("least", least.inThousandths)
            json.member("most", most.inThousandths)
        }
    }
}

extension Double {
    /// Rounded to three decimals: more would be false precision.
    fileprivate var inThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
