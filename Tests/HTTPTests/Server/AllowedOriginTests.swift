import Processes
import Testing

@testable import HTTP

/// Pages of other sites (CORS), and the request id of each reply.
struct AllowedOriginTests {
    private func ask(_ start: String, from origin: String, _ more: String = "", origins: String?) async throws -> String
    {
        try await withServer {
            $0.allowedOrigins = origins.flatMap { AllowedOrigins($0) }
        } routes: {
            $0.add(.get, "/a") { _ in .text("a") }
            $0.add(.put, "/a") { _ in .text("a") }
        } _: { server in
            try await server.answer(
                to: "\(start) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: \(origin)\r\n\(more)\r\n")
        }
    }

    @Test func `a page of an allowed origin may read replies and errors`() async throws {
        let origins = "https://app.example.org, http://localhost:3000"
        for start in ["GET /a", "GET /nothing", "DELETE /a"] {
            let answer = try await ask(start, from: "https://app.example.org", origins: origins)
            #expect(answer.contains("Access-Control-Allow-Origin: https://app.example.org\r\n"), "\(start)")
            #expect(answer.contains("Access-Control-Expose-Headers: *\r\n") && answer.contains("Vary: Origin\r\n"))
        }
        for other in ["https://app.example.org.evil.example", "http://app.example.org", "null"] {
            let answer = try await ask("GET /a", from: other, origins: origins)
            #expect(answer.statuses == [200] && !answer.contains("Access-Control"), "\(other)")
        }
        #expect(try await !ask("GET /a", from: "https://app.example.org", origins: nil).contains("Access-Control"))
        // The web views of apps that Capacitor, Ionic and Tauri make.
        for app in ["capacitor://localhost", "ionic://localhost", "tauri://localhost"] {
            let answer = try await ask("GET /a", from: app, origins: origins + ", " + app)
            #expect(answer.contains("Access-Control-Allow-Origin: \(app)\r\n"), "\(app)")
        }
        let any = try await ask("GET /a", from: "https://app.example.org", origins: "*")
        #expect(any.contains("Access-Control-Allow-Origin: *\r\n") && !any.contains("Credentials"))
    }

    @Test func `a preflight request gets the methods and headers`() async throws {
        let wish = "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: authorization, if-match\r\n"
        let origin = "https://app.example.org"
        let permitted = try await ask("OPTIONS /a", from: origin, wish, origins: origin)
        #expect(permitted.statuses == [204])
        #expect(permitted.contains("Access-Control-Allow-Methods: GET, HEAD, PUT, OPTIONS\r\n"))
        #expect(permitted.contains("Access-Control-Allow-Headers: authorization, if-match\r\n"))
        let refused = try await ask("OPTIONS /a", from: "https://evil.example", wish, origins: origin)
        #expect(!refused.contains("Access-Control"))
    }

    @Test(arguments: ["", "app.example.org", "https://app.example.org/", "https://a b", "https://a, *", "ftp://a"])
    func `a setting that is not a list of origins is refused`(text: String) {
        #expect(AllowedOrigins(text) == nil)
    }

    @Test func `every reply has its own request id, also a refusal`() async throws {
        try await withServer { _ in
        } routes: {
            $0.add(.get, "/a") { .text($0.id) }
        } _: { server in
            var ids: Set<String> = []
            let requests = [
                "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /a HTTP/9\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            ]
            for request in requests {
                let answer = try await server.answer(to: request)
                let id = try #require(answer.firstMatch(of: #/\r\nRequest-Id: ([0-9a-z]+)\r\n/#)?.1, "\(request)")
                ids.insert(String(id))
                if answer.statuses == [200] { #expect(answer.hasSuffix(id)) }
            }
            #expect(ids.count == requests.count)
            let logged = server.entries.withLock { Set($0.map(\.id)) }
            #expect(ids.isSubset(of: logged))
        }
    }
}
