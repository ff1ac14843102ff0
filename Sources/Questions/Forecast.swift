package import Geocodes
package import Geocoding
package import Queue

/// The cost of new addresses: calls, time and money, each from the least to the most.
///
/// The least is needed when the first link answers everything, the most when every link of the chain is called with
/// every step. Calls carry as many addresses as they may, and none fails.
package struct Forecast: Hashable, Sendable {
    /// In the order in which the chain comes to them.
    package let lanes: [Lane]

    /// What one lane has to do.
    package struct Lane: Hashable, Sendable {
        package let name: String
        package let calls: ClosedRange<Int>
        /// How long its limits make that take, after what waits there already; nil where it has none.
        package let time: ClosedRange<Duration>?
        /// What 1,000 calls cost; nil if no price was set.
        package let price: Price?
        /// No call is made before a person resumes it.
        package let isPaused: Bool
    }

    /// `terms` are those of the lanes' providers; where one is missing, every step is reckoned with.
    package init(_ load: ChainLoad, lanes outlooks: [LaneOutlook], terms: [String: ProviderTerms] = [:]) {
        self.init([load], lanes: outlooks, terms: terms)
    }

    /// Of addresses that go along several chains.
    package init(_ loads: [ChainLoad], lanes outlooks: [LaneOutlook], terms: [String: ProviderTerms] = [:]) {
        var lanes: [String: ClosedRange<Int>] = [:]
        var order: [String] = []
        for load in loads {
            for (index, link) in load.chain.links.enumerated() {
                let batch = outlooks.first { $0.lane == link.lane }?.batch ?? 1
                let least = load.starting[index].calls(of: batch)
                let most = load.coming[index].calls(of: batch) * link.calls(under: terms[link.lane])
                if let before = lanes[link.lane] {
                    lanes[link.lane] = before.lowerBound + least...before.upperBound + most
                } else {
                    lanes[link.lane] = least...most
                    order.append(link.lane)
                }
            }
        }
        self.lanes = order.map { name in Lane(name, lanes[name] ?? 0...0, outlooks.first { $0.lane == name }) }
    }
}

extension Forecast {
    package var calls: ClosedRange<Int> {
        lanes.map(\.calls).reduce(0...0) { $0.lowerBound + $1.lowerBound...$0.upperBound + $1.upperBound }
    }

    /// Lanes work at the same time, so the slowest one's; nil where none of them has limits.
    package var time: ClosedRange<Duration>? {
        let times = lanes.compactMap(\.time)
        guard let least = times.map(\.lowerBound).max(), let most = times.map(\.upperBound).max() else { return nil }
        return least...most
    }

    /// By currency, of the lanes that have a price.
    package var costs: [String: ClosedRange<Double>] {
        var costs: [String: ClosedRange<Double>] = [:]
        for lane in lanes {
            guard let price = lane.price else { continue }
            let before = costs[price.currency] ?? 0...0
            costs[price.currency] =
                before.lowerBound + price.cost(of: lane.calls.lowerBound)...before.upperBound
                + price.cost(of: lane.calls.upperBound)
        }
        return costs
    }
}

extension Forecast.Lane {
    fileprivate init(_ name: String, _ calls: ClosedRange<Int>, _ outlook: LaneOutlook?) {
        self.name = name
        self.calls = calls
        price = outlook?.price
        isPaused = outlook?.isPaused ?? false
        if let least = outlook?.time(for: calls.lowerBound), let most = outlook?.time(for: calls.upperBound) {
            time = least...most
        } else {
            time = nil
        }
    }
}

extension Chain.Link {
    /// In how many ways an address may be put to a provider of these terms, each of which is a call.
    package func calls(under terms: ProviderTerms?) -> Int {
        // Who knows no streets is called once.
        if let terms, terms.finest > .street { return 1 }
        let forms = terms?.forms ?? [.structured, .freeForm]
        let steps = steps.map(Set.init) ?? terms?.steps
        let possible = LadderStep.allCases.filter { step in
            switch step {
            case .structured: forms.contains(.structured)
            case .freeForm: forms.contains(.freeForm)
            // The first query has no unit in it already.
            case .withoutUnit: false
            case .plainNumber, .withoutTown, .withoutHouseNumber, .withoutStreet: true
            }
        }
        // Where a chain permits none of them, the first is taken all the same.
        return max(1, possible.filter { steps?.contains($0) ?? true }.count)
    }
}

extension Int {
    /// How many calls of up to `batch` carry so many.
    fileprivate func calls(of batch: Int) -> Int { (self + batch - 1) / batch }
}
