import DatabaseTesting
import HTTP
import JSON
import Postgres
import Queue
import Shapes
import Testing

@testable import API

/// Another program may write rows. What the tables' constraints permit, every route and every read of the queue bears.
@Suite(.database)
struct ForeignRowTests {
    @Test(arguments: 0..<5) func `rows with extreme values are shown, and end nothing`(_ number: Int) async throws {
        var client = try await APIClient.test()
        // A number may be below the minimum of its schema: an age, if the row is of the future.
        client.checksReplies = false
        try await Database.test.run { db in
            try db.fillTables(account: "default")
            try db.storeForeignValues(number)
        }
        for route in client.server.routes where route.method == .get {
            var target = route.pattern.replacing("{user}", with: "ada").replacing("{feed}", with: "crm")
                .replacing("{key}", with: "ada").replacing("{id}", with: "1")
            let required = (route.input as? any QueryInput.Type)?.query.filter(\.isRequired) ?? []
            let items = try required.map {
                "\($0.name)=\(try JSONValue(parsing: Array($0.schema.example.text.utf8)).written ?? "")"
            }
            if !items.isEmpty { target += "?" + items.joined(separator: "&") }
            let names = ["gazetteer", "paused", "blocked", "failing", "default"]
            for name in target.contains("{name}") ? names : [""] {
                let answer = try await client.get(target.replacing("{name}", with: name))
                #expect(answer.status < 500, "\(target) \(name): \(answer.text)")
            }
        }
        try await Database.test.transaction { db in
            let queue = JobQueue()
            let overview = try queue.overview(on: db)
            for lane in overview.lanes {
                #expect(!lane.estimate.text.isEmpty)
                _ = lane.outlook.time(for: .max >> 12)
                _ = LaneWait(lane)
                _ = WaitReason(lane)
                _ = try queue.audit(lane.lane, last: .seconds(3_600), on: db)
            }
            for job in try queue.list(limit: 100, on: db) {
                #expect(JobCursor(text: JobCursor(after: job).text) != nil, "\(job)")
                if let facts = try queue.circumstances(of: job.id, on: db) {
                    #expect(!WhyJobWaits(facts).sentence(job: job.id, lane: facts.lane).isEmpty)
                    _ = WaitReason(facts)
                }
            }
            _ = try Doctor().examine(on: db)
        }
    }
}
