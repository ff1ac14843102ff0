import DatabaseTesting
import JSON
import Postgres
import Queue
import Testing

@testable import API

@Suite(.database)
struct OverviewTests {
    /// Makes a lane with calls of all kinds, a worker, and a running job.
    private func fill() async throws {
        try await Database.test.run { db throws in
            let queue = JobQueue()
            try queue.setLimits([#require(RateLimit(text: "2/s"))], of: "gazetteer", on: db)
            _ = try queue.enqueue([1, 2], in: "gazetteer", on: db)
            let worker = try ProcessRegistry().register(
                .worker, name: "ada", host: "here", pid: 7, lanes: ["gazetteer"], on: db)
            _ = try ProcessRegistry().beat(.worker, worker, memory: 12_345, on: db)
            try db.query(
                """
                INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
                SELECT now() - interval '3 seconds', 0.1, 1, \(worker)::integer, 4, outcome
                FROM unnest('{done,retry,rate,failed,lost}'::call_outcome[]) AS outcome
                """)
            try db.query(
                """
                INSERT INTO throughput (minute, lane, worker, calls, subjects, retries, retried, limited, failed, lost)
                VALUES (date_trunc('minute', now()), 1, \(worker)::integer, 5, 8, 2, 1, 1, 1, 1)
                """)
        }
    }

    @Test func `the overview shows the throughput of each lane and worker next to its limits`() async throws {
        var client = try await APIClient.test()
        try await fill()
        let answer = try await client.get("/v1/overview").expect(200, has: ["lanes.0.done_basis": "limits"])
        func lane(_ span: String, _ member: String) throws -> JSONValue? {
            try answer.at("lanes", "0", "throughput", span, member)
        }
        #expect(try lane("10s", "calls") == .number(5))
        #expect(try lane("10s", "permitted") == .number(20))
        for member in ["answered", "retried", "limited", "failed", "lost"] {
            #expect(try lane("10s", member) == .number(1))
            #expect(try lane("1d", member) == .number(1))
        }
        #expect(try lane("10s", "subjects") == .number(8))
        try answer.expect(has: [
            "workers.0.name": "ada", "workers.0.memory_bytes": 12_345, "workers.0.throughput.1h.lost": 1,
        ])
        client.token = "reader"
        #expect(try await client.get("/v1/overview").status == 403)
    }

    @Test func `the overview shows how many calls were saved, over all accounts`() async throws {
        let client = try await APIClient.test()
        try await fill()
        try await Database.test.query(
            """
            INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
            SELECT id, status::geocode_status, NULL, false, 30, 1
            FROM accounts, unnest('{located,not_found,waiting,forgotten}'::text[]) AS status
            WHERE name IN ('default', 'other')
            """)
        let answer = try await client.get("/v1/overview").expect(has: [
            "answered_addresses": 120, "called_addresses": 8, "calls_saved": 112,
        ])
        #expect(
            try answer.at("lanes", "0", "calls_last_minute") == answer.at("lanes", "0", "throughput", "1m", "calls"))
        #expect(try answer.at("lanes", "0", "calls_last_minute") == .number(5))
    }

    @Test func `a history has the steps of its span, and an unknown span is refused`() async throws {
        let client = try await APIClient.test()
        try await fill()
        for (span, steps) in [("", 60), ("?span=1d", 48), ("?span=7d", 56), ("?span=30d", 60)] {
            let answer = try await client.get("/v1/throughput/history\(span)")
            let found = try answer.at("lanes", "0", "steps")?.list
            #expect(found?.count == steps)
            #expect(found?.last?.object?["calls"] == .number(5))
        }
        let refusal = try await client.get("/v1/throughput/history?span=2h").expect(400)
        #expect(refusal.text.contains("30d"))
    }

    @Test func `the event stream of the overview is endless`() async throws {
        #expect(try await APIClient.test().get("/v1/overview/events").isEndless)
    }
}
