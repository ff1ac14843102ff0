import Postgres

/// Calls by their outcome, and the subjects that were done.
package struct CallCounts: Sendable, Hashable {
    /// The provider answered. The answer may be "not found".
    package var answered = 0
    /// The call failed, and its job waits for a retry.
    package var retried = 0
    /// The provider refused the call: too fast, or over a quota.
    package var limited = 0
    /// The call failed for good.
    package var failed = 0
    /// The worker vanished, so the outcome is unknown.
    package var lost = 0
    /// The call was sent and has not ended.
    package var underWay = 0

    /// Addresses, coordinates or trackers that were done.
    package var subjects = 0

    package init() {}

    /// All calls that the provider received.
    package var calls: Int { answered + retried + limited + failed + lost + underWay }

    package static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.answered += other.answered
        sum.retried += other.retried
        sum.limited += other.limited
        sum.failed += other.failed
        sum.lost += other.lost
        sum.underWay += other.underWay
        sum.subjects += other.subjects
        return sum
    }
}

extension CallCounts {
    init(_ row: Row) throws {
        answered = try row.read("answered")
        retried = try row.read("retried")
        limited = try row.read("limited")
        failed = try row.read("failed")
        lost = try row.read("lost")
        underWay = try row.read("under_way")
        subjects = try row.read("subjects")
    }
}
