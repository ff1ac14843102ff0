import DatabaseTesting
import HTTP
import Polling
import Postgres
import Processes
import Testing

@testable import API
@testable import Access

@Suite(.database)
struct ProgressEventsTests {
    @Test func `the event stream of the progress is endless, so a stop does not wait for it`() async throws {
        #expect(try await APIClient.test().get("/v1/progress/events").isEndless)
    }

    @Test func `the event stream of the progress ends when its token is revoked`() async throws {
        let clock = TestClock()
        let tokens = TokenStore(cache: TokenCache(now: { clock.now }))
        let client = try await APIClient.test { $0.tokens = tokens }
        let text = try #require(client.tokens["reader"])
        let stream = try await stream(client, ["Host": "map.example", "Authorization": "Bearer \(text)"])
        let written = Locked(0)
        let counter = ResponseWriter { _ in
            guard
                written.withLock({ count in
                    count += 1
                    return count
                }) == 1
            else { throw CancellationError() }
            // Between two events, revokes the token and removes it from the cache.
            try await Database.test.run { db throws in
                try db.query("UPDATE tokens SET revoked_at = now() WHERE name = 'reader'")
                try db.query("INSERT INTO friends (account, source_key, name) SELECT id, 'k', 'Ada' FROM accounts")
                try db.query("INSERT INTO addresses (friend, position, city) SELECT id, 1, 'Reno' FROM friends")
            }
            clock.advance(by: TokenCache.lifetime + .seconds(1))
        }
        try await stream(counter)
        #expect(written.withLock { $0 } == 1)
    }

    @Test func `an event stream opened without a token ends when the first token is made`() async throws {
        let client = try await APIClient.test()
        try await Database.test.query("DELETE FROM tokens")
        let stream = try await stream(client, ["Host": "localhost"])
        let tokens = TokenStore()
        _ = try await Database.test.run { db throws in
            let account: Int = try db.query("SELECT id FROM accounts WHERE name = 'default'")[0].read("id")
            return try tokens.create(account: account, name: "first", scopes: [.read], on: db)
        }
        try await stream(
            ResponseWriter { _ in
                Issue.record("an event was sent to nobody in particular")
                throw CancellationError()
            })
    }

    private func stream(
        _ client: APIClient, _ headers: HTTPHeaders
    ) async throws -> @Sendable (ResponseWriter) async throws -> Void {
        let request = ServerRequest(.get, path: ["v1", "progress", "events"], headers: headers)
        guard case .route(let route, let parameters) = client.server.router.find(.get, request.path),
            case .stream(let write) = try await route.respond(to: request, parameters: parameters).body
        else { throw RouteMissing(target: "/v1/progress/events") }
        return write
    }
}
