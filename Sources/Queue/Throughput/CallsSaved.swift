/// How many calls were saved because addresses are shared or known: what each address of its own would have cost, less what was called.
package struct CallsSaved: Sendable, Equatable {
    /// Addresses that have an answer now, of all accounts.
    package let answered: Int
    /// Calls that providers got, as long as the counters are kept. One that carried many addresses counts as so many: to send
    /// them together saves nothing here.
    package let called: Int

    /// At least one call for each address. Calls that were repeated or went on to another link count against it.
    package var saved: Int { max(0, answered - called) }

    package init(answered: Int, lanes: [LaneState]) {
        self.answered = answered
        called = lanes.filter { !$0.isOfSink }.map { max($0.calls, $0.subjects) }.reduce(0, +)
    }
}

extension LaneState {
    /// Whether it uploads locations, and calls no provider.
    fileprivate var isOfSink: Bool { lane.hasPrefix("upload:") }
}
