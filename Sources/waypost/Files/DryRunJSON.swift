import Contacts
import Questions
import Queue

/// The form of `geocode --dry-run --json`.
struct DryRunJSON: Encodable {
    struct Lane: Encodable {
        let lane: String
        let calls: Span<Int>
        let seconds: Span<Double>?
        let cost: Span<Double>?
        let currency: String?
        let isPaused: Bool

        init(_ lane: Forecast.Lane) {
            (self.lane, isPaused, currency) = (lane.name, lane.isPaused, lane.price?.currency)
            calls = Span(lane.calls)
            seconds = lane.time.map { Span($0) }
            cost = lane.price.map {
                Span(least: $0.cost(of: lane.calls.lowerBound), most: $0.cost(of: lane.calls.upperBound))
            }
        }
    }

    struct Span<Number: Encodable>: Encodable {
        let least, most: Number
    }

    let contacts, addresses, distinct, known, new, refused: Int
    let calls: Span<Int>
    let seconds: Span<Double>?
    let costs: [String: Span<Double>]
    let lanes: [Lane]

    init(_ outcome: DryRun.Outcome) {
        (contacts, addresses, distinct) = (outcome.contacts, outcome.addresses, outcome.distinct)
        (known, new, refused) = (outcome.known, outcome.new, outcome.refused)
        calls = Span(outcome.forecast.calls)
        seconds = outcome.forecast.time.map { Span($0) }
        costs = outcome.forecast.costs.mapValues { Span($0) }
        lanes = outcome.forecast.lanes.map(Lane.init)
    }
}

extension DryRunJSON.Span where Number: Comparable {
    init(_ range: ClosedRange<Number>) {
        self.init(least: range.lowerBound, most: range.upperBound)
    }
}

extension DryRunJSON.Span<Double> {
    init(_ time: ClosedRange<Duration>) {
        self.init(least: time.lowerBound / .seconds(1), most: time.upperBound / .seconds(1))
    }
}
