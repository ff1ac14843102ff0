import DatabaseTesting
import Foundation
import Postgres
import Queue
import Testing

@Suite(.database)
struct PlanCommandTests: CommandSuite {
    let program = Program()

    init() throws {
        let rows = (1...400).map { "\($0),\($0) Main St,Reno" }
        try program.write("Name,Street,City\n" + rows.joined(separator: "\n") + "\n", to: "contacts.csv")
    }

    @Test func `a plan gives time, cost, bottleneck and worthwhile workers, and stores nothing`() async throws {
        try await waypost(
            "plan contacts.csv --workers 3 --limit gazetteer=1/min:burst=1 --price", "gazetteer=500 EUR", "--latency",
            "gazetteer=200ms"
        ).expect(
            0, has: "400 to ask for.\n\nWith 3 workers of 16 calls at once: 1 call, ", ", 0.50 EUR.",
            "One worker is enough")
        let stored = try await Database.test.query(
            "SELECT (SELECT count(*) FROM geocodes) + (SELECT count(*) FROM accounts) AS number")[0].read(
                "number", as: Int.self)
        #expect(stored == 0)
    }

    @Test func `a plan in JSON has no duration with a paused lane`() async throws {
        try await Database.test.transaction { db in
            _ = try JobQueue().pause("gazetteer", on: db)
        }
        let plan = try #require(try await json("plan contacts.csv") as? [String: Any])
        #expect(plan["new"] as? Int == 400)
        #expect(plan["seconds"] is NSNull)
        #expect(plan["limited_by"] as? String == "pause")
        #expect(plan["limited_in"] as? String == "gazetteer")
    }

    @Test func `wrong usage is reported, and exits with 2`() async throws {
        try await waypost("plan contacts.csv --limit nominatim=1/s").expect(
            2, error: "has no lane called \"nominatim\"; it has gazetteer")
        try await waypost("plan contacts.csv --limit 1/s").expect(2, error: "--limit takes a lane, = and a rate")
        try await waypost("plan nobody.csv").expect(1)
    }
}
