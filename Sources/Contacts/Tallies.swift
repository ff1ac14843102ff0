package import Postgres

/// A number of rows, and how often they were changed. Two reads with the same number of changes find the same rows in
/// the same order.
package struct Tally: Sendable, Equatable {
    package let count: Int
    package let changes: Int
}

/// Numbers that the database updates in the transaction of each change: `sql/functions/address_changes.sql` and
/// `friend_changes.sql`.
extension ContactStore {
    /// Returns the number of an account's friends.
    func friendTally(account: Int, on database: isolated Connection) throws -> Tally {
        try tally("friends", in: "friend_tallies", account: account, on: database)
    }

    /// Returns the number of addresses of an account's friends.
    func addressTally(account: Int, on database: isolated Connection) throws -> Tally {
        try tally("addresses", in: "address_tallies", account: account, on: database)
    }

    private func tally(
        _ column: SQL, in table: SQL, account: Int, on database: isolated Connection
    ) throws -> Tally {
        let row = try database.query(
            """
            SELECT coalesce(sum(\(part: column)), 0)::bigint AS count, coalesce(sum(changes), 0)::bigint AS changes
            FROM \(part: table)
            WHERE account = \(account)::integer
            """)[0]
        return Tally(count: try row.read("count"), changes: try row.read("changes"))
    }

    /// Returns the counts of ``progress(account:feed:countingQuestions:on:)`` from tallies, without the counts that
    /// tallies lack: questions, and addresses without a country.
    package func talliedProgress(
        account: Int, on database: isolated Connection
    ) throws -> (progress: AddressProgress, tally: Tally) {
        let rows = try database.query(
            """
            SELECT status, precision, is_weak, is_provisional, sum(addresses)::bigint AS addresses,
                   sum(changes)::bigint AS changes
            FROM address_tallies
            WHERE account = \(account)::integer
            GROUP BY 1, 2, 3, 4
            """)
        var progress = AddressProgress()
        var changes = 0
        for row in rows {
            try progress.add(row, hasCountries: false)
            changes += try row.read("changes")
        }
        return (progress, Tally(count: progress.total, changes: changes))
    }

    /// Returns the same over all accounts that the connection may read.
    package func talliedProgress(on database: isolated Connection) throws -> AddressProgress {
        let rows = try database.query(
            """
            SELECT status, precision, is_weak, is_provisional, sum(addresses)::bigint AS addresses
            FROM address_tallies
            GROUP BY 1, 2, 3, 4
            """)
        var progress = AddressProgress()
        for row in rows { try progress.add(row, hasCountries: false) }
        return progress
    }

    /// Counts the addresses of all accounts that have an answer now, whichever account the connection works for.
    package func answeredAddresses(on database: isolated Connection) throws -> Int {
        try database.query("SELECT answered_addresses() AS addresses")[0].read("addresses")
    }

    /// Counts the distinct addresses of an account, one by one.
    package func countQuestions(account: Int, on database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT count(*) AS questions
            FROM (
                SELECT DISTINCT hash
                FROM addresses
                WHERE owner = \(account)::integer AND hash IS NOT NULL
                  AND NOT EXISTS (SELECT FROM friends WHERE friends.id = addresses.friend AND deleted_at IS NOT NULL)
            ) AS hashes
            """)[0].read("questions")
    }

    /// Merges the rows of the tallies, so that readers find few. Returns how many rows that saved.
    package func addUpTallies(on database: isolated Connection) throws -> Int {
        try database.query("SELECT add_up_tallies() AS saved")[0].read("saved")
    }

    /// Copies the standing of questions to addresses that were stored while the questions changed: up to `limit`
    /// questions. Returns how many.
    package func settleLeftOvers(_ limit: Int, on database: isolated Connection) throws -> Int {
        try database.query("SELECT settle_left_overs(\(limit)::integer) AS settled")[0].read("settled")
    }
}
