/// Goes through fixes in the order of time, and says of each whether it begins a location.
///
/// What it does after the beginning of a location depends on nothing before it. So a late fix changes nothing that comes after the
/// next beginning that stays.
package struct TrackWalk: Sendable {
    package enum Outcome: Sendable {
        /// It begins a location.
        case begins
        /// It is at the location under way, and has extended its wait time.
        case stays
        /// It is part of no location: nobody gets there so fast.
        case doubted
    }

    package let rule: TrackingRule
    /// The first fix of the location under way.
    package private(set) var start: Fix?
    /// How long the location under way lasts so far, in seconds.
    package private(set) var waitTime: Double
    /// The last fix that was believed.
    package private(set) var last: Fix?

    /// Begins, or goes on from where another walk ended.
    package init(rule: TrackingRule, start: Fix? = nil, waitTime: Double = 0, last: Fix? = nil) {
        self.rule = rule
        self.start = start
        self.waitTime = waitTime
        self.last = last
    }

    /// What the next fix would be.
    package func outcome(of fix: Fix) -> Outcome {
        guard let start, let last else { return .begins }
        if rule.isTooFast(fix, since: last) { return .doubted }
        return rule.isNear(fix, start) ? .stays : .begins
    }

    package mutating func take(_ fix: Fix) -> Outcome {
        let outcome = outcome(of: fix)
        switch outcome {
        case .doubted: return .doubted
        case .begins: (start, waitTime) = (fix, fix.waitTime)
        case .stays:
            if let start { waitTime = max(waitTime, (fix.end - start.timestamp).inMilliseconds) }
        }
        last = fix
        return outcome
    }
}
