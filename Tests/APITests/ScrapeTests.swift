import DatabaseTesting
import Polling
import Postgres
import Processes
import Queue
import Testing

@testable import API
@testable import Access
@testable import HTTP

/// `/metrics` on the server of the API.
@Suite(.database)
struct ScrapeTests {
    private static let away = DatabaseError(message: "gone", isConnectionLost: true)

    private func caller(_ number: Int) -> Caller {
        Caller(account: number, accountName: "a", token: number, scopes: [.admin])
    }

    @Test func `metrics are in Prometheus' format and need the scope`() async throws {
        var client = try await APIClient.test { $0.scrape = { "waypost_leaders 1\n" } }
        let answer = try await client.get("/metrics").expect(200)
        #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text == "waypost_leaders 1\n")
        #expect(try await client.get("/metrics?lane=a").status == 400)
        client.token = "reader"
        #expect(try await client.get("/metrics").status == 403)
        client.token = nil
        #expect(try await client.get("/metrics").status == 401)
    }

    @Test func `while the database is away, only tokens accepted before are accepted`() async throws {
        let memory = CallerMemory(most: 16)
        let watch = try DatabaseWatch(Database.test, patience: .seconds(1), refused: ()) { _ in }
        let (ada, bob) = (caller(1), caller(2))
        #expect(try await memory.recall("a", watch: watch) { ada } == ada)
        #expect(try await memory.recall("b", watch: watch) { bob } == bob)
        #expect(try await memory.recall("a", watch: watch) { throw Self.away } == ada)
        await #expect(throws: DatabaseError.self) { try await memory.recall("c", watch: watch) { throw Self.away } }
        // The token was revoked, so it is no longer in the cache.
        #expect(try await memory.recall("a", watch: watch) { nil } == nil)
        await #expect(throws: DatabaseError.self) { try await memory.recall("a", watch: watch) { throw Self.away } }
        // If the database is reachable and refuses, its answer counts.
        await #expect(throws: DatabaseError.self) {
            try await memory.recall("b", watch: watch) { throw DatabaseError(message: "no") }
        }
    }

    @Test func `towns are suggested while the database is away, and its going and coming are logged`() async throws {
        let isGone = Locked(false)
        let lines = Locked<[String]>([])
        let log = Log(format: .logfmt) { line in lines.withLock { $0.append(line) } }
        let client = try await APIClient.test(log: log) {
            $0.standing = { _ in
                if isGone.withLock({ $0 }) { throw Self.away }
                return CoordinatorStanding(isHeard: true, isLed: true)
            }
        }
        let watching = Task { await client.server.watchDatabase() }
        #expect(try await client.get("/v1/suggest?q=Hels").status == 200)
        isGone.withLock { $0 = true }
        try await pollUntil { client.server.backend.watch.isAway }
        #expect(try await client.get("/v1/suggest?q=Hels").status == 200)
        #expect(try await client.get("/v1/friends").status == 503)
        #expect(lines.withLock { $0 }.count { $0.contains("the database does not answer") } == 1)
        isGone.withLock { $0 = false }
        try await pollUntil { lines.withLock { $0 }.contains { $0.contains("the database answers again") } }
        watching.cancel()
        await watching.value
    }

    @Test func `a request is counted under its route, and an unknown route under "none"`() {
        let metrics = Metrics()
        let instruments = APIInstruments(metrics)
        instruments.note(
            AccessEntry(
                method: .get, route: "/v1/friends/{id}", status: 200, bytes: 1, duration: .milliseconds(3),
                wasCutOff: false))
        instruments.note(
            AccessEntry(method: nil, route: nil, status: nil, bytes: 0, duration: .zero, wasCutOff: true))
        let name = "waypost_http_request_duration_seconds"
        #expect(metrics.text.contains("\(name)_count{route=\"/v1/friends/{id}\",method=\"GET\",code=\"200\"} 1"))
        #expect(metrics.text.contains("\(name)_count{route=\"none\",method=\"other\",code=\"none\"} 1"))
    }

    @Test func `a request over the account's share is counted as refused`() async throws {
        let refusals = APIInstruments(Metrics()).overShare
        let share = FairShare(Shares.Limits(places: 1, longestWait: .zero), refused: refusals)
        let refused = Locked(0)
        // After this the share knows how long a request takes.
        try await share.turn(of: 1) {}
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await share.turn(of: 1) {
                held.yield()
                for await _ in mayEnd { break }
            }
        }
        for await _ in isHeld { break }
        await withTaskGroup { group in
            for _ in 1...30 {
                group.addTask {
                    do { try await share.turn(of: 1) {} } catch {
                        let count = refused.withLock { count in
                            count += 1
                            return count
                        }
                        // Four may wait.
                        if count == 26 { end.yield() }
                    }
                }
            }
        }
        try await holder.value
        #expect(refused.withLock { $0 } > 0)
        #expect(refusals.value == refused.withLock { $0 })
    }
}
