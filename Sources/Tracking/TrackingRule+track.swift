/// The result of a fix.
public enum FixOutcome: Hashable, Sendable {
    /// The fix began a location, extended one, or changed the division of the fixes around it.
    case taken
    /// The fix was stored already.
    case repeated
    /// The fix is stored, but not believed: see ``FixProblem/tooFast``.
    case doubted
    /// The fix can't be true, and is not stored.
    case refused(FixProblem)
}

extension TrackingRule {
    /// Adds a fix: near the location before it, it extends that location's wait time; elsewhere it begins a new
    /// location.
    ///
    /// Fixes may come in any order and more than once; the locations are the same in the end. `pending` contains all
    /// locations of one user in the order of time, and stays in this order.
    @discardableResult
    public func appendOrUpdate(_ fix: Fix, user: String, pending: inout [PendingLocation], now: Double) -> FixOutcome {
        if let problem = problem(of: fix, now: now) { return .refused(problem) }
        var fix = fix
        if fix.id.isEmpty { fix.id = fix.derivedID(user: user) }

        let known = pending.filter { !$0.removed }
        // The location whose time contains the fix.
        let place = (known.firstIndex { fix.comesBefore($0.start) } ?? known.count) - 1
        var late = place < 0 ? [] : known[place].fixes
        if let same = late.firstIndex(where: { $0.isSame(as: fix) }) {
            guard fix.waitTime > late[same].waitTime else { return .repeated }
            late[same].waitTime = fix.waitTime
        } else {
            late.insert(fix, at: late.firstIndex { fix.comesBefore($0) } ?? late.count)
        }

        // The fix may change the beginnings of its location and of the one before, but not the one before those.
        let first = max(place - 2, 0)
        var walk = Walk(rule: self)
        for location in known[first..<max(place, 0)] { walk.add(location.fixes) }
        walk.add(late)
        // If a location begins where it began before, nothing changes any more. The last two may change with any fix.
        var next = place + 1
        while next < known.count {
            walk.add(known[next].fixes)
            if next < known.count - 2, walk.steps.start?.isSame(as: known[next].start) == true { break }
            next += 1
        }
        let stays = next < known.count ? walk.steps.ended : walk.steps.stays
        pending = pending.replacing(
            known[first..<next], by: walk.locations(stays, user: user, until: known[safe: next]))
        return walk.doubted.contains { $0.isSame(as: fix) } ? .doubted : .taken
    }
}

/// The fixes of a walk.
private struct Walk {
    var steps: TrackWalk
    var fixes: [Fix] = []
    var doubted: [Fix] = []

    init(rule: TrackingRule) { steps = TrackWalk(rule: rule) }

    mutating func add(_ more: [Fix]) {
        for fix in more where !steps.add(fix) { doubted.append(fix) }
        fixes += more
    }

    /// Converts stays to locations, each with the fixes up to the next.
    func locations(_ stays: [TrackWalk.Stay], user: String, until end: PendingLocation?) -> [PendingLocation] {
        var locations = stays.map { PendingLocation($0.start, user: user, waitTime: $0.waitTime) }
        var current = -1
        for fix in fixes {
            if let end, !fix.comesBefore(end.start) { break }
            if current + 1 < stays.count, fix.isSame(as: stays[current + 1].start) { current += 1 }
            locations[current].fixes.append(fix)
        }
        return locations
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { index < count ? self[index] : nil }
}
