import DatabaseTesting
import Postgres
import Testing

@testable import Queue

/// The log of acts.
@Suite(.database)
struct AuditLogTests {
    private let log = AuditLog()
    private let ada = Author.user("ada", on: "host-7")
    private let pages = Author.client(token: 3, named: "pages", of: "default")

    private func found(on db: isolated Connection, _ filter: ActFilter) throws -> [String] {
        try log.acts(filter, limit: 10, on: db).map(\.verb)
    }

    @Test func `an act is found by its verb, its target and its author`() async throws {
        try await Database.test.run { db throws in
            try log.append(.pauseLane, "nominatim", after: ["reason": "ä \"x\""], by: ada, on: db)
            try log.append(.limitLane, "apple", before: ["limits": "none"], after: ["limits": "1/s"], by: pages, on: db)
            try log.append(.retryJobs, by: pages, on: db)
            #expect(try found(on: db, ActFilter()) == ["jobs.retry", "lanes.limit", "lanes.pause"])
            #expect(try found(on: db, ActFilter(verb: "lanes")) == ["lanes.limit", "lanes.pause"])
            #expect(try found(on: db, ActFilter(verb: "lanes.limit")) == ["lanes.limit"])
            #expect(try found(on: db, ActFilter(verb: "lane")) == [])
            #expect(try found(on: db, ActFilter(target: "nominatim")) == ["lanes.pause"])
            for who in ["ada", "host-7"] { #expect(try found(on: db, ActFilter(who: who)) == ["lanes.pause"]) }
            for who in ["pages", "3", "default"] {
                #expect(try found(on: db, ActFilter(who: who)) == ["jobs.retry", "lanes.limit"])
            }
            #expect(try found(on: db, ActFilter(age: .seconds(60))).count == 3)
            try db.query("UPDATE audit_log SET at = now() - interval '2 minutes' WHERE verb = 'jobs.retry'")
            #expect(try found(on: db, ActFilter(age: .seconds(60))).count == 2)

            let acts = try log.acts(limit: 2, on: db)
            #expect(acts.map(\.verb) == ["jobs.retry", "lanes.limit"])
            #expect(acts[1].before == ["limits": "none"])
            #expect(acts[1].author == pages)
            let earlier = try log.acts(before: acts[1].id, limit: 2, on: db)
            #expect(earlier.map(\.after) == [["reason": "ä \"x\""]])
            #expect(earlier.map(\.author) == [ada])
        }
    }

    @Test func `old acts are deleted in steps, and none before a month is over`() async throws {
        try await Database.test.run { db throws in
            for _ in 1...3 { try log.append(.pauseLane, "a", by: ada, on: db) }
            try db.query("UPDATE audit_log SET at = now() - interval '40 days' WHERE id < 3")
            #expect(try log.forget(olderThan: .seconds(41 * 86_400), limit: 10, on: db) == 0)
            #expect(try log.forget(olderThan: .seconds(31 * 86_400), limit: 1, on: db) == 1)
            #expect(try log.forget(olderThan: .seconds(31 * 86_400), limit: 10, on: db) == 1)
            #expect(try log.acts(limit: 10, on: db).count == 1)
            let error = #expect(throws: DatabaseError.self) {
                try log.forget(olderThan: .seconds(86_400), limit: 10, on: db)
            }
            #expect(error?.sqlState == "42501")
        }
    }

    @Test func `an act that changed nothing is not logged`() async throws {
        try await Database.test.run { db throws in
            let (queue, registry) = (JobQueue(), ProcessRegistry())
            let worker = try registry.register(.worker, name: "eve", host: "here", pid: 1, on: db)
            try queue.resume("gazetteer", by: ada, on: db)
            try queue.change("gazetteer", by: ada, on: db) { _ in }
            _ = try registry.setQuiet(false, "eve", by: ada, on: db)
            _ = try queue.discard(.all(), by: ada, on: db)
            #expect(try queue.hurry(99, by: ada, on: db) == false)
            #expect(try log.acts(limit: 10, on: db).isEmpty)
            try queue.pause("gazetteer", by: ada, on: db)
            try queue.pause("gazetteer", by: ada, on: db)
            try queue.change("gazetteer", by: ada, on: db) { $0.callsAtOnce = 3 }
            _ = try registry.setQuiet(true, "\(worker)", by: ada, on: db)
            let acts = try log.acts(limit: 10, on: db)
            #expect(acts.map(\.verb) == ["workers.quiet", "lanes.set", "lanes.pause"])
            #expect(acts[1].before == ["calls_at_once": "none"])
            #expect(acts[1].after == ["calls_at_once": "3"])
        }
    }
}
