import DatabaseTesting
import Postgres
import Testing

/// The queue's rules, each in its function in `sql/functions`. docs/limits-and-waits.md lists their numbers.
@Suite(.database)
struct RuleTests {
    private func value(_ sql: SQL) async throws -> Double {
        try await Database.test.query(sql)[0].read("value")
    }

    private func longestRetryWait(after failures: Int) async throws -> Double {
        try await value(
            """
            SELECT max(extract(epoch FROM retry_wait(\(failures)::smallint, '1 second', '5 minutes', NULL)))::float8 AS value
            FROM generate_series(1, 2000)
            """)
    }

    @Test(arguments: [(0, 1.0), (1, 2), (3, 8), (9, 300), (40, 300)])
    func `the bound of a retry's wait doubles up to the longest`(_ failures: Int, _ bound: Double) async throws {
        let longest = try await longestRetryWait(after: failures)
        #expect(longest <= bound && longest > 0.9 * bound)
    }

    @Test func `a retry waits at least as long as the provider requested`() async throws {
        let wait = try await value(
            "SELECT extract(epoch FROM retry_wait(0::smallint, '1 second', '1 second', '7 seconds'))::float8 AS value")
        #expect(wait == 7)
    }

    @Test(arguments: [(0, 5.0), (1, 10), (5, 160), (6, 300), (100, 300)])
    func `the breaker blocks twice as long each time, up to five minutes`(_ trips: Int, _ wait: Double) async throws {
        #expect(try await value("SELECT extract(epoch FROM breaker_wait(\(trips)))::float8 AS value") == wait)
    }

    @Test(arguments: [(0, 2.0), (0.1, 2.5), (1, 4)])
    func `a distant worker gets slots further ahead`(_ uncertainty: Double, _ horizon: Double) async throws {
        #expect(
            try await value("SELECT slot_horizon(make_interval(secs => \(uncertainty)::float8)) AS value") == horizon)
    }

    @Test func `the pace falls to 0.7, rises by a twentieth, and stays between 0.01 and 1`() async throws {
        #expect(abs(try await value("SELECT slower_pace(1)::float8 AS value") - 0.7) < 0.0001)
        #expect(abs(try await value("SELECT slower_pace(0.011::real)::float8 AS value") - 0.01) < 0.0001)
        #expect(abs(try await value("SELECT faster_pace(0.5::real)::float8 AS value") - 0.55) < 0.0001)
        #expect(try await value("SELECT faster_pace(0.99::real)::float8 AS value") == 1)
    }
}
