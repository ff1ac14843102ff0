import HTTPTesting
import Testing

@testable import HTTP

struct RedirectTests {
    @Test func `a redirect on the same server keeps the method, the headers and the body`() async throws {
        let server = try ScriptedServer { $0.path == "/a" ? .redirect(to: "/b?q=2", status: 307) : .json("1") }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url + "/a?q=1"))
        let response = try await withClient {
            try await $0.send(HTTPRequest(.post, url, headers: ["X-Key": "secret"], body: [1]))
        }
        #expect(response.status == 200)
        let second = try #require(server.requests.last)
        #expect(second.method == "POST")
        #expect(second.query == ["q": "2"])
        #expect(second.headers["x-key"] == "secret")
        #expect(second.body == [1])
    }

    @Test func `a POST redirected by 303 becomes a GET`() async throws {
        let server = try ScriptedServer { $0.path == "/a" ? .redirect(to: "/b", status: 303) : .json("1") }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url + "/a"))
        _ = try await withClient { try await $0.send(HTTPRequest(.post, url, body: [1])) }
        #expect(server.requests.last?.method == "GET")
        #expect(server.requests.last?.body == [])
    }

    @Test(arguments: ["?key=secret", ""]) func `a request with a query or key is never redirected elsewhere`(
        query: String
    )
        async throws
    {
        let other = try ScriptedServer { _ in .json("1") }
        let server = try ScriptedServer { .redirect(to: other.url + $0.target) }
        defer { for server in [server, other] { server.stop() } }
        let headers: HTTPHeaders = query.isEmpty ? ["Authorization": "Bearer secret"] : [:]
        let error = try await withClient { try await $0.failure(of: server.url + "/a" + query, headers: headers) }
        #expect(error.kind == .redirected)
        #expect(error.host == "127.0.0.1:\(server.port)")
        #expect(other.requests.isEmpty)
    }

    @Test func `a request without a query or a key is redirected to another host`() async throws {
        let other = try ScriptedServer { _ in .json("moved") }
        let server = try ScriptedServer { _ in .redirect(to: other.url) }
        defer { for server in [server, other] { server.stop() } }
        #expect(try await withClient { try await $0.get(server.url + "/file.zip") }.text == "moved")
    }

    @Test func `a redirect loop ends after five`() async throws {
        let server = try ScriptedServer { _ in .redirect(to: "/again") }
        defer { server.stop() }
        let error = try await withClient { try await $0.failure(of: server.url) }
        #expect(error.kind == .redirected)
        #expect(server.requests.count == 6)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://user:word@127.0.0.1/"])
    func `a redirect to another scheme, or with a name and password, is refused`(location: String) async throws {
        let server = try ScriptedServer { _ in .redirect(to: location) }
        defer { server.stop() }
        #expect(try await withClient { try await $0.failure(of: server.url) }.kind == .redirected)
    }

    @Test func `https is never redirected to http, and http may become https on the same host`() throws {
        let secure = HTTPRequest(.get, try #require(HTTPURL("https://example.org/a")))
        #expect(throws: HTTPError.self) { try secure.redirected(to: "http://example.org/a", status: 302) }

        let headers: HTTPHeaders = ["X-Key": "secret"]
        let plain = HTTPRequest(.get, try #require(HTTPURL("http://example.org/a?q=1")), headers: headers)
        let upgraded = try plain.redirected(to: "https://EXAMPLE.org/a?q=1", status: 301)
        #expect(upgraded.url.text == "https://example.org/a?q=1")
        #expect(upgraded.headers == headers)
        #expect(throws: HTTPError.self) { try plain.redirected(to: "https://example.com/a", status: 301) }
    }
}
