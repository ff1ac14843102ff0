/// The number of calls saved because addresses are shared or known: one call for each address, minus the calls made.
package struct CallsSaved: Sendable, Equatable {
    /// Addresses that have an answer now, of all accounts.
    package let answered: Int
    /// Calls that providers received, for as long as the counters are kept. A call with many addresses counts once for
    /// each, because batching is not a saving here.
    package let called: Int

    /// Assumes one call for each address. Calls that were repeated, or that were made for another link, reduce the
    /// saving.
    package var saved: Int { max(0, answered - called) }

    package init(answered: Int, lanes: [LaneState]) {
        self.answered = answered
        called = lanes.filter { !$0.isOfSink }.map { max($0.calls, $0.subjects) }.reduce(0, +)
    }
}

extension LaneState {
    /// True if the lane uploads locations and calls no provider.
    fileprivate var isOfSink: Bool { lane.hasPrefix("upload:") }
}
