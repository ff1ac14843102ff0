import Postgres
import Tracking

/// Merges fixes into the stored fixes of one tracker, and computes the changes, as `record_fixes` does in SQL. The
/// tracker's row is locked.
///
/// Fixes after the settled one continue the walk from there. For earlier fixes the walk is repeated. It starts two
/// locations before the one that contains the first of them. It ends where a location begins that began there before:
/// from there on nothing changes up to the next new fix, so the stored fixes in between are not read.
struct HistoryMerge {
    private let tracker: HistoryTracker
    private let news: [Fix]
    private var next = 0
    private var stored: StoredFixes
    private var walk: TrackWalk
    /// The stored locations that this walk has passed, with their wait times.
    private var known: [FixKey: Double] = [:]
    private var lastNew: FixKey?
    private var newest: FixKey?
    /// The last fix at the current location, and the state of the walk at that fix.
    private var settled: (key: FixKey, walk: TrackWalk)?
    private(set) var changes: HistoryChanges

    init(_ fixes: [Fix], into tracker: HistoryTracker) {
        self.tracker = tracker
        changes = HistoryChanges(tracker: tracker.id, hasSink: tracker.hasSink)
        // If a fix occurs twice, the longer wait time counts.
        let sorted = fixes.sorted { one, other in
            one.isSame(as: other) ? one.waitTime > other.waitTime : one.comesBefore(other)
        }
        var news: [Fix] = []
        news.reserveCapacity(sorted.count)
        for fix in sorted where news.last?.isSame(as: fix) != true { news.append(fix) }
        changes.counts.repeated = sorted.count - news.count
        self.news = news
        walk = tracker.walk
        newest = tracker.newest
        settled = tracker.settled.map { ($0, tracker.walk) }
        stored = StoredFixes(of: tracker.id, after: tracker.settled == tracker.newest ? nil : tracker.settled)
        if let start = walk.start { known = [FixKey(start): walk.waitTime] }
    }

    mutating func run(on database: isolated Connection) throws {
        if let first = news.first, let settled = tracker.settled, FixKey(first) <= settled {
            try database.run(script: "SET LOCAL enable_seqscan = off; SET LOCAL jit = off")
            try repeatWalks(on: database)
        } else {
            while let (fix, old) = try takeNext(on: database) { pass(fix, old) }
            finish()
        }
    }

    /// Repeats the walk around the next new fix, and then around those farther away.
    private mutating func repeatWalks(on database: isolated Connection) throws {
        try goBack(to: beginning(on: database))
        // The place from which the walk simply continued, because the next new fix is near.
        var passed: (start: FixKey, next: Int)?
        while let (fix, old) = try takeNext(on: database) {
            pass(fix, old)
            guard let start = unchangedStart else { continue }
            if next == news.count { return close(walk.ended, before: start) }
            if stored.reaches(FixKey(news[next])) || passed.map({ $0 == (start, next) }) == true { continue }
            let beginning = try beginning(on: database)
            if beginning <= start {
                passed = (start, next)
                continue
            }
            close(walk.ended, before: start)
            goBack(to: beginning)
        }
        finish()
    }

    /// The start of a location that has not changed, with all new fixes so far before it: what follows is unchanged up
    /// to the next new fix.
    private var unchangedStart: FixKey? {
        guard let start = walk.start.map(FixKey.init), let settled = tracker.settled,
            start <= settled,
            lastNew.map({ !(start <= $0) }) ?? true, known[start] != nil
        else { return nil }
        return start
    }

    /// Returns the beginning of the location at which to start the walk for the next new fix.
    private func beginning(on database: isolated Connection) throws -> FixKey {
        let key = FixKey(news[next])
        return try tracker.beginning(for: key, on: database) ?? key
    }

    private mutating func goBack(to from: FixKey) {
        stored = StoredFixes(of: tracker.id, from: from)
        (walk, known) = (TrackWalk(rule: tracker.rule), [:])
    }

    /// Returns the next fix, stored or new. If it is both, it has the longer wait time.
    private mutating func takeNext(on database: isolated Connection) throws -> (fix: Fix, old: StoredFix?)? {
        let old = try stored.first(on: database)
        guard next < news.count else {
            stored.removeFirst()
            return old.map { ($0.fix, $0) }
        }
        let new = news[next]
        guard let old else {
            next += 1
            return (new, nil)
        }
        if old.fix.isSame(as: new) {
            next += 1
            stored.removeFirst()
            guard new.waitTime > old.fix.waitTime else {
                changes.counts.repeated += 1
                return (old.fix, old)
            }
            var fix = old.fix
            fix.waitTime = new.waitTime
            return (fix, old)
        }
        if old.fix.comesBefore(new) {
            stored.removeFirst()
            return (old.fix, old)
        }
        next += 1
        return (new, nil)
    }

    private mutating func pass(_ fix: Fix, _ old: StoredFix?) {
        let isNew = old.map { $0.fix.waitTime < fix.waitTime } ?? true
        let isDoubted = !walk.believes(fix)
        if let wait = old?.locationWait { known[FixKey(fix)] = wait }
        if isDoubted, isNew, !tracker.keepsDoubted {
            changes.counts.tooFast += 1
            if old != nil { changes.refused.append(FixKey(fix)) }
            return
        }
        newest = FixKey(fix)
        if let old {
            if isNew { changes.grown.append(fix) }
            if old.isDoubted != isDoubted { changes.turned.append((FixKey(fix), isDoubted)) }
        } else {
            changes.added.append((fix, isDoubted))
        }
        if isNew {
            lastNew = FixKey(fix)
            if isDoubted { changes.counts.doubted += 1 } else { changes.counts.taken += 1 }
        }
        walk.take(fix)
        if walk.away.isEmpty {
            settled = (FixKey(fix), walk)
            settled?.walk.ended = []
        } else if let start = walk.start, settled?.walk.start?.isSame(as: start) != true {
            settled = (
                FixKey(start), TrackWalk(rule: tracker.rule, start: start, waitTime: start.waitTime, last: start)
            )
        }
    }

    /// Called when the walk is at the end of all fixes.
    private mutating func finish() {
        close(walk.stays)
        guard !changes.isEmpty, let newest, let settled else { return }
        changes.end = (newest, settled.key, settled.walk)
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

extension HistoryTracker {
    /// Returns the beginning of the second location before the one that contains a moment, or of the first location;
    /// nil before that. A fix may change the beginnings of the two locations after it, but not the beginning of its
    /// own.
    fileprivate func beginning(for key: FixKey, on database: isolated Connection) throws -> FixKey? {
        try database.query(
            """
            SELECT extract(epoch FROM at) AS time, id
            FROM pending_locations
            WHERE tracker = \(id)::integer AND NOT removed AND at <= to_timestamp(\(key.timestamp)::double precision)
              AND (at, id) <= (to_timestamp(\(key.timestamp)::double precision), \(key.id) COLLATE "C")
            ORDER BY at DESC, id DESC
            LIMIT 3
            """
        ).last.map { FixKey(timestamp: try $0.read("time"), id: try $0.read("id")) }
    }
}

/// A stored fix, with the location that begins with it.
struct StoredFix {
    let fix: Fix
    let isDoubted: Bool
    /// Nil if no location begins here.
    let locationWait: Double?

    fileprivate init(_ row: Row) throws {
        fix = Fix(
            id: try row.read("id"), lat: try row.read("lat"), lng: try row.read("lng"),
            accuracy: try row.readIfPresent("accuracy"), timestamp: try row.read("time"),
            waitTime: try row.read("wait_time"))
        isDoubted = try row.read("is_doubted")
        locationWait = try row.readIfPresent("location_wait")
    }
}

/// The stored fixes of a tracker from a place on, read page by page.
private struct StoredFixes {
    private let tracker: Int
    /// The place after which the next page begins; nil if there is none.
    private var from: FixKey?
    private var includesFrom = true
    private var page: [StoredFix] = []
    private var place = 0
    private var pageSize = 50

    /// Begins with the fix at `from`.
    init(of tracker: Int, from: FixKey) {
        self.tracker = tracker
        self.from = from
    }

    /// Begins after a fix. Nil stands for the end: it has no fixes.
    init(of tracker: Int, after place: FixKey?) {
        self.tracker = tracker
        from = place
        includesFrom = false
    }

    /// Returns the next fix; nil at the end.
    mutating func first(on database: isolated Connection) throws -> StoredFix? {
        if place == page.count { try turn(on: database) }
        return place < page.count ? page[place] : nil
    }

    mutating func removeFirst() { if place < page.count { place += 1 } }

    /// True if the page that is already read reaches a key.
    func reaches(_ key: FixKey) -> Bool {
        guard from != nil, let last = page.last else { return true }
        return place < page.count && key <= FixKey(last.fix)
    }

    private mutating func turn(on database: isolated Connection) throws {
        guard let from else { return }
        // Each location is looked up by its key: any other plan would read all locations of the tracker.
        page = try database.query(
            """
            SELECT extract(epoch FROM fix.at) AS time, fix.id, lat, lng, accuracy, fix.wait_time, is_doubted,
                   location.wait_time AS location_wait
            FROM (
                SELECT at, id, lat, lng, accuracy, wait_time, is_doubted
                FROM fixes
                WHERE tracker = \(tracker)::integer AND at >= to_timestamp(\(from.timestamp)::double precision)
                  AND (at, id) >= (to_timestamp(\(from.timestamp)::double precision), \(from.id) COLLATE "C")
                  AND (\(includesFrom)::boolean OR
                       (at, id) <> (to_timestamp(\(from.timestamp)::double precision), \(from.id) COLLATE "C"))
                ORDER BY at, id
                LIMIT \(pageSize)
            ) AS fix
            LEFT JOIN LATERAL (
                SELECT wait_time
                FROM pending_locations
                WHERE tracker = \(tracker)::integer AND at = fix.at AND id = fix.id AND NOT removed
                LIMIT 1
            ) AS location ON true
            ORDER BY fix.at, fix.id
            """
        ).map(StoredFix.init)
        place = 0
        self.from = page.count < pageSize ? nil : page.last.map { FixKey($0.fix) }
        includesFrom = false
        pageSize = min(pageSize * 4, 2_000)
    }
}
