import Queue

/// A limit: at most `capacity + refill * t` calls in any window of `t` seconds.
struct Limit {
    let refill: Double
    let per: Double
    let capacity: Double

    var rate: Double { refill / per }

    var rateLimit: RateLimit? { RateLimit(refill, per: .seconds(per), burst: capacity) }

    /// How many calls more than permitted were seen in the worst of all windows; negative when some were to spare.
    ///
    /// `slack` is what a call may take to arrive, in seconds. A window that begins with call i and ends with call j
    /// holds j - i + 1 calls, so it is enough to carry the best beginning along.
    func excess(of calls: [Double], slack: Double) -> Double {
        var worst = -Double.infinity
        var bestBeginning = -Double.infinity
        for (number, at) in calls.enumerated() {
            bestBeginning = max(bestBeginning, rate * at - Double(number))
            worst = max(worst, Double(number + 1) - rate * (at + slack) + bestBeginning - capacity)
        }
        return worst
    }

    /// The share of what was permitted between two moments that was used.
    func used(_ calls: Int, seconds: Double) -> Double { Double(calls) / (capacity + rate * seconds) }
}
