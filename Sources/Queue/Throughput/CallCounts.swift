import Postgres

/// Calls by how they ended, and the subjects that they dealt with.
package struct CallCounts: Sendable, Hashable {
    /// The provider answered, be it that there is no such place.
    package var answered = 0
    /// They failed, and their jobs wait for another try.
    package var retried = 0
    /// The provider refused them: too fast, or over a quota.
    package var limited = 0
    /// They failed for good.
    package var failed = 0
    /// Their worker vanished, so nobody knows.
    package var lost = 0
    /// They have left, and have not come back.
    package var underWay = 0

    /// Addresses, coordinates or trackers that were dealt with.
    package var subjects = 0

    package init() {}

    /// All that the provider got.
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
