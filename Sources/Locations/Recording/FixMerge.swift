import Tracking

/// Merges new fixes of one tracker into its stored ones, and computes what changes. It reads and writes nothing.
///
/// Fixes after the settled one continue the walk. For earlier fixes the walk is repeated, from two locations before the
/// one that contains the first of them: at most three believed fixes decide a beginning, so that one stays. The
/// repeated walk ends where a location begins that began there before. Nothing changes up to the next new fix.
struct FixMerge {
    let tracker: LockedTracker
    /// The new fixes that the walk has not reached, in their order. At its end, these are far from the others.
    private(set) var news: ArraySlice<Fix>
    /// The stored fixes that the walk needs next; nil at its end.
    private(set) var page: FixPage?
    private(set) var changes = FixChanges()
    private(set) var fates: [FixKey: FixFate] = [:]

    private let isLate: Bool
    private var walk: TrackWalk
    /// The believed fixes of a walk that began at the start of a location.
    private var believed = 0
    /// The stored locations that the walk has passed, with their wait times.
    private var known: [FixKey: Double] = [:]
    private var lastNew: FixKey?
    private var newest: FixKey?
    /// See ``LockedTracker/settled``.
    private var settled: SettledFix?

    /// A gap between two new fixes that is shorter, in seconds, is walked through.
    private static let shortGap = 86_400.0

    /// `news` are in their order, and each occurs once. There is at least one.
    init(_ news: ArraySlice<Fix>, into tracker: LockedTracker) {
        self.tracker = tracker
        self.news = news
        let first = FixKey(news[news.startIndex])
        page = FixPage(user: tracker.user, key: first, isForNew: true)
        newest = tracker.newest
        settled = tracker.settled
        isLate = tracker.settled.map { first <= $0.key } ?? false
        walk = TrackWalk(rule: tracker.rule)
        guard !isLate, let settled, !settled.isAtStart else { return }
        walk = TrackWalk(rule: walk.rule, start: settled.start, waitTime: settled.waitTime, last: settled.last)
        believed = TrackWalk.mostDeciding
        known = [FixKey(settled.start): settled.waitTime]
    }

    /// Walks on through the stored fixes of the ``page``, and through the new ones up to its end.
    mutating func walk(through stored: [StoredFix]) {
        guard let page else { return }
        let isLast = stored.count < page.size
        self.page = nil
        var rest = stored[...]
        // The walk has passed these.
        if let passed = page.isForNew ? walk.last.flatMap({ _ in settled?.key }) : page.key {
            rest = rest.drop { FixKey($0.fix) <= passed }
        }
        while let (fix, old) = takeNext(from: &rest, isLast: isLast) {
            pass(fix, old)
            guard isLate, let start = unchangedStart(at: FixKey(fix)) else { continue }
            let isFar = !isLast && (news.first.map { isFarAway($0, from: stored) } ?? false)
            if news.isEmpty || isFar { return close(walk.ended, before: start) }
        }
        guard isLast else {
            self.page = stored.last.map { FixPage(user: tracker.user, key: FixKey($0.fix), isForNew: false) }
            return
        }
        close(walk.stays)
        if changes.fixes.count + changes.refused.count > 0, let newest, let settled { changes.end = (newest, settled) }
    }

    private func isFarAway(_ fix: Fix, from stored: [StoredFix]) -> Bool {
        stored.last.map { fix.timestamp - $0.fix.timestamp > Self.shortGap } ?? false
    }

    /// The start of the location under way, if that location began there before, all new fixes so far come before it,
    /// and it is decided at or before the settled fix.
    private func unchangedStart(at key: FixKey) -> FixKey? {
        guard let start = walk.start.map(FixKey.init), let lastNew, !(start <= lastNew), known[start] != nil,
            let old = tracker.settled, start <= FixKey(old.start), key <= old.key
        else { return nil }
        return start
    }

    /// Returns the next fix, stored or new. If it is both, it has the longer wait time.
    private mutating func takeNext(
        from stored: inout ArraySlice<StoredFix>, isLast: Bool
    ) -> (fix: Fix, old: StoredFix?)? {
        guard let old = stored.first else { return isLast ? news.popFirst().map { ($0, nil) } : nil }
        guard let new = news.first, !old.fix.comesBefore(new) else { return stored.popFirst().map { ($0.fix, $0) } }
        news.removeFirst()
        guard old.fix.isSame(as: new) else { return (new, nil) }
        stored.removeFirst()
        lastNew = FixKey(new)
        if new.waitTime <= old.fix.waitTime { fates[FixKey(new)] = .repeated }
        var fix = old.fix
        fix.waitTime = max(fix.waitTime, new.waitTime)
        return (fix, old)
    }

    private mutating func pass(_ fix: Fix, _ old: StoredFix?) {
        let key = FixKey(fix)
        let isNew = old.map { $0.fix.waitTime < fix.waitTime } ?? true
        let isDoubted = !walk.believes(fix)
        if let wait = old?.locationWait { known[key] = wait }
        if isNew {
            lastNew = key
            fates[key] = isDoubted ? tracker.keepsDoubted ? .doubted : .refused(.tooFast) : .taken
            if fates[key] == .refused(.tooFast) {
                if old != nil { changes.refused.append(key) }
                return
            }
        }
        newest = key
        if isNew || old?.isDoubted != isDoubted { changes.fixes.append((fix, isDoubted)) }
        let before = walk.start
        believed += walk.add(fix) ? 1 : 0
        guard let start = walk.start, let last = walk.last else { return }
        if walk.away.isEmpty {
            settled = SettledFix(key: key, start: start, waitTime: walk.waitTime, last: last)
        } else if before?.isSame(as: start) != true || believed <= TrackWalk.mostDeciding {
            // This fix may have decided where the location begins.
            settled = SettledFix(key: key, start: start, waitTime: start.waitTime, last: start)
        }
    }

    /// Compares the locations of the walk with the stored ones, up to one that stays unchanged.
    private mutating func close(_ stays: [TrackWalk.Stay], before end: FixKey? = nil) {
        let before = known.filter { known in end.map { known.key != $0 && known.key <= $0 } ?? true }
        for stay in stays where before[FixKey(stay.start)] != stay.waitTime {
            changes.locations.append((stay.start, stay.waitTime))
        }
        changes.gone += Set(before.keys).subtracting(stays.map { FixKey($0.start) })
    }
}
