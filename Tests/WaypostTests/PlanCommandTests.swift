import DatabaseTesting
import Foundation
import Postgres
import Queue
import Testing

@Suite(.database)
struct PlanCommandTests: CommandSuite {
    let program: Program

    init() throws {
        program = try Program()
        let rows = (1...400).map { "\($0),\($0) Main St,Reno" }
        try program.write("Name,Street,City\n" + rows.joined(separator: "\n") + "\n", to: "contacts.csv")
    }

    @Test func `a plan gives time, cost, bottleneck and worthwhile workers, and stores nothing`()
        async throws
    {
        let outcome = try await waypost(
            "plan", "contacts.csv", "--workers", "3", "--limit", "gazetteer=1/min:burst=1", "--price",
            "gazetteer=500 EUR",
            "--latency", "gazetteer=200ms")
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(
            outcome.output.contains("400 to ask for.\n\nWith 3 workers of 16 calls at once: 1 call, "),
            "\(outcome.output)")
        #expect(outcome.output.contains(", 0.50 EUR."), "\(outcome.output)")
        #expect(outcome.output.contains("One worker is enough"), "\(outcome.output)")
        let stored = try await Database.test.run {
            try $0.query("SELECT (SELECT count(*) FROM geocodes) + (SELECT count(*) FROM accounts) AS number")[0]
                .read("number", as: Int.self)
        }
        #expect(stored == 0)
    }

    @Test func `a plan in JSON has no duration with a paused lane`() async throws {
        try await Database.test.transaction { db in
            _ = try JobQueue().pause("gazetteer", on: db)
        }
        let plan = try #require(try await json("plan", "contacts.csv") as? [String: Any])
        #expect(plan["new"] as? Int == 400)
        #expect(plan["seconds"] is NSNull)
        #expect(plan["limited_by"] as? String == "pause")
        #expect(plan["limited_in"] as? String == "gazetteer")
    }

    @Test func `wrong usage is reported, and exits with 2`() async throws {
        let lane = try await waypost("plan", "contacts.csv", "--limit", "nominatim=1/s")
        #expect(lane.code == 2)
        #expect(lane.error.contains("has no lane called \"nominatim\"; it has gazetteer"), "\(lane.error)")
        let rate = try await waypost("plan", "contacts.csv", "--limit", "1/s")
        #expect(rate.code == 2)
        #expect(rate.error.contains("--limit takes a lane, = and a rate"), "\(rate.error)")
        let missing = try await waypost("plan", "nobody.csv")
        #expect(missing.code == 1)
    }
}
