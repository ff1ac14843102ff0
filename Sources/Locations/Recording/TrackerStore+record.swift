import Formats
package import Postgres
package import Tracking

/// A fix, with its user.
package struct UserFix: Sendable {
    package let user: String
    package let fix: Fix

    /// A fix without an id gets one.
    package init(_ fix: Fix, of user: String) {
        self.user = user
        var fix = fix
        if fix.id.isEmpty { fix.id = fix.derivedID(user: user) }
        self.fix = fix
    }
}

/// The fate of a received fix.
package enum FixFate: Hashable, Sendable {
    /// The fix is part of a location.
    case taken
    /// The fix is stored, but not believed.
    case doubted
    /// The fix was stored already.
    case repeated
    /// The fix is not stored.
    case refused(FixRefusal)
}

extension TrackerStore {
    /// Stores fixes of any users of an account, and divides them into locations. Returns the fate of each.
    ///
    /// Each fix must have passed ``TrackingRule/problem(of:now:)``. The fixes may come in any order and more than once;
    /// the locations are the same in the end.
    package func record(_ fixes: [UserFix], account: Int, on database: isolated Connection) throws -> [FixFate] {
        try store(fixes, account: account, on: database) { tracker, fix in
            tracker.isOn ? tracker.wasOn(at: fix.timestamp) ? nil : .untracked : .off
        }
    }

    /// Stores the fixes for which `refusal` returns nil.
    ///
    /// It takes two round trips: the first locks the trackers and reads the stored fixes around the new ones, the
    /// second writes the changes. A late fix among hundreds of others may need more.
    func store(
        _ fixes: [UserFix], account: Int, on database: isolated Connection,
        refusal: @Sendable (LockedTracker, Fix) -> FixRefusal?
    ) throws -> [FixFate] {
        let places = Dictionary(grouping: fixes.indices) { ExactText(fixes[$0].user) }
        let firstPages = places.compactMap { user, places in
            places.map { fixes[$0].fix }.min { $0.comesBefore($1) }
                .map { FixPage(user: user.text, key: FixKey($0), isForNew: true) }
        }
        return try database.transaction { database throws in
            // The plan for a table that was still empty must not be kept when it is full.
            try database.queryAhead(
                """
                SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
                       set_config('plan_cache_mode', 'force_generic_plan', true)
                """)
            let locked = try database.queryAhead(LockedTracker.lock(places.keys.map(\.text), account: account))
            try database.queryAhead(Self.lockOfFixes)
            let stored = try database.query(firstPages.select(account: account)).storedFixes()
            var fates = [FixFate](repeating: .refused(.noTracker), count: fixes.count)
            var trackers: [LockedTracker] = []
            var merges: [FixMerge] = []
            for row in locked.read() {
                let tracker = try LockedTracker(row)
                trackers.append(tracker)
                var accepted: [Fix] = []
                for place in places[ExactText(tracker.user)] ?? [] {
                    let refusal = refusal(tracker, fixes[place].fix)
                    fates[place] = refusal.map { .refused($0) } ?? .taken
                    if refusal == nil { accepted.append(fixes[place].fix) }
                }
                if !accepted.isEmpty { merges.append(FixMerge(accepted.inOrder[...], into: tracker)) }
            }
            let found = try merge(&merges, Set(firstPages), stored, account: account, on: database)
            for tracker in trackers {
                for place in places[ExactText(tracker.user)] ?? [] {
                    if let fate = found[tracker.id]?[FixKey(fixes[place].fix)] { fates[place] = fate }
                }
            }
            let lacking = trackers.filter(\.lacksJob).map(\.id)
            if !lacking.isEmpty { try database.queryAhead("SELECT queue_uploads(\(lacking)::integer[])") }
            return fates
        }
    }

    /// The function that creates partitions locks `fixes` first, and its partitions later. A transaction that has read
    /// a partition and then writes would deadlock with it, so it locks the table before it reads. The trackers come
    /// before the table, because `keep_location_partitions` locks them before it drops a partition.
    private static let lockOfFixes: SQL = "LOCK TABLE ONLY fixes IN ROW EXCLUSIVE MODE"

    /// Merges the new fixes of each tracker into the stored ones, and writes the changes. `stored` has the fixes of
    /// `pages`. Returns the fates of the new fixes, by the ids of their trackers.
    private func merge(
        _ merges: inout [FixMerge], _ pages: Set<FixPage>, _ stored: [Int: [StoredFix]], account: Int,
        on database: isolated Connection
    ) throws -> [Int: [FixKey: FixFate]] {
        var (pages, stored) = (pages, stored)
        var fates: [Int: [FixKey: FixFate]] = [:]
        while !merges.isEmpty {
            while true {
                for index in merges.indices {
                    guard let page = merges[index].page, pages.contains(page) else { continue }
                    merges[index].walk(through: stored[merges[index].tracker.id] ?? [])
                }
                pages = Set(merges.compactMap(\.page))
                if pages.isEmpty { break }
                stored = try database.query(Array(pages).select(account: account)).storedFixes()
            }
            try FixChangesWriter(account: account, merges: merges).write(on: database)
            for merge in merges { fates[merge.tracker.id, default: [:]].merge(merge.fates) { _, new in new } }
            // Fixes far from the others are merged on their own.
            merges = merges.compactMap { $0.news.isEmpty ? nil : FixMerge($0.news, into: $0.tracker) }
        }
        return fates
    }
}

extension [Fix] {
    /// The fixes in their order, each once. If a fix occurs twice, the longer wait time counts.
    fileprivate var inOrder: [Fix] {
        let sorted = sorted { $0.isSame(as: $1) ? $0.waitTime > $1.waitTime : $0.comesBefore($1) }
        var once: [Fix] = []
        once.reserveCapacity(sorted.count)
        for fix in sorted where once.last?.isSame(as: fix) != true { once.append(fix) }
        return once
    }
}
