package import Queue

/// Everything that decides how long work takes.
package struct Scenario: Sendable {
    package var lanes: [Lane]
    /// How many questions take which ways.
    package var work: [(way: WaySample, count: Int)]
    package var workers: Int
    /// The most calls that one worker holds in a lane, including those whose slots are still to come.
    package var callsAtOnce: Int
    package var costs = Costs()
    package var seed: UInt64 = 1

    package init(lanes: [Lane], work: [(way: WaySample, count: Int)], workers: Int, callsAtOnce: Int) {
        self.lanes = lanes
        self.work = work
        self.workers = workers
        self.callsAtOnce = callsAtOnce
    }

    package struct Lane: Sendable {
        package var outlook: LaneOutlook
        package var times: CallTimes
        /// The most calls at once, by all workers together and by one worker. Nil: as many as the workers have room
        /// for.
        package var callsAtOnce: Int?
        package var callsPerWorker: Int?
        /// The share of calls that fail and are repeated.
        package var faults = 0.0
        /// The share of slots that pass unused, because a worker was too slow for the lane's grace.
        package var missedSlots = 0.0
        package var retryWait = RetryWait()

        package init(
            _ outlook: LaneOutlook, times: CallTimes, callsAtOnce: Int? = nil, callsPerWorker: Int? = nil,
            faults: Double = 0
        ) {
            self.outlook = outlook
            self.times = times
            self.callsAtOnce = callsAtOnce
            self.callsPerWorker = callsPerWorker
            self.faults = faults
        }

        package var name: String { outlook.lane }
    }

    /// The time that the database adds to a call, in seconds.
    package struct Costs: Hashable, Sendable {
        /// From the claim until the jobs have arrived.
        package var claim = 0.003
        /// From the end of a call until its result is stored and its place is free.
        package var record = 0.005
        var recordSubject = 0.000_02

        package init() {}
    }
}

/// The ways of questions; each way has the same number of questions. A way is the lanes of its calls, in order.
package struct WaySample: Hashable, Sendable {
    /// Indexes in the list of lanes. No way is empty.
    package let ways: [[Int]]

    package init(_ ways: [[Int]]) { self.ways = ways }
}
