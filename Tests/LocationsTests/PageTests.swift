import DatabaseTesting
import Locations
import Postgres
import Testing

/// Pages of a long history.
@Suite(.database)
struct PageTests {
    @Test func `a page reads only its own rows, wherever it is and however often it is repeated`() async throws {
        let account = try await openAccount()
        try await Database.test.run { db throws in
            try TrackerStore().start("ada", since: 0, account: account, on: db)
            try db.query(
                """
                INSERT INTO pending_locations (tracker, account, at, id, lat, lng, wait_time)
                SELECT trackers.id, account, to_timestamp(1600000000 + n * 60), n::text, 60, 24, 0
                FROM trackers, generate_series(1, 200000) AS n
                """)
            try db.run(script: "ANALYZE pending_locations")
            var cursor: LocationCursor?
            // From the sixth run on the server may use a generic plan.
            for page in 0..<10 {
                let last =
                    page == 0 ? nil : LocationCursor(timestamp: 1_600_000_000 + 60 * 19_000 * Double(page), id: "")
                cursor = last
                let found = try db.transaction { db throws in
                    let before = try rowsRead(db)
                    let found = try TrackerStore().locations(
                        of: "ada", after: cursor, limit: 100, account: account, on: db)
                    #expect(try rowsRead(db) - before <= 300, "page \(page)")
                    return found
                }
                #expect(found.count == 100)
                if let last { #expect(found.first?.timestamp == last.timestamp) }
            }
        }
    }

    /// The number of rows of locations read by this transaction.
    private func rowsRead(_ database: isolated Connection) throws -> Int {
        try database.query(
            """
            SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint AS count
            FROM pg_stat_xact_user_tables
            WHERE relname LIKE 'pending_locations%'
            """)[0].read("count")
    }
}
