import DatabaseTesting
import Foundation
import HTTP
import Polling
import Postgres
import Processes
import Testing

@testable import API
@testable import Contacts

/// The effect of one caller on others, and of a missing database on all of them, measured at the socket.
@Suite(.database)
struct FairnessTests {
    @Test func `slow requests of one token do not delay another account or readyz`() async throws {
        // No query is cancelled, so nothing but its turn delays a request.
        try await withServer({ $0.requestLimit = .seconds(600) }) { url, tokens, _ in
            // Each read of friends of the account "default" takes half a second, whatever the query, and waits for a lock
            // that the test takes later. Reads of a single friend would join in one statement, and none be refused.
            try await Database.test.run(
                script: """
                    CREATE FUNCTION slow(account integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS
                    $$ BEGIN
                        IF account = current_account() AND account = (SELECT id FROM accounts WHERE name = 'default') THEN
                            PERFORM pg_sleep(0.5), pg_advisory_xact_lock_shared(4711);
                        END IF;
                        RETURN true;
                    END $$;
                    GRANT EXECUTE ON FUNCTION slow(integer) TO waypost_api;
                    CREATE POLICY slow ON friends AS RESTRICTIVE TO waypost_api USING (slow(account));
                    """)
            _ = try await Database.test.run { try friend(of: "default", on: $0) }
            let others = try await Database.test.run { try friend(of: "other", on: $0) }
            let slow = HTTPClient(callsPerHost: 80)
            let quick = HTTPClient(callsPerHost: 2)
            let answers = Locked<[HTTPResponse]>([])
            let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        let answer = try await slow.get("\(url)/v1/friends?limit=1", tokens["everything"])
                        answers.withLock { $0.append(answer) }
                        if answer.status == 429 { refusal.yield() }
                    }
                }
                // Once some requests were refused, the others run or wait.
                for await _ in refusals { break }
                try await whileLocked(4711) {
                    for _ in 0..<50 {
                        let answer = try await quick.get("\(url)/v1/friends/\(others)", tokens["other"])
                        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
                        #expect(try await quick.get("\(url)/readyz").status == 200)
                        #expect(try await quick.get("\(url)/livez").status == 200)
                    }
                }
                try await group.waitForAll()
            }
            let refused = answers.withLock { $0.filter { $0.status == 429 } }
            #expect(refused.count >= 40)
            #expect(answers.withLock { $0.count { $0.status == 200 } } >= 2)
            for answer in refused {
                #expect(answer.headers["Retry-After"].flatMap { Int($0) } ?? 0 >= 1)
                #expect(answer.headers["RateLimit"]?.hasPrefix("\"account\";r=0;t=") == true)
                #expect(answer.headers["RateLimit-Policy"]?.hasPrefix("\"account\";q=") == true)
            }
        }
    }

    @Test func `the server's own thread runs only the routes that read contacts or check the health`() async throws {
        let quick = try await APIClient.test().server.routes.filter(\.isQuick)
        #expect(quick.allSatisfy { $0.method == .get })
        let contacts = [
            "contacts", "contacts/{id}", "contacts/{id}/addresses", "addresses", "addresses/{id}", "countries",
        ]
        var expected: Set = [
            "/livez", "/health", "/readyz", "/v1/friends", "/v1/friends/{id}", "/v1/feeds/{feed}/friends/{key}",
            "/v1/places", "/v1/progress", "/v1/progress/events",
        ]
        expected.formUnion(contacts.map { "/api/\($0)" })
        #expect(Set(quick.map(\.pattern)) == expected)
    }

    @Test func `a query over its time limit is cancelled, and its connection stays usable`() async throws {
        try await withServer({ $0.requestLimit = .seconds(1) }) { url, tokens, _ in
            let own = try await Database.test.run { try friend(of: "default", on: $0) }
            try await Database.test.run(
                script: """
                    CREATE FUNCTION slow() RETURNS boolean LANGUAGE plpgsql VOLATILE AS
                    $$ BEGIN PERFORM pg_sleep(60); RETURN true; END $$;
                    GRANT EXECUTE ON FUNCTION slow() TO waypost_api;
                    CREATE POLICY slow ON friends AS RESTRICTIVE TO waypost_api USING (slow());
                    """)
            let client = HTTPClient(callsPerHost: 2)
            for _ in 0..<3 {
                #expect(try await client.get("\(url)/v1/friends/\(own)", tokens["everything"]).status == 503)
            }
            try await Database.test.run(script: "DROP POLICY slow ON friends")
            #expect(try await client.get("\(url)/v1/friends/\(own)", tokens["everything"]).status == 200)
        }
    }

    @Test func `a frozen database gives 503 soon, and requests succeed when it resumes`() async throws {
        // A query has no time limit here, so only the watch can end a request.
        try await withServer({ $0.requestLimit = .seconds(600) }) { url, tokens, database in
            let client = HTTPClient(callsPerHost: 8)
            let own = try await Database.test.run { try friend(of: "default", on: $0) }
            let place = "\(url)/v1/friends/\(own)"
            #expect(try await client.get(place, tokens["everything"]).status == 200)
            // The API's server processes. They stay stopped until the test continues them.
            let frozen: [Int] = try await Database.test.query(
                """
                SELECT pid FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = \(Self.applicationName)
                """
            ).map { try $0.read("pid") }
            try #require(frozen.count >= 2)
            for pid in frozen { kill(pid_t(pid), SIGSTOP) }
            defer { for pid in frozen { kill(pid_t(pid), SIGCONT) } }
            let began = ContinuousClock.now
            #expect(try await client.get(place, tokens["everything"]).status == 503)
            let first = began.duration(to: .now)
            // The first request waits until the silence is noticed, and no later one does.
            let before = ContinuousClock.now
            let answer = try await client.get(place, tokens["everything"])
            #expect(answer.status == 503 && answer.headers["Retry-After"] != nil)
            #expect(try await client.get("\(url)/readyz").status == 503)
            #expect(try await client.get("\(url)/livez").status == 200)
            #expect(before.duration(to: .now) < first)

            for pid in frozen { kill(pid_t(pid), SIGCONT) }
            try await pollUntil { try await client.get("\(url)/readyz").status == 200 }
            #expect(try await client.get(place, tokens["everything"]).status == 200)
        }
    }

    @Test func `while the database can't be reached, a request gets 503 and does not wait`() async throws {
        // A request that waited for a connection would exceed the client's limit of 30 s.
        var options = Database.Options(size: 2)
        options.waitLimit = .seconds(600)
        let away = Database(url: "postgresql:///nobody?host=/nonexistent", options: options)
        try await withServer({ $0.database = away }) { (url, tokens, _) async throws -> Void in
            let client = HTTPClient(callsPerHost: 2)
            for target in ["/v1/friends/1", "/api/contacts", "/readyz", "/health"] {
                let answer = try await client.get(url + target, tokens["everything"])
                #expect(answer.status == 503)
            }
            let alive = try await client.get("\(url)/livez")
            #expect(alive.status == 200)
        }
    }

    private static let applicationName = "fairness test"
    private static let silenceLimit: Duration = .seconds(4)

    /// A server on a socket with its watch, and a friend in each of two accounts.
    private func withServer(
        _ change: (inout Backend) -> Void = { _ in },
        _ body: (_ url: String, _ tokens: [String: String], Database) async throws -> Void
    ) async throws {
        var options = Database.Options(size: 4)
        options.role = "waypost_api"
        options.plansOnce = true
        options.applicationName = Self.applicationName
        let database = Database(url: try Database.testURL, options: options)
        let client = try await APIClient.test {
            $0.database = database
            $0.silenceLimit = Self.silenceLimit
            change(&$0)
        }
        try await Database.test.run { db in
            for account in ["default", "other"] {
                try db.query(
                    """
                    INSERT INTO friends (account, source_key, name) SELECT id, 'ada', 'Ada' FROM accounts WHERE name = \(account)
                    """)
            }
        }
        let server = HTTPServer(router: client.server.router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        let watching = Task { await client.server.watchDatabase() }
        defer {
            watching.cancel()
            serving.cancel()
        }
        let number = try #require(await ports.first { _ in true })
        try await pollUntil {
            if case .unknown = client.server.backend.watch.finding { false } else { true }
        }
        try await body("http://127.0.0.1:\(number)", client.tokens, database)
    }

    /// Runs `body` while another session holds an advisory lock.
    private func whileLocked(_ number: Int, _ body: () async throws -> Void) async throws {
        let (isLocked, isOver) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let holder = Task {
            try await Database.test.transaction { db in
                try db.query("SET LOCAL idle_in_transaction_session_timeout = 0")
                try db.query("SELECT pg_advisory_xact_lock(\(number))")
                isLocked.arriveAndWait()
                isOver.arriveAndWait()
            }
        }
        await isLocked.arrive()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await isOver.arrive()
        try await holder.value
        try outcome.get()
    }

    private func friend(of account: String, on database: isolated Connection) throws -> Int {
        try database.query(
            "SELECT friends.id FROM friends JOIN accounts ON accounts.id = account WHERE accounts.name = \(account)"
        )[0].read("id")
    }
}

extension HTTPClient {
    fileprivate convenience init(callsPerHost calls: Int) {
        var options = Options(userAgent: "test")
        options.callsPerHost = calls
        self.init(options)
    }

    fileprivate func get(_ url: String, _ token: String? = nil) async throws -> HTTPResponse {
        let headers: HTTPHeaders = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await send(HTTPRequest(.get, #require(HTTPURL(url)), headers: headers))
    }
}
