package import Geocoding
package import Queue

/// The cost of new addresses: calls, time and money, each from the least to the most.
///
/// The least applies if the first link answers everything, the most if every link of the chain is called with every
/// step. Assumes full batches and no failures.
package struct Forecast: Hashable, Sendable {
    /// In the order of the chain.
    package let lanes: [Lane]
    /// Nil without limits, or if it never ends.
    package let time: ClosedRange<Duration>?

    /// The work of one lane.
    package struct Lane: Hashable, Sendable {
        package let name: String
        package let calls: ClosedRange<Int>
        /// How long its limits make that take, after the jobs that wait there already; nil without limits.
        package let time: ClosedRange<Duration>?
        /// The price of 1,000 calls; nil if no price was set.
        package let price: Price?
        /// No call is made before a person resumes it.
        package let isPaused: Bool
        /// The calls of the jobs that wait there already.
        package let waiting: Int
    }

    package init(_ lanes: [Lane], time: ClosedRange<Duration>?) {
        (self.lanes, self.time) = (lanes, time)
    }

    /// Without workers, so only the limits cost time. `loads` are those of several chains, and `terms` those of the
    /// lanes' providers. If one is missing, every step is counted.
    package init(_ loads: [ChainLoad], lanes outlooks: [LaneOutlook], terms: [String: ProviderTerms] = [:]) {
        var calls: [String: ClosedRange<Int>] = [:]
        var order: [String] = []
        for load in loads {
            for (index, link) in load.chain.links.enumerated() {
                let batch = outlooks.first { $0.lane == link.lane }?.batch ?? 1
                let least = load.starting[index].calls(of: batch)
                let most = load.coming[index].calls(of: batch) * link.calls(under: terms[link.lane])
                if calls[link.lane] == nil { order.append(link.lane) }
                calls[link.lane] = calls[link.lane, default: 0...0] + (least...most)
            }
        }
        let lanes = order.map { name in Lane(name, calls[name] ?? 0...0, outlooks.first { $0.lane == name }) }
        // The slowest lane decides, because lanes work in parallel.
        let times = lanes.compactMap(\.time)
        let (least, most) = (times.map(\.lowerBound).max(), times.map(\.upperBound).max())
        self.init(lanes, time: least.flatMap { least in most.map { least...$0 } })
    }
}

extension Forecast {
    package var calls: ClosedRange<Int> { lanes.map(\.calls).reduce(0...0, +) }

    /// By currency, for the lanes that have a price.
    package var costs: [String: ClosedRange<Double>] {
        var costs: [String: ClosedRange<Double>] = [:]
        for lane in lanes {
            guard let price = lane.price, let cost = lane.cost else { continue }
            costs[price.currency] = costs[price.currency, default: 0...0] + cost
        }
        return costs
    }
}

extension ClosedRange where Bound: AdditiveArithmetic {
    fileprivate static func + (one: Self, other: Self) -> Self {
        one.lowerBound + other.lowerBound...one.upperBound + other.upperBound
    }
}

extension Forecast.Lane {
    /// Nil if no price was set.
    package var cost: ClosedRange<Double>? {
        price.map { $0.cost(of: calls.lowerBound)...$0.cost(of: calls.upperBound) }
    }

    package init(_ name: String, _ calls: ClosedRange<Int>, _ outlook: LaneOutlook?) {
        self.name = name
        self.calls = calls
        price = outlook?.price
        isPaused = outlook?.isPaused ?? false
        waiting = outlook?.waiting ?? 0
        if let least = outlook?.time(for: calls.lowerBound), let most = outlook?.time(for: calls.upperBound) {
            time = least...most
        } else {
            time = nil
        }
    }
}

extension Chain.Link {
    /// Returns by how many steps an address may be put to a provider with these terms. Each step is a call.
    package func calls(under terms: ProviderTerms?) -> Int {
        // A provider that knows no streets is called once.
        if let terms, terms.finest > .street { return 1 }
        let forms = terms?.forms ?? [.structured, .freeForm]
        let steps = steps.map(Set.init) ?? terms?.steps
        let possible = LadderStep.allCases.filter { step in
            switch step {
            case .structured: forms.contains(.structured)
            case .freeForm: forms.contains(.freeForm)
            // The first query already has no unit in it.
            case .withoutUnit: false
            case .plainNumber, .withoutTown, .withoutHouseNumber, .withoutStreet: true
            }
        }
        // If a chain permits none of them, the first step is used anyway.
        return max(1, possible.filter { steps?.contains($0) ?? true }.count)
    }
}

extension Int {
    /// How many calls of up to `batch` subjects this number of subjects needs.
    fileprivate func calls(of batch: Int) -> Int { (self + batch - 1) / batch }
}
