package import Postgres
package import Tracking

/// The results of the fixes in a history.
package struct HistoryCounts: Hashable, Sendable {
    /// Part of a location.
    package var taken = 0
    /// Stored, but not believed.
    package var doubted = 0
    /// Not stored, because they are not believed and their tracker drops such fixes.
    package var tooFast = 0
    /// Stored already.
    package var repeated = 0

    package init(taken: Int = 0, doubted: Int = 0, tooFast: Int = 0, repeated: Int = 0) {
        (self.taken, self.doubted, self.tooFast, self.repeated) = (taken, doubted, tooFast, repeated)
    }

    package static func += (counts: inout Self, other: Self) {
        counts.taken += other.taken
        counts.doubted += other.doubted
        counts.tooFast += other.tooFast
        counts.repeated += other.repeated
    }
}

extension TrackerStore {
    /// Makes sure that a user has a tracker; returns true if it is new. A new tracker is off, and was never on: a phone
    /// must be started first.
    package func makeTracker(of user: String, account: Int, on database: isolated Connection) throws -> Bool {
        // crosses rooms: a new tracker has the account's default sink.
        try !database.query(
            """
            INSERT INTO trackers (account, user_id, sink)
            VALUES (\(account)::integer, \(user),
                    (SELECT id FROM sinks WHERE account = \(account)::integer AND is_default))
            ON CONFLICT (account, user_id) DO NOTHING
            RETURNING id
            """
        ).isEmpty
    }

    /// Stores fixes of one user from a file that a person imports on purpose: so it does not matter if the tracker is
    /// or was on.
    ///
    /// The rows are the same as those that ``record(_:account:on:)`` makes of these fixes. Each fix must have passed
    /// ``TrackingRule/problem(of:now:)``.
    package func recordHistory(
        _ fixes: [Fix], of user: String, account: Int, on database: isolated Connection
    ) throws -> HistoryCounts {
        let fixes = fixes.map { UserFix($0, of: user) }
        let fates = try store(fixes, account: account, on: database) { _, _ in nil }
        var counts = HistoryCounts()
        var seen: Set<FixKey> = []
        for (fix, fate) in zip(fixes, fates) {
            switch fate {
            case _ where !seen.insert(FixKey(fix.fix)).inserted: counts.repeated += 1
            case .taken: counts.taken += 1
            case .doubted: counts.doubted += 1
            case .repeated: counts.repeated += 1
            case .refused(.tooFast): counts.tooFast += 1
            // Nothing else refuses a fix of a history.
            case .refused: throw NoTracker()
            }
        }
        return counts
    }

    /// The user no longer has a tracker, because it was erased.
    struct NoTracker: Error, CustomStringConvertible {
        package let description = "the user's tracker was erased meanwhile; nothing more is stored"
    }
}
