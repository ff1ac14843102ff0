import HTTPTesting
import Polling
import Testing

@testable import HTTP

/// Limits of one address, behind a proxy that reports its clients' addresses.
struct TrustedProxyTests {
    private func routes(_ router: inout Router, _ begin: AsyncStream<Void>.Continuation? = nil) {
        router.add(.get, "/a") { _ in .text("a") }
        router.add(.get, "/proxied") { .text("\($0.isOverTrustedProxy)") }
        router.add(.get, "/work") { _ in
            begin?.yield()
            try await Task.sleep(for: .seconds(600))
            return .text("late")
        }
    }

    private func request(_ path: String, for client: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: \(client)\r\n\r\n"
    }

    @Test func `a client at its limit does not block other clients of the same proxy`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.connectionsPerClient = 2
            $0.trustedProxies = TrustedProxies("127.0.0.0/8", header: "X-Forwarded-For")
        } routes: {
            routes(&$0, begin)
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let greedy = try (0..<2).map { _ in try server.connect() }
            for connection in greedy {
                await connection.send(request("/work", for: "203.0.113.7"))
                await begun.next()
            }
            #expect(try await server.answer(to: request("/a", for: "203.0.113.7")).statuses == [429])
            // An address that the client itself puts in front is ignored.
            #expect(try await server.answer(to: request("/a", for: "198.51.100.1, 203.0.113.7:80")).statuses == [429])
            for other in ["203.0.113.8", "2001:db8::7", "[2001:db8::8]:443", "203.0.113.7, 203.0.113.9", "unknown"] {
                #expect(try await server.answer(to: request("/a", for: other)).statuses == [200], "\(other)")
            }
            for connection in greedy { connection.close() }
            try await pollUntil {
                try await server.answer(to: request("/a", for: "203.0.113.7")).statuses == [200]
            }
        }
    }

    @Test func `the addresses of one network of IPv6 count together`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.connectionsPerClient = 2
            $0.trustedProxies = TrustedProxies("127.0.0.0/8", header: "X-Forwarded-For")
        } routes: {
            routes(&$0, begin)
        } _: { server in
            var begun = begins.makeAsyncIterator()
            let greedy = try (0..<2).map { _ in try server.connect() }
            for (number, connection) in greedy.enumerated() {
                await connection.send(request("/work", for: "2001:db8:1:2::\(number)"))
                await begun.next()
            }
            #expect(try await server.answer(to: request("/a", for: "2001:db8:1:2:ffff::1")).statuses == [429])
            for other in ["2001:db8:1:3::1", "::ffff:203.0.113.7", "::ffff:203.0.113.8"] {
                #expect(try await server.answer(to: request("/a", for: other)).statuses == [200], "\(other)")
            }
            for connection in greedy { connection.close() }
        }
    }

    @Test func `the lines of the header are one list`() throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8", header: "X-Forwarded-For"))
        for lines in [["203.0.113.7", "10.0.0.1"], ["198.51.100.1, 203.0.113.7", "10.0.0.1,, 10.0.0.2 ", ""]] {
            var headers = HTTPHeaders()
            for line in lines { headers.append("X-Forwarded-For", line) }
            #expect(proxies.client(in: headers) == AddressRange.address("203.0.113.7"))
        }
        let many = String(repeating: "10.0.0.1,", count: 3_000)
        #expect(proxies.client(in: ["X-Forwarded-For": "203.0.113.7," + many]) == nil)
    }

    @Test func `headers of an untrusted address are ignored`() async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.connectionsPerClient = 2
            $0.quietBeforeLeaving = .seconds(600)
            $0.trustedProxies = TrustedProxies("192.0.2.1", header: "X-Forwarded-For")
        } routes: {
            routes(&$0, begin)
        } _: { server in
            var begun = begins.makeAsyncIterator()
            #expect(try await server.answer(to: request("/proxied", for: "203.0.113.7")).hasSuffix("false"))
            let working = try (0..<2).map { _ in try server.connect() }
            for (number, connection) in working.enumerated() {
                await connection.send(request("/work", for: "203.0.113.\(number)"))
                await begun.next()
            }
            #expect(try await server.answer(to: request("/a", for: "203.0.113.9")).statuses == [503])
            for connection in working { connection.close() }
        }
    }

    @Test(arguments: ["", "localhost", "10.0.0.0/33", "10.0.0", "::1/129", "10.0.0.1 x", "10.0.0.1/-1"])
    func `a setting that is not a list of addresses is refused`(text: String) {
        #expect(TrustedProxies(text, header: "X-Forwarded-For") == nil)
    }

    @Test func `a network contains its addresses, also IPv4 addresses in IPv6`() throws {
        let proxies = try #require(TrustedProxies("10.1.0.0/15, fd00::/8, 127.0.0.1", header: "X"))
        for inside in ["10.1.2.3", "10.0.255.255", "::ffff:10.1.0.9", "fd12::1", "127.0.0.1"] {
            #expect(proxies.contains(try #require(AddressRange.address(inside[...]))), "\(inside)")
        }
        for outside in ["10.2.0.0", "11.0.0.1", "fe00::1", "127.0.0.2", "::1"] {
            #expect(!proxies.contains(try #require(AddressRange.address(outside[...]))), "\(outside)")
        }
    }
}
