package import Postgres
package import Queue

/// The value of each lane of a chain: how many questions it was called for, how many it located, and the cost.
///
/// Counts only questions whose answers are stored. Calls repeated after a fault, and calls for answers that were
/// deleted or have expired since then, are not known.
package struct ChainReport: Sendable {
    package struct Link: Sendable {
        package let tally: LaneTally
        /// Its present price, and the cost of the calls at that price if each had a full batch; nil if no price was
        /// set.
        package let price: Price?
        package let cost: Double?

        /// The share that it located, weak ones included, of the questions for which it was called; nil if there were
        /// none.
        package var share: Double? {
            tally.asked > 0 ? Double(tally.resolved + tally.weak) / Double(tally.asked) : nil
        }
    }

    package let chain: String
    package let questions: Int
    /// In the order of the present chain, followed by the lanes of former versions.
    package let links: [Link]
}

extension QuestionQueue {
    package func report(on chain: StoredChain, on database: isolated Connection) throws -> ChainReport {
        let (questions, tallies) = try geocodes.tallies(ofChain: chain.name, on: database)
        let lanes = try jobs.lanes(on: database).map(\.outlook)
        var order: [String] = []
        for lane in chain.plan.links.map(\.lane) + tallies.map(\.lane).sorted() where !order.contains(lane) {
            order.append(lane)
        }
        return ChainReport(
            chain: chain.name, questions: questions,
            links: order.map { name in
                let tally =
                    tallies.first { $0.lane == name }
                    ?? LaneTally(lane: name, asked: 0, resolved: 0, weak: 0, calls: 0)
                let lane = lanes.first { $0.lane == name }
                let batch = lane?.batch ?? 1
                return ChainReport.Link(
                    tally: tally, price: lane?.price, cost: lane?.price?.cost(of: (tally.calls + batch - 1) / batch))
            })
    }
}
