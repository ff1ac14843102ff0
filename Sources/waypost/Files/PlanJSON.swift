import Contacts
import Planning
import Queue

/// The form of `plan --json`.
struct PlanJSON: Encodable {
    struct Span<Number: Encodable>: Encodable {
        let least, most: Number
    }

    struct Lane: Encodable {
        let lane: String
        let limits: [String]
        let calls: Span<Int>
        let waiting: Int
        let callSeconds: Double?
        let callSecondsFrom: String
        let callsPerSecond: Double?
        let inFlight: Double?
        let workers: Int?
        let price: String?
    }

    struct Workers: Encodable {
        let workers: Int
        let seconds: Double
    }

    let contacts, addresses, distinct, known, new, refused: Int
    let workers, callsAtOnce: Int
    /// Null if it never ends.
    let seconds: Span<Double>?
    let halfAfter, nineTenthsAfter: Double?
    let calls: Span<Int>
    let costs: [String: Span<Double>]
    let limitedBy: String
    let limitedIn: String?
    let lanes: [Lane]
    let byWorkers: [Workers]
    let workersWorthHaving: Int
    /// How many answered questions the estimate of the new ones is based on; null if there are too few.
    let answeredQuestions: Int?

    init(_ report: PlanReport) {
        let (contents, plan) = (report.contents, report.plan)
        (contacts, addresses, distinct) = (contents.contacts, contents.addresses, contents.distinct)
        (known, new, refused) = (contents.known, contents.new, contents.refused)
        (workers, callsAtOnce) = (report.scenario.workers, report.scenario.callsAtOnce)
        seconds = plan.least.seconds.flatMap { least in
            plan.most.seconds.map { Span(least: least.inThousandths, most: $0.inThousandths) }
        }
        (halfAfter, nineTenthsAfter) = (plan.most.halfAfter?.inThousandths, plan.most.nineTenthsAfter?.inThousandths)
        calls = Span(least: plan.least.calls, most: plan.most.calls)
        costs = report.work.costs.mapValues { Span(least: $0.least, most: $0.most) }
        (limitedBy, limitedIn) = plan.bottleneck.words
        lanes = report.facts.enumerated().map { index, fact in Lane(fact, index, plan) }
        byWorkers = plan.byWorkers.map { Workers(workers: $0.workers, seconds: $0.seconds.inThousandths) }
        workersWorthHaving = plan.workersWorthHaving
        answeredQuestions = report.work.known
    }
}

extension PlanJSON.Lane {
    fileprivate init(_ fact: LaneFacts, _ index: Int, _ plan: WorkPlan) {
        lane = fact.lane.name
        limits = fact.lane.outlook.limits.map(\.limit.text)
        calls = PlanJSON.Span(least: plan.least.lanes[index].calls, most: plan.most.lanes[index].calls)
        waiting = fact.lane.outlook.waiting
        let need = plan.lanes.first { $0.name == fact.lane.name }
        callSeconds = need?.callSeconds.inThousandths
        callSecondsFrom =
            switch fact.source {
            case .wish: "option"
            case .measured: "measured"
            case .assumed: "assumed"
            }
        (callsPerSecond, inFlight, workers) = (
            need?.callsPerSecond?.inThousandths, need?.inFlight?.inThousandths, need?.workers
        )
        price = fact.lane.outlook.price?.text
    }
}

extension Double {
    /// Rounded to three decimals: more would be false precision.
    fileprivate var inThousandths: Double { (self * 1_000).rounded() / 1_000 }
}
