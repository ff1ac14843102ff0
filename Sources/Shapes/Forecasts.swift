package import Contacts
package import JSON
package import Questions
import Queue

extension DryRun.Outcome: Shaped {
    package static let shape = Shape<DryRun.Outcome>("DryRun", "The contents of a source, and their cost.") {
        Member("contacts", example: 2) { $0.contacts }
        Member("refused", "Contacts, and parts of them, that an import would leave out.", example: 0) { $0.refused }
        Member("addresses", example: 2) { $0.addresses }
        Member("distinct", example: 2) { $0.distinct }
        Member("known", "Of the distinct ones, those that need no call.", example: 0) { $0.known }
        Member("new", example: 2) { $0.new }
        Including { $0.forecast }
    }
}

/// The contents of a source, and a plan with workers.
package struct SourcePlan: Shaped {
    private var contents: DryRun.Outcome
    private let work: PlannedWork

    package init(_ contents: DryRun.Outcome, _ work: PlannedWork) {
        (self.contents, self.work) = (contents, work)
        self.contents.forecast = work.forecast
    }

    package static let shape = Shape<SourcePlan>("Plan", "The cost of geocoding contacts, with workers.") {
        Including { $0.contents }
        Including { $0.work }
    }
}

/// The answer to a request to ask questions again.
package struct RematchResult: Shaped {
    private let outlook: Rematch.Outlook
    private let asked: Int
    private let isDry: Bool

    package init(_ outlook: Rematch.Outlook, asked: Int, isDry: Bool) {
        (self.outlook, self.asked, self.isDry) = (outlook, asked, isDry)
    }

    package static let shape = Shape<RematchResult>("Rematch", "The questions that are asked again, and their cost.") {
        Member("dry_run", example: true) { $0.isDry }
        Member("questions", "The number of selected questions.", example: 40) { $0.outlook.questions }
        Member("under_way", "Selected questions that are being asked again already.", example: 0) {
            $0.outlook.underWay
        }
        Member("asked", "Questions that this request asks.", example: 0) { $0.asked }
        Including { $0.outlook.forecast }
    }
}

extension Forecast: Shaped {
    package static let shape = Shape<Forecast>("Forecast", "Calls, time and money, from the least to the most.") {
        Member("calls", example: 40...240) { $0.calls }
        Member(
            "seconds", "Null without limits, or if it never ends because a lane is paused.",
            example: Thousandths(39)...Thousandths(239)
        ) { $0.time?.inThousandths }
        Member(
            "costs", "By currency, of the lanes that have a price.",
            example: ["USD": Thousandths(0.2)...Thousandths(1.2)]
        ) { $0.costs.mapValues(\.inThousandths) }
        Member("lanes") { $0.lanes }
    }
}

extension Forecast.Lane: Shaped {
    package static let shape = Shape<Forecast.Lane>("ForecastLane", "The work of one lane.") {
        Member("lane", example: "nominatim") { $0.name }
        Member("calls", example: 40...240) { $0.calls }
        Member("seconds", "At its limits; null without limits.", example: Thousandths(39)...Thousandths(239)) {
            $0.time?.inThousandths
        }
        Member("cost", "Null without a price.", example: Thousandths(0.2)...Thousandths(1.2)) {
            $0.cost?.inThousandths
        }
        Member("currency", example: "USD") { $0.price?.currency }
        Member("is_paused") { $0.isPaused }
        Member("waiting", "Jobs that wait there already.", example: 0) { $0.waiting }
    }
}

extension PlannedWork: Shaped {
    package static let shape = Shape<PlannedWork>("PlannedWork", "A plan with workers, and its bottleneck.") {
        Member("workers", example: 1) { $0.scenario.workers }
        Member("calls_at_once", "Calls that a worker holds in a lane.", example: 16) { $0.scenario.callsAtOnce }
        Member("half_after_seconds", example: Thousandths(120)) { $0.plan.most.halfAfter.map(Thousandths.init) }
        Member("nine_tenths_after_seconds", example: Thousandths(215)) {
            $0.plan.most.nineTenthsAfter.map(Thousandths.init)
        }
        Member("limited_by", example: "limits") { $0.plan.bottleneck.words.what }
            .choices(["nothing", "pause", "limits", "workers", "calls_at_once", "machine", "latency"])
        Member("limited_in", "The lane that limits it.", example: "nominatim") { $0.plan.bottleneck.words.lane }
        Member("by_workers") { $0.plan.byWorkers.map { Crew(workers: $0.workers, seconds: $0.seconds) } }
        Member("workers_worth_having", example: 1) { $0.plan.workersWorthHaving }
        Member(
            "answered_questions", "The answered questions that show the ways of the new ones; null if too few."
        ) { $0.known }
    }

    private struct Crew: Shaped {
        let workers: Int
        let seconds: Double

        static let shape = Shape<Crew>("", "") {
            Member("workers", example: 1) { $0.workers }
            Member("seconds", example: Thousandths(239)) { Thousandths($0.seconds) }
        }
    }
}

/// A number with three decimals. More would be false precision.
package struct Thousandths: JSONRepresentable, Comparable {
    private let value: Double

    init(_ value: Double) { self.value = (value * 1_000).rounded() / 1_000 }

    package static func < (one: Self, other: Self) -> Bool { one.value < other.value }
    package func write(to json: inout JSONWriter) { json.value(value) }
    package static var schema: Schema { .number(0...) }
}

extension ClosedRange<Double> {
    fileprivate var inThousandths: ClosedRange<Thousandths> { Thousandths(lowerBound)...Thousandths(upperBound) }
}

extension ClosedRange<Duration> {
    fileprivate var inThousandths: ClosedRange<Thousandths> {
        Thousandths(lowerBound / .seconds(1))...Thousandths(upperBound / .seconds(1))
    }
}

/// The least and the most.
extension ClosedRange: JSONRepresentable where Bound: JSONRepresentable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("least") { lowerBound.write(to: &$0) }
            json.member("most") { upperBound.write(to: &$0) }
        }
    }

    package static var schema: Schema {
        .object {
            Field("least", Bound.schema)
            Field("most", Bound.schema)
        }
    }
}
