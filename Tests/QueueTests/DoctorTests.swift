import DatabaseTesting
import Postgres
import Testing

@testable import Queue

@Suite(.database)
struct DoctorTests {
    private let scene = Scene()
    private let doctor = Doctor()

    private func findings(_ check: String, on db: isolated Connection) throws -> [Finding] {
        try doctor.examine(on: db).filter { $0.check == check }
    }

    @Test func `a cluster in which all is well has nothing but good lines`() async throws {
        try await Database.test.run { db throws in
            try db.query("SELECT keep_call_partitions(1, '7 days')")
            let id = try scene.registry.register(.coordinator, name: "carl", host: "here", pid: 1, on: db)
            try db.query("UPDATE leadership SET coordinator = \(id), until = now() + interval '1 minute'")
            let findings = try doctor.examine(on: db)
            #expect(findings.allSatisfy { $0.verdict == .ok && $0.cause == nil }, "\(findings)")
            #expect(
                Set(findings.map(\.check)) == [
                    "clock", "transactions", "dead rows", "call log", "leader", "workers", "listeners",
                    "lane gazetteer",
                ])
        }
    }

    @Test func `without a leader, nothing is cleaned up`() async throws {
        try await Database.test.run { db throws in
            #expect(try findings("leader", on: db).map(\.cause) == [.noLeader])
            let id = try scene.registry.register(.coordinator, name: "carl", host: "here", pid: 1, on: db)
            try db.query("UPDATE leadership SET coordinator = \(id), until = now() + interval '1 minute'")
            #expect(try findings("leader", on: db).map(\.text) == ["carl leads"])
            try db.query("UPDATE coordinators SET seen_at = now() - interval '11 seconds'")
            #expect(try findings("leader", on: db).map(\.text) == ["carl on here leads, and is silent"])
            try db.query("DELETE FROM coordinators")
            #expect(try findings("leader", on: db).map(\.verdict) == [.problem])
        }
    }

    @Test func `calls that no partition has a place for are a warning`() async throws {
        try await Database.test.run { db throws in
            #expect(try findings("call log", on: db).map(\.verdict) == [.warning])
            try db.query("INSERT INTO calls VALUES (now(), 1, 1, 1, 1, 'done')")
            #expect(try findings("call log", on: db).map(\.verdict) == [.warning, .warning])
            try db.query("SELECT keep_call_partitions(1, '7 days')")
            #expect(try findings("call log", on: db).map(\.verdict) == [.ok])
        }
    }

    @Test func `a worker that fell silent is a problem`() async throws {
        try await Database.test.run { db throws in
            _ = try scene.worker(on: db)
            _ = try scene.worker("bob", on: db)
            #expect(try findings("workers", on: db).map(\.verdict) == [.ok])
            try db.query("UPDATE workers SET seen_at = now() - interval '1 hour'")
            let finding = try #require(try findings("workers", on: db).first)
            #expect(finding.verdict == .problem)
            #expect(finding.text.contains("ada on here and 1 other"))
        }
    }

    @Test func `workers that hear nothing are a warning`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            _ = try scene.worker(on: db)
            #expect(try findings("listeners", on: db).map(\.verdict) == [.warning])
        }
        var hearings = database.listen(on: ["anything"]).makeAsyncIterator()
        #expect(await hearings.next() == .listening)
        try await database.run { db throws in #expect(try findings("listeners", on: db).map(\.verdict) == [.ok]) }
    }

    @Test func `jobs that wait where no worker takes any are a problem, and a closed lane a warning`() async throws {
        try await Database.test.run { db throws in
            try scene.jobs([1], on: db)
            #expect(try findings("lane gazetteer", on: db).map(\.cause) == [.noWorker])
            _ = try scene.worker(on: db)
            #expect(try findings("lane gazetteer", on: db).map(\.verdict) == [.ok])
            try scene.queue.pause(scene.lane, on: db)
            #expect(try findings("lane gazetteer", on: db).map(\.cause) == [nil, .pausedLane("gazetteer")])
            try db.query(
                "UPDATE lanes SET paused_at = NULL, blocked_until = now() + interval '1 hour', blocked_because = 'why'")
            #expect(try findings("lane gazetteer", on: db).last?.text.hasSuffix("why") == true)
            try db.query("UPDATE lanes SET blocked_until = NULL, blocked_because = NULL, faults = 5")
            #expect(try findings("lane gazetteer", on: db).map(\.cause) == [nil, .blockedLane("gazetteer")])
        }
    }

    @Test func `a transaction that stays open is named, with how to end it`() async throws {
        let database = try Database.test
        let (open, done) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let impatient = Doctor(longTransaction: .zero)
        async let transaction: Void = database.transaction { db in
            try db.query("SELECT FROM lanes")
            open.arriveAndWait()
            done.arriveAndWait()
        }
        let findings = try await database.run { db in
            open.arriveAndWait()
            defer { done.arriveAndWait() }
            return try impatient.transactions(on: db)
        }
        try await transaction
        #expect(findings.map(\.verdict) == [.warning])
        guard case .outside(let remedy) = findings[0].cause else {
            Issue.record("\(findings)")
            return
        }
        #expect(remedy.contains("pg_terminate_backend"))
    }

    @Test func `a clock that is off by more than the round trip explains is a warning`() {
        #expect(Doctor.clock(skew: .milliseconds(900), roundTrip: .zero).verdict == .ok)
        #expect(Doctor.clock(skew: .milliseconds(1_100), roundTrip: .zero).verdict == .warning)
        #expect(Doctor.clock(skew: .milliseconds(1_100), roundTrip: .seconds(1)).verdict == .ok)
        let behind = Doctor.clock(skew: .seconds(-5), roundTrip: .seconds(1))
        #expect(behind.verdict == .warning)
        #expect(behind.text == "this host's clock is 5000 ms behind PostgreSQL's")
    }

    @Test func `more dead rows than vacuum leaves are a warning`() {
        #expect(Doctor.deadRows(20_000, live: 0, in: "jobs") == nil)
        #expect(Doctor.deadRows(20_001, live: 10, in: "jobs")?.verdict == .warning)
        #expect(Doctor.deadRows(400_000, live: 1_000_000, in: "jobs") == nil)
        #expect(Doctor.deadRows(600_000, live: 1_000_000, in: "jobs") != nil)
    }
}
