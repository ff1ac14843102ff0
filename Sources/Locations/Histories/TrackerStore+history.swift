package import Postgres
package import Tracking

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
    /// ``TrackingRule/problem(of:now:)``. Returns how many have each fate. Fixes that are not believed are refused as
    /// too fast, if their tracker drops them.
    package func recordHistory(
        _ fixes: [Fix], of user: String, account: Int, on database: isolated Connection
    ) throws -> [FixFate: Int] {
        let fixes = fixes.map { UserFix($0, of: user) }
        let fates = try store(fixes, account: account, on: database) { _, _ in nil }
        var counts: [FixFate: Int] = [:]
        var seen: Set<FixKey> = []
        for (fix, fate) in zip(fixes, fates) {
            let isNew = seen.insert(FixKey(fix.fix)).inserted
            // Nothing else refuses a fix of a history.
            if isNew, case .refused(let reason) = fate, reason != .tooFast { throw NoTracker() }
            counts[isNew ? fate : .repeated, default: 0] += 1
        }
        return counts
    }

    /// The user no longer has a tracker, because it was erased.
    struct NoTracker: Error, CustomStringConvertible {
        package let description = "the user's tracker was erased meanwhile; nothing more is stored"
    }
}
