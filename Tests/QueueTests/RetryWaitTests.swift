import DatabaseTesting
import Postgres
import Queue
import Testing

@Suite(.database)
struct RetryWaitTests {
    @Test(arguments: [0, 1, 3, 9, 40])
    func `the bound is that of the function in SQL`(failures: Int) async throws {
        let wait = RetryWait(first: .seconds(2), longest: .seconds(500))
        let longest: Double = try await Database.test.query(
            """
            SELECT max(extract(epoch FROM retry_wait(
                       \(failures)::smallint, \(wait.first)::interval, \(wait.longest)::interval, NULL)))::float8 AS value
            FROM generate_series(1, 2000)
            """)[0].read("value")
        let bound = wait.bound(after: failures) / .seconds(1)
        #expect(longest <= bound && longest > 0.98 * bound)
    }

    @Test func `the defaults are those of a new lane`() async throws {
        let settings = try await Database.test.run { db throws in
            try JobQueue().prepareLane("new", batch: 1, limits: [], attribution: "", on: db)
            return try JobQueue().lane("new", on: db).settings
        }
        #expect(settings.retryWait == RetryWait())
    }
}
