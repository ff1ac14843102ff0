/// What came of a fix.
public enum FixOutcome: Hashable, Sendable {
    /// It began a location, extended one, or changed how the fixes around it are divided.
    case taken
    /// It was there already.
    case repeated
    /// It is kept, and not believed: see ``FixProblem/tooFast``.
    case doubted
    /// It can't be true, and is not kept.
    case refused(FixProblem)
}

extension TrackingRule {
    /// Puts a fix in its place: one near the location before it extends that one's wait time, one elsewhere begins a location.
    ///
    /// The fixes may come in any order and more than once; the locations are the same in the end. `pending` is all of one user,
    /// in the order of time, and is kept so.
    @discardableResult
    public func appendOrUpdate(_ fix: Fix, user: String, pending: inout [PendingLocation], now: Double) -> FixOutcome {
        if let problem = problem(of: fix, now: now) { return .refused(problem) }
        var fix = fix
        if fix.id.isEmpty { fix.id = fix.derivedID(user: user) }

        let known = pending.filter { !$0.removed }
        // The location in whose time the fix falls.
        let place = (known.firstIndex { fix.comesBefore($0.start) } ?? known.count) - 1
        var late = place < 0 ? [] : known[place].fixes
        if let same = late.firstIndex(where: { $0.isSame(as: fix) }) {
            guard fix.waitTime > late[same].waitTime else { return .repeated }
            late[same].waitTime = fix.waitTime
        } else {
            late.insert(fix, at: late.firstIndex { fix.comesBefore($0) } ?? late.count)
        }

        // The beginnings of the location and of the one before may depend on the fix, but not that of the one before those.
        let first = max(place - 2, 0)
        var walk = Walk(rule: self)
        for location in known[first..<max(place, 0)] { walk.take(location.fixes) }
        walk.take(late)
        // Where a location begins as before, nothing changes any more. The last two may change with any fix.
        var next = place + 1
        while next < known.count {
            walk.take(known[next].fixes)
            if next < known.count - 2, walk.steps.start?.isSame(as: known[next].start) == true { break }
            next += 1
        }
        let stays = next < known.count ? walk.steps.ended : walk.steps.stays
        pending = pending.replacing(
            known[first..<next], by: walk.locations(stays, user: user, until: known[safe: next]))
        return walk.doubted.contains { $0.isSame(as: fix) } ? .doubted : .taken
    }
}

/// The fixes that a walk went through.
private struct Walk {
    var steps: TrackWalk
    var fixes: [Fix] = []
    var doubted: [Fix] = []

    init(rule: TrackingRule) { steps = TrackWalk(rule: rule) }

    mutating func take(_ more: [Fix]) {
        for fix in more where !steps.take(fix) { doubted.append(fix) }
        fixes += more
    }

    /// Stays as locations, each with the fixes up to the next.
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
