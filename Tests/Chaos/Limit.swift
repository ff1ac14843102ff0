import Queue

/// A limit: at most `capacity + refill * t` calls in any window of `t` seconds.
struct Limit {
    let refill: Double
    let per: Double
    let capacity: Double

    var rate: Double { refill / per }

    var rateLimit: RateLimit? { RateLimit(refill, per: .seconds(per), burst: capacity) }

    /// How many calls more than permitted were seen in the worst of all windows; negative when some were to spare.
    func excess(of calls: [Double], slack: Double) -> Double { worstWindow(of: calls, slack: slack).excess }

    /// That window, and by how many calls it is over.
    ///
    /// `slack` is what a call may take to arrive, in seconds. A window that begins with call i and ends with call j
    /// holds j - i + 1 calls, so it is enough to carry the best beginning along.
    func worstWindow(of calls: [Double], slack: Double) -> (excess: Double, window: ClosedRange<Int>) {
        var worst = (excess: -Double.infinity, window: 0...0)
        var best = (value: -Double.infinity, place: 0)
        for (number, at) in calls.enumerated() {
            let beginning = rate * at - Double(number)
            if beginning > best.value { best = (beginning, number) }
            let excess = Double(number + 1) - rate * (at + slack) + best.value - capacity
            if excess > worst.excess { worst = (excess, best.place...number) }
        }
        return worst
    }

    /// The share of what was permitted between two moments that was used. A grace, in seconds, that finds no burst to be
    /// taken from lies between the calls.
    func used(_ calls: Int, seconds: Double, grace: Double) -> Double {
        let spacing = 1 / rate + max(0, grace - (capacity - 1) / rate)
        return Double(calls) / (capacity + seconds / spacing)
    }
}
