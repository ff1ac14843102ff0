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

    @Test func `a healthy cluster has only good findings`() async throws {
        try await Database.test.run { db throws in
            try db.query("SELECT keep_call_partitions(1, '7 days')")
            let id = try scene.registry.register(.coordinator, name: "carl", host: "here", pid: 1, on: db)
            try db.query("UPDATE leadership SET coordinator = \(id), until = now() + interval '1 minute'")
            let findings = try doctor.examineServer(on: db) + doctor.examine(on: db)
            #expect(findings.allSatisfy { $0.verdict == .ok && $0.cause == nil }, "\(findings)")
            #expect(
                Set(findings.map(\.check)) == [
                    "clock", "connections", "transactions", "dead rows", "call log", "leader", "workers", "listeners",
                    "lane gazetteer",
                ])
        }
    }

    @Test func `a missing leader is a finding`() async throws {
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

    @Test func `calls without a partition are a warning`() async throws {
        try await Database.test.run { db throws in
            #expect(try findings("call log", on: db).map(\.verdict) == [.warning])
            try db.query("INSERT INTO calls VALUES (now(), 1, 1, 1, 1, 'done')")
            #expect(try findings("call log", on: db).map(\.verdict) == [.warning, .warning])
            try db.query("SELECT keep_call_partitions(1, '7 days')")
            #expect(try findings("call log", on: db).map(\.verdict) == [.ok])
        }
    }

    @Test func `a silent worker is a problem`() async throws {
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

    @Test func `workers that get no notification are a warning`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            _ = try scene.worker(on: db)
            #expect(try findings("listeners", on: db).map(\.verdict) == [.warning])
        }
        let kept = KeptConnection(beside: database, waitLimit: .seconds(30))
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        let listening = Task {
            try await kept.keep(listeningTo: ["anything"], every: .seconds(60)) { _ in beat.yield() }
        }
        for await _ in beats { break }
        try await database.run { db throws in #expect(try findings("listeners", on: db).map(\.verdict) == [.ok]) }
        listening.cancel()
        _ = await listening.result
        await kept.close()
    }

    @Test func `a worker killed recently is not mistaken for one behind a pooler`() async throws {
        try await Database.test.run { db throws in
            _ = try scene.worker(on: db)
            let remedy = try findings("listeners", on: db).first?.cause
            guard case .outside(let words) = remedy else { return #expect(Bool(false), "\(remedy as Any)") }
            #expect(!words.contains("pooled"))
            try db.query("UPDATE workers SET seen_at = now() - interval '6 seconds'")
            #expect(try findings("listeners", on: db).map(\.verdict) == [.ok])
        }
    }

    @Test func `failing calls are reported with their reason, and also a provider that answers 429`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...10), on: db)
            #expect(try findings("lane gazetteer", on: db).map(\.verdict) == [.ok])
            try held.finish(.done(), .done(), .retry(reason: "it answered 500"), on: db)
            let failing = try #require(try findings("lane gazetteer", on: db).last)
            #expect(failing.cause == .failingCalls(lane: "gazetteer"))
            #expect(failing.text == "1 of 3 calls of the last 10 minutes failed; the last: it answered 500")
            _ = try held.queue.finish(
                [
                    JobReport(
                        held.jobs[5], .rate(retryAfter: .seconds(60)), startedAt: try held.queue.clock(on: db),
                        took: .milliseconds(5))
                ], in: held.lane, by: held.ada, on: db)
            #expect(
                try findings("lane gazetteer", on: db).contains {
                    $0.cause == .tooFast(lane: "gazetteer") && $0.text.contains("1 of the latest 4 calls")
                        && $0.text.contains("429")
                })
        }
    }

    @Test func `slow calls are reported, and calls lost with a silent worker, for ten minutes`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...7), on: db)
            let now = try held.queue.clock(on: db)
            _ = try held.queue.finish(
                held.jobs.prefix(5).map { JobReport($0, .done(), startedAt: now, took: .seconds(6)) }, in: held.lane,
                by: held.ada, on: db)
            #expect(
                try findings("lane gazetteer", on: db).map(\.text).contains(
                    "its calls are slow: half of the latest 5 took 6 s or longer"))
            try db.query("UPDATE workers SET seen_at = now() - interval '1 minute'")
            _ = try scene.registry.rescue(on: db)
            #expect(
                try findings("lane gazetteer", on: db).map(\.text).contains(
                    "2 of the latest 7 calls were lost with a worker that was killed or fell silent"))
            try db.query("UPDATE calls SET started_at = now() - interval '11 minutes'")
            #expect(try findings("lane gazetteer", on: db).count == 1)
        }
    }

    @Test func `nearly used-up connections are a warning, and none left is a problem`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            #expect(try doctor.connections(on: db).verdict == .ok)
            let name: String = try db.query("SELECT quote_ident(current_database()) AS name")[0].read("name")
            // This connection is in use.
            try db.run(script: "ALTER DATABASE \(name) CONNECTION LIMIT 1")
            let finding = try doctor.connections(on: db)
            try db.run(script: "ALTER DATABASE \(name) CONNECTION LIMIT -1")
            #expect(finding.verdict == .problem)
            #expect(
                finding.text.hasPrefix("1 of 1 connections that this database permits are in use, 1 of them by waypost")
            )
        }
    }

    @Test func `workers that may take more connections than there are cause a warning`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            _ = try scene.worker(on: db)
            _ = try scene.worker("bob", on: db)
            #expect(try findings("connections", on: db).map(\.verdict) == [.ok])
            let name: String = try db.query("SELECT quote_ident(current_database()) AS name")[0].read("name")
            var verdicts: [Finding.Verdict] = []
            for limit in [6, 5] {
                try db.run(script: "ALTER DATABASE \(name) CONNECTION LIMIT \(limit)")
                verdicts += try findings("connections", on: db).map(\.verdict)
            }
            try db.run(script: "ALTER DATABASE \(name) CONNECTION LIMIT -1")
            #expect(verdicts == [.ok, .warning])
        }
    }

    @Test func `waiting jobs without a worker are a problem, and a closed lane is a warning`() async throws {
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

    @Test func `a long-open transaction is reported with the remedy`() async throws {
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
        #expect(findings[0].text.contains("(waypost) is idle in a transaction that has been open for"))
        guard case .outside(let remedy) = findings[0].cause else {
            Issue.record("\(findings)")
            return
        }
        #expect(remedy.contains("pg_terminate_backend"))
    }

    @Test func `a clock off by more than the round trip explains is a warning`() {
        #expect(Doctor.clock(skew: .milliseconds(900), roundTrip: .zero).verdict == .ok)
        #expect(Doctor.clock(skew: .milliseconds(1_100), roundTrip: .zero).verdict == .warning)
        #expect(Doctor.clock(skew: .milliseconds(1_100), roundTrip: .seconds(1)).verdict == .ok)
        let behind = Doctor.clock(skew: .seconds(-5), roundTrip: .seconds(1))
        #expect(behind.verdict == .warning)
        #expect(behind.text == "this host's clock is 5000 ms behind PostgreSQL's")
    }

    @Test func `more dead rows than vacuum usually leaves are a warning`() {
        #expect(Doctor.deadRows(20_000, live: 0, in: "jobs") == nil)
        #expect(Doctor.deadRows(20_001, live: 10, in: "jobs")?.verdict == .warning)
        #expect(Doctor.deadRows(400_000, live: 1_000_000, in: "jobs") == nil)
        #expect(Doctor.deadRows(600_000, live: 1_000_000, in: "jobs") != nil)
    }
}
