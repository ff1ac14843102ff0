/// Goes through fixes in the order of time, and divides them into stays.
///
/// A fix elsewhere doesn't end a stay at once: up to two in a row may be strays. So at most three believed fixes decide
/// the beginning of a stay, the first of them at its place. From then on the walk depends on nothing before the
/// beginning.
package struct TrackWalk: Sendable {
    /// A place where the user stayed: its first fix, and how long the stay lasted.
    package struct Stay: Sendable {
        package let start: Fix
        package let waitTime: Double
    }

    /// This many believed fixes, the first of them at the beginning, decide that a stay begins.
    package static let mostDeciding = TrackingRule.mostStrays + 1

    package let rule: TrackingRule
    /// The first fix of the current stay.
    package private(set) var start: Fix?
    /// How long the current stay lasts so far, in seconds.
    package private(set) var waitTime: Double
    /// The last believed fix.
    package private(set) var last: Fix?
    /// The believed fixes since the last one at the current stay: strays, or the beginning of the next stay.
    package private(set) var away: [Fix] = []
    /// The stays that have ended, in order.
    package var ended: [Stay] = []

    /// Begins a walk, or continues another one that had no fix in `away`.
    package init(rule: TrackingRule, start: Fix? = nil, waitTime: Double = 0, last: Fix? = nil) {
        self.rule = rule
        self.start = start
        self.waitTime = waitTime
        self.last = last
    }

    /// False if the user can't have reached the fix in the time since the last one. Such a fix belongs to no stay.
    package func believes(_ fix: Fix) -> Bool { last.map { !rule.isTooFast(fix, since: $0) } ?? true }

    /// Adds the next fix if it is believed. Returns true if it is.
    @discardableResult
    package mutating func add(_ fix: Fix) -> Bool {
        guard believes(fix) else { return false }
        if let last, rule.isInterrupted(from: last, to: fix) {
            while !away.isEmpty { moveOn() }
            begin(fix)
        } else {
            place(fix)
        }
        last = fix
        return true
    }

    /// All stays, if no other fix comes.
    package var stays: [Stay] {
        var walk = self
        while !walk.away.isEmpty { walk.moveOn() }
        return walk.ended + (walk.start.map { [Stay(start: $0, waitTime: walk.waitTime)] } ?? [])
    }

    private mutating func place(_ fix: Fix) {
        guard let start else { return begin(fix) }
        let isTooLate = away.first.map { fix.timestamp - $0.timestamp > TrackingRule.longestStray } ?? false
        if !isTooLate, rule.isNear(fix, start) {
            waitTime = max(waitTime, (fix.end - start.timestamp).inMilliseconds)
            away = []
        } else {
            away.append(fix)
            if isTooLate || away.count > TrackingRule.mostStrays { moveOn() }
        }
    }

    /// The user has left: the next stay begins with the first fix of `away`.
    private mutating func moveOn() {
        let rest = away.dropFirst()
        begin(away[0])
        for fix in rest { place(fix) }
    }

    private mutating func begin(_ fix: Fix) {
        if let start { ended.append(Stay(start: start, waitTime: waitTime)) }
        (start, waitTime, away) = (fix, fix.waitTime, [])
    }
}
