import Queue

/// A limit: at most `capacity + refill * t` calls in any window of `t` seconds.
struct Limit {
    let refill: Double
    let per: Double
    let capacity: Double

    var rate: Double { refill / per }

    var rateLimit: RateLimit? { RateLimit(refill, per: .seconds(per), burst: capacity) }

    /// By how many calls the worst window exceeds the limit; negative if every window is below it.
    func excess(of calls: [Double], slack: Double) -> Double { worstWindow(of: calls, slack: slack).excess }

    /// The worst window, and by how many calls it exceeds the limit.
    ///
    /// `slack` is the longest time until a call arrives, in seconds. A window from call i to call j contains j - i + 1
    /// calls, so one pass that remembers the best beginning is enough.
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

    /// The used share of the calls that were permitted in a period. In a lane without a burst the grace, in seconds,
    /// adds to the time between calls.
    func used(_ calls: Int, seconds: Double, grace: Double) -> Double {
        let spacing = 1 / rate + max(0, grace - (capacity - 1) / rate)
        return Double(calls) / (capacity + seconds / spacing)
    }
}
