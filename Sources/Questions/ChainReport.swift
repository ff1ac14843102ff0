package import Geocodes
package import Postgres
package import Queue

/// What each lane of a chain was worth: how many questions it was called for, how many it located, and what that cost.
///
/// Of the questions whose answers are kept. What was called again after a fault, and what was asked for answers that were deleted or have
/// expired since, nobody knows any more.
package struct ChainReport: Sendable {
    package struct Link: Sendable {
        package let tally: LaneTally
        /// Its price now, and what the calls cost by it, if each carried as many questions as it may; nil where no price was set.
        package let price: Price?
        package let cost: Double?

        /// Of the questions for which it was called, those that it located, weak ones too; nil where there were none.
        package var share: Double? {
            tally.asked > 0 ? Double(tally.resolved + tally.weak) / Double(tally.asked) : nil
        }
    }

    package let chain: String
    package let questions: Int
    /// In the order of the chain as it is now, and then those that it had before.
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
