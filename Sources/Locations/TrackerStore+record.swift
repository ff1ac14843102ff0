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

/// The fate of a received fix. The raw values are those of the SQL function.
package enum FixFate: String, Sendable {
    /// The fix is part of a location.
    case taken
    /// The fix is stored, but not believed.
    case doubted
    /// The fix is not stored, because it is not believed.
    case tooFast = "too_fast"
    /// The fix was stored already.
    case repeated
    /// Its tracker was off at its time.
    case untracked
    /// Its tracker is off.
    case off
    /// Its user has no tracker.
    case unknown
}

extension TrackerStore {
    /// Stores fixes of any users of an account, in one statement. Returns the fate of each.
    ///
    /// Each fix must have passed ``TrackingRule/problem(of:now:)``.
    package func record(_ fixes: [UserFix], account: Int, on database: isolated Connection) throws -> [FixFate] {
        var fates = [FixFate](repeating: .unknown, count: fixes.count)
        let received = try database.query(
            """
            SELECT place, outcome
            FROM record_fixes(\(account)::integer, \(fixes.map(\.user)), \(fixes.map(\.fix.id)),
                              \(fixes.map(\.fix.timestamp)), \(fixes.map(\.fix.lat)), \(fixes.map(\.fix.lng)),
                              \(fixes.map(\.fix.accuracy)), \(fixes.map(\.fix.waitTime)))
            """)
        for row in received {
            let outcome: String = try row.read("outcome")
            guard let fate = FixFate(rawValue: outcome) else { preconditionFailure("record_fixes says \(outcome)") }
            fates[try row.read("place") - 1] = fate
        }
        return fates
    }
}
