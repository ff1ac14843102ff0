import DatabaseTesting
import Polling
import Postgres
import Questions
import Testing

@testable import Cluster

@Suite(.database)
struct ConnectionCountTests {
    private func connections() async throws -> Int {
        try await Database.test.query(
            """
            SELECT count(*) AS n FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'worker under test%'
            """)[0].read("n")
    }

    @Test func `an idle worker has one connection, and a busy one two`() async throws {
        let database = try Database.test
        var options = Database.Options(size: 4)
        options.applicationName = "worker under test"
        // A machine that is slow does not change the count.
        options.openingDelay = .seconds(600)
        let own = Database(url: try Database.testURL, options: options)
        try await with(worker(.everywhere, on: own, callsAtOnce: 1)) { () async throws in
            await own.closeIdle(at: .now + .seconds(3_600))
            try await pollUntil { try await connections() == 1 }
            try await fill(database, with: 5)
            #expect(try await waitForAnswers(database).located == 5)
            #expect(try await connections() == 2)
            await own.closeIdle(at: .now + .seconds(3_600))
            try await pollUntil { try await connections() == 1 }
        }
        await own.close()
        try await pollUntil { try await connections() == 0 }
    }
}
