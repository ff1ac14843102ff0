import Cluster
import DatabaseTesting
import Foundation
import Geocoding
import Polling
import Postgres
import Processes
import Questions
import Queue
import Schema
import ServerTesting
import Testing

/// A cluster on its own PostgreSQL, which is stopped for longer than the silence limit and then restarted.
@Suite(.timeLimit(.minutes(10)))
struct OutageTests {
    private let registry = ProcessRegistry(silenceLimit: .seconds(2))

    private func coordinator(_ name: String, _ server: PrivateServer, _ log: Log) -> Coordinator {
        Coordinator(
            name: name, database: Database(url: server.url, options: .init(size: 3)),
            registry: registry, interval: .milliseconds(50), log: log)
    }

    /// Runs a worker, and a new one when it ends, like a supervisor.
    private func keepWorking(_ server: PrivateServer, ended: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            let database = Database(url: server.url, options: .init(size: 3))
            try? await worker(.everywhere, on: database, registry: registry, outageLimit: .zero).run {}
            ended.yield()
            await database.close()
        }
    }

    private func wait(for sql: SQL, on database: Database) async throws {
        try await pollUntil { try await database.run { try $0.query(sql)[0].read("holds") } }
    }

    private func leader(_ database: Database) async throws -> (term: Int, until: Double) {
        try await database.run { db throws in
            let row = try db.query("SELECT term, extract(epoch FROM until)::float8 AS until FROM leadership")[0]
            return (try row.read("term"), try row.read("until"))
        }
    }

    @Test func `after a long database outage the cluster continues under one leader`() async throws {
        let folder = "/tmp/waypost-outage-\(getpid())"
        let server = try await PrivateServer.start(in: folder)
        let database = Database(url: server.url, options: .init(size: 2))
        _ = try await Schema.prepare(database)

        let (misses, missed) = AsyncStream.makeStream(of: Void.self)
        let log = Log(format: .logfmt) { if $0.contains("can't send a heartbeat") { missed.yield() } }
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let coordinators = ["one", "two"].map { name in
            Task { try await coordinator(name, server, log).run {} }
        }
        let working = Task { await keepWorking(server, ended: ended) }
        try await wait(for: "SELECT count(*) = 2 AS holds FROM coordinators", on: database)
        try await wait(for: "SELECT count(*) = 1 AS holds FROM workers", on: database)
        try await fill(database, with: 3)
        #expect(try await waitForAnswers(database).located == 3)

        await server.stop()
        // The worker ends after its outage limit. Then each coordinator misses several more heartbeats.
        for await _ in ends { break }
        var tries = 0
        for await _ in misses {
            tries += 1
            if tries == 6 { break }
        }
        try await server.restart()

        try await fill(database, with: 6)
        #expect(try await waitForAnswers(database).located == 6)
        try await wait(
            for: "SELECT count(*) = 2 AS holds FROM coordinators WHERE seen_at > now() - interval '1 second'",
            on: database)
        // Dead workers are removed again.
        try await database.query(
            "INSERT INTO workers (name, host, pid, seen_at) VALUES ('dead', 'there', 1, now() - interval '1 hour')")
        try await wait(for: "SELECT count(*) = 0 AS holds FROM workers WHERE name = 'dead'", on: database)
        // One coordinator leads and keeps the lead for 2 s. On a busy machine it may lose the lead a few times before.
        try await wait(for: "SELECT until > now() AS holds FROM leadership", on: database)
        var before = try await leader(database)
        var after = before
        while after.until < before.until + 2 {
            after = try await leader(database)
            if after.term != before.term { before = after }
        }
        try await wait(for: "SELECT count(*) = 2 AS holds FROM coordinators", on: database)

        working.cancel()
        await working.value
        for coordinator in coordinators {
            coordinator.cancel()
            try await coordinator.value
        }
        await database.close()
        await server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The log of a test's worker.
    private final class Lines: Sendable {
        let all = Locked<[String]>([])
        let (misses, missed) = AsyncStream.makeStream(of: Void.self)

        var log: Log {
            Log(format: .logfmt) { [all, missed] line in
                all.withLock { $0.append("\(line)") }
                if line.contains("can't send a heartbeat") { missed.yield() }
            }
        }

        func contains(_ text: String) -> Bool { all.withLock { $0.contains { $0.contains(text) } } }
    }

    @Test func `answers in memory survive a switchover longer than the silence limit`() async throws {
        let folders = ["one", "two"].map { "/tmp/waypost-switchover-\($0)-\(getpid())" }
        let server = try await PrivateServer.start(in: folders[0])
        let database = Database(url: server.url, options: .init(size: 2))
        _ = try await Schema.prepare(database)
        try await fill(database, with: 8)
        // The coordinator loses its connection too.
        let way = try DistantServer(to: server.url, roundTrip: .zero)
        let lines = Lines()
        let leading = Task {
            let own = Database(url: way.url, options: .init(size: 3))
            try await Coordinator(
                name: "one", database: own, registry: registry, interval: .milliseconds(50), log: silent
            ).run {}
            await own.close()
        }
        try await wait(for: "SELECT until > now() AS holds FROM leadership", on: database)
        let (calls, called) = AsyncStream.makeStream(of: Int.self)
        let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
        let asked = Locked(0)
        let provider = TestProvider { addresses in
            called.yield(
                asked.withLock {
                    $0 += 1
                    return $0
                })
            for await _ in allowed { break }
            return addresses.map(TestProvider.house)
        }
        let own = Database(url: way.url, options: .init(size: 3))
        let working = Task {
            try await worker(provider, on: own, registry: registry, callsAtOnce: 4, log: lines.log).run {}
        }
        for await number in calls where number == 4 { break }

        way.resetOpenings(every: 1)
        way.breakConnections()
        let cutAt = ContinuousClock.now
        allow.finish()
        for await _ in lines.misses where cutAt.duration(to: .now) > registry.silenceLimit * 1.5 { break }
        // The other server has all committed data, like a synchronous standby.
        await database.close()
        await server.stop()
        let copied = try await ChildProcess.output(of: "cp", ["-a", folders[0], folders[1]])
        #expect(copied.exit.isSuccess)
        let successor = try await PrivateServer.start(in: folders[1])
        try way.lead(to: successor.url)

        let after = Database(url: successor.url, options: .init(size: 2))
        #expect(try await waitForAnswers(after).located == 8)
        #expect(asked.withLock { $0 } == 8)
        #expect(!lines.contains("too late"))
        working.cancel()
        try await working.value
        leading.cancel()
        try await leading.value
        way.close()
        await own.close()
        await after.close()
        await successor.stop()
        for folder in folders { try FileManager.default.removeItem(atPath: folder) }
    }
}

/// A proxy that breaks connections, in front of a healthy server.
@Suite(.database)
struct BrokenOpeningTests {
    @Test func `no answer is lost while every second connection breaks on opening`() async throws {
        let database = try Database.test
        try await fill(database, with: 10)
        let way = try DistantServer(to: Database.testURL, roundTrip: .zero)
        let asked = Locked(0)
        let provider = TestProvider { addresses in
            asked.withLock { $0 += 1 }
            // The worker must open a connection to store the answer.
            way.breakConnections()
            return addresses.map(TestProvider.house)
        }
        let own = Database(url: way.url, options: .init(size: 2))
        way.resetOpenings(every: 2)
        try await with(worker(provider, on: own, callsAtOnce: 2)) { () async throws in
            #expect(try await waitForAnswers(database).byStatus == [.located: 10])
        }
        #expect(asked.withLock { $0 } == 10)
        way.close()
        await own.close()
    }
}
