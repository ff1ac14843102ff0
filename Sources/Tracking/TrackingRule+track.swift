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
        let first = (known.firstIndex { fix.comesBefore($0.start) } ?? known.count) - 1
        var fixes = first < 0 ? [] : known[first].fixes
        if let place = fixes.firstIndex(where: { $0.isSame(as: fix) }) {
            guard fix.waitTime > fixes[place].waitTime else { return .repeated }
            fixes[place].waitTime = fix.waitTime
        } else {
            fixes.insert(fix, at: fixes.firstIndex { fix.comesBefore($0) } ?? fixes.count)
        }

        // From here on the fixes are divided anew, until a location begins where one began before: from there on nothing changes.
        var walk = Walk(rule: self, user: user)
        for one in fixes { walk.take(one) }
        var next = first + 1
        while next < known.count, !walk.begins(known[next].start) {
            for one in known[next].fixes { walk.take(one) }
            next += 1
        }
        pending = pending.replacing(known[max(first, 0)..<next], by: walk.locations)
        return walk.doubted.contains { $0.isSame(as: fix) } ? .doubted : .taken
    }
}

/// The locations that a walk makes, with their fixes.
private struct Walk {
    private let user: String
    private var steps: TrackWalk
    var locations: [PendingLocation] = []
    var doubted: [Fix] = []

    init(rule: TrackingRule, user: String) {
        steps = TrackWalk(rule: rule)
        self.user = user
    }

    /// Whether a fix that comes next would begin a location.
    func begins(_ fix: Fix) -> Bool { steps.outcome(of: fix) == .begins }

    mutating func take(_ fix: Fix) {
        switch steps.take(fix) {
        case .begins: return locations.append(PendingLocation(fix, user: user))
        case .stays: locations[locations.count - 1].waitTime = steps.waitTime
        case .doubted: doubted.append(fix)
        }
        locations[locations.count - 1].fixes.append(fix)
    }
}
