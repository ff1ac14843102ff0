package import Postgres

/// The table `leadership`, which contains the leading coordinator.
///
/// The lead is a lease on a row and not an advisory lock, because a pooler may give a session to another client. A
/// leader that slept notices it at its next act, because each act begins with ``lock(_:on:)`` in its own transaction.
package struct Leadership: Sendable {
    /// A period in which one coordinator leads without a break. A number is never used twice.
    package struct Term: Hashable, Sendable {
        package let coordinator: Int
        package let number: Int
    }

    package init() {}

    /// Acquires the lead for `length` from now, or renews it. Returns nil while another coordinator has it. Also returns
    /// nil for a coordinator that is not registered: two of those would acquire it from each other.
    ///
    /// The lead is free when its time is over, or when its holder is no longer registered: a parent that saw the holder
    /// die removes its row. A take-over waits for an act that runs.
    package func acquire(
        for coordinator: Int, within length: Duration, on database: isolated Connection
    ) throws -> Term? {
        try database.query(
            """
            UPDATE leadership
            SET coordinator = \(coordinator),
                term = term + (coordinator <> \(coordinator))::integer,
                until = now() + \(length)::interval
            WHERE EXISTS (SELECT FROM coordinators WHERE id = \(coordinator))
              AND (coordinator = \(coordinator)
                   OR until <= now()
                   OR NOT EXISTS (SELECT FROM coordinators WHERE id = leadership.coordinator))
            RETURNING term
            """
        ).first.map { Term(coordinator: coordinator, number: try $0.read("term")) }
    }

    /// Makes sure that the term lasts until the open transaction ends, or throws ``LostLeadership``.
    ///
    /// A process that takes over has to wait for the lock on the row. So either this leader does everything in the
    /// transaction, or nothing is done.
    package func lock(_ term: Term, on database: isolated Connection) throws {
        let isHeld = try !database.query(
            """
            SELECT
            FROM leadership
            WHERE coordinator = \(term.coordinator) AND term = \(term.number) AND until > clock_timestamp()
            FOR SHARE
            """
        ).isEmpty
        guard isHeld else { throw LostLeadership() }
    }

    /// Gives up the lead, so that a stand-by need not wait until its time is over.
    package func resign(_ term: Term, on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE leadership
            SET until = '-infinity'
            WHERE coordinator = \(term.coordinator) AND term = \(term.number)
            """)
    }
}

/// Another coordinator leads now, or none: this one was silent for too long.
package struct LostLeadership: Error, CustomStringConvertible {
    package let description = "this coordinator no longer leads"
}
