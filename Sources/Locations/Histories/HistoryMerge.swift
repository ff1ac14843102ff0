import Postgres
import Tracking

/// Puts fixes in their places among those stored of one tracker, and finds out what changes: what `record_fixes` does in SQL, for
/// one tracker whose row is locked.
///
/// Fixes newer than all stored ones continue the walk from where it ended. For others the walk is repeated from the location in
/// whose time the first of them falls, until a location begins where one began before: from there on nothing changes up to the
/// next of the new ones, and so what lies between is not read.
struct HistoryMerge {
    private let tracker: HistoryTracker
    private let news: [Fix]
    private var next = 0
    private var stored: StoredFixes
    private var walk: TrackWalk
    /// The location under way, as it is stored; nil where it isn't.
    private var storedWait: Double?
    private var newest: FixKey?
    private(set) var changes: HistoryChanges

    init(_ fixes: [Fix], into tracker: HistoryTracker) {
        self.tracker = tracker
        changes = HistoryChanges(tracker: tracker.id, hasSink: tracker.hasSink)
        // Of a fix that comes twice the longer wait counts.
        let sorted = fixes.sorted { one, other in
            one.isSame(as: other) ? one.waitTime > other.waitTime : one.comesBefore(other)
        }
        var news: [Fix] = []
        news.reserveCapacity(sorted.count)
        for fix in sorted where news.last?.isSame(as: fix) != true { news.append(fix) }
        changes.counts.repeated = sorted.count - news.count
        self.news = news
        stored = StoredFixes(of: tracker.id)
        walk = tracker.end
        newest = tracker.newest
        if walk.start != nil { storedWait = walk.waitTime }
    }

    mutating func run(on database: isolated Connection) throws {
        if let first = news.first, let newest = tracker.newest, FixKey(first) <= newest {
            try database.run(script: "SET LOCAL enable_seqscan = off; SET LOCAL jit = off")
            try repeatWalks(on: database)
        } else {
            while let (fix, _) = try takeNext(on: database) { pass(fix, nil, isNew: true) }
            finish()
        }
    }

    /// Walks from the location in whose time the next fix falls, and so on for those that are farther away.
    private mutating func repeatWalks(on database: isolated Connection) throws {
        var from = try beginning(on: database)
        while let (fix, old) = try takeNext(on: database) {
            let isNew = old.map { $0.fix.waitTime < fix.waitTime } ?? true
            guard pass(fix, old, isNew: isNew) else { continue }
            if next == news.count { return }
            // The next one is near, or in this very stay.
            if stored.reaches(FixKey(news[next])) || from == FixKey(fix) { continue }
            let location = try tracker.location(at: FixKey(news[next]), on: database)
            if location != FixKey(fix) { from = try beginning(on: database) }
        }
        finish()
    }

    /// Goes to the location in whose time the next fix falls.
    private mutating func beginning(on database: isolated Connection) throws -> FixKey {
        let key = FixKey(news[next])
        let from = try tracker.location(at: key, on: database) ?? key
        stored = StoredFixes(of: tracker.id, from: from)
        (walk, storedWait) = (TrackWalk(rule: tracker.rule), nil)
        return from
    }

    /// The next fix, stored or new; of one that is both, with the longer wait.
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

    /// Takes one fix. Returns whether what follows is as it was before, up to the next fix that is new.
    @discardableResult
    private mutating func pass(_ fix: Fix, _ old: StoredFix?, isNew: Bool) -> Bool {
        let outcome = walk.outcome(of: fix)
        let isDoubted = outcome == .doubted
        if isDoubted, isNew, !tracker.keepsDoubted {
            changes.counts.tooFast += 1
            if let old {
                changes.refused.append(FixKey(fix))
                if old.isLocation { changes.gone.append(FixKey(fix)) }
            }
            return false
        }
        newest = FixKey(fix)
        if let old {
            if isNew { changes.grown.append(fix) }
            if old.isDoubted != isDoubted { changes.turned.append((FixKey(fix), isDoubted)) }
            if old.isLocation, outcome != .begins { changes.gone.append(FixKey(fix)) }
        } else {
            changes.added.append((fix, isDoubted))
        }
        if isNew { if isDoubted { changes.counts.doubted += 1 } else { changes.counts.taken += 1 } }
        guard outcome == .begins else {
            _ = walk.take(fix)
            return false
        }
        closeLocation()
        _ = walk.take(fix)
        storedWait = old?.locationWait
        return !isNew && old?.isLocation == true
    }

    /// The walk is at the end of all fixes.
    private mutating func finish() {
        closeLocation()
        if !changes.isEmpty { changes.end = newest.map { (newest: $0, walk: walk) } }
    }

    private mutating func closeLocation() {
        guard let start = walk.start, storedWait != walk.waitTime else { return }
        changes.locations.append((start, walk.waitTime))
    }
}

extension HistoryTracker {
    /// The beginning of the location in whose time a moment falls; nil before the first.
    fileprivate func location(at key: FixKey, on database: isolated Connection) throws -> FixKey? {
        try database.query(
            """
            SELECT extract(epoch FROM at) AS time, id
            FROM pending_locations
            WHERE tracker = \(id)::integer AND NOT removed AND at <= to_timestamp(\(key.timestamp)::double precision)
              AND (at, id) <= (to_timestamp(\(key.timestamp)::double precision), \(key.id) COLLATE "C")
            ORDER BY at DESC, id DESC
            LIMIT 1
            """
        ).first.map { FixKey(timestamp: try $0.read("time"), id: try $0.read("id")) }
    }
}

/// A fix that is stored, and the location that begins with it.
struct StoredFix {
    let fix: Fix
    let isDoubted: Bool
    /// Nil where none begins here.
    let locationWait: Double?

    var isLocation: Bool { locationWait != nil }

    fileprivate init(_ row: Row) throws {
        fix = Fix(
            id: try row.read("id"), lat: try row.read("lat"), lng: try row.read("lng"),
            accuracy: try row.readIfPresent("accuracy"), timestamp: try row.read("time"),
            waitTime: try row.read("wait_time"))
        isDoubted = try row.read("is_doubted")
        locationWait = try row.readIfPresent("location_wait")
    }
}

/// The fixes stored of a tracker from a place on, a page at a time.
private struct StoredFixes {
    private let tracker: Int
    /// Behind which the next page begins; nil where there is none.
    private var from: FixKey?
    private var includesFrom = true
    private var page: [StoredFix] = []
    private var place = 0
    private var pageSize = 50

    /// None; or those from a place on.
    init(of tracker: Int, from: FixKey? = nil) {
        self.tracker = tracker
        self.from = from
    }

    /// The next; nil at the end.
    mutating func first(on database: isolated Connection) throws -> StoredFix? {
        if place == page.count { try turn(on: database) }
        return place < page.count ? page[place] : nil
    }

    mutating func removeFirst() { if place < page.count { place += 1 } }

    /// Whether what is here already goes as far as to a key.
    func reaches(_ key: FixKey) -> Bool {
        guard from != nil, let last = page.last else { return true }
        return place < page.count && key <= FixKey(last.fix)
    }

    private mutating func turn(on database: isolated Connection) throws {
        guard let from else { return }
        // Each location is looked up by its key: any other plan would read all of the tracker's.
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
