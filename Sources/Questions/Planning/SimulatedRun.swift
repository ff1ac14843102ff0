/// The result of a simulation.
package struct SimulatedRun: Sendable {
    /// Seconds from the beginning until the last answer was stored; nil if that never happens, because a lane is
    /// paused.
    package internal(set) var seconds: Double?
    /// The times at which half of the questions, and nine of ten, were answered.
    package internal(set) var halfAfter: Double?
    package internal(set) var nineTenthsAfter: Double?
    package internal(set) var lanes: [Lane]

    package struct Lane: Sendable {
        package let name: String
        /// The calls of the plan's own questions, including retries.
        package internal(set) var calls = 0
        /// The calls that waited there before.
        package internal(set) var othersCalls = 0
        package internal(set) var subjects = 0
        /// The total time of all calls, in seconds.
        package internal(set) var busy = 0.0
        package internal(set) var lastEnd = 0.0
    }
}

extension SimulatedRun {
    /// The calls of the plan's own questions.
    package var calls: Int { lanes.map(\.calls).reduce(0, +) }
}
