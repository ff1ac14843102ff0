import Glibc
import HTTP
import HTTPTesting
import Testing

struct ErrorTests {
    @Test func `an error has the host, but never the path, the query or a key`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/secret/hang": .hang
            case "/secret/truncated": .truncated("secret", promising: 100)
            case "/secret/redirect": .redirect(to: "ftp://secret/secret")
            case "/secret/loop": .redirect(to: request.target)
            default: .raw("secret\r\n\r\n")
            }
        }
        defer { server.stop() }
        try await withClient {
            $0.totalLimit = .milliseconds(200)
        } _: { client in
            for path in ["hang", "truncated", "redirect", "loop", "garbage"] {
                let url = "\(server.url)/secret/\(path)?q=secret"
                let error = try await client.failure(of: url, headers: ["X-Key": "secret"])
                #expect(!"\(error)".contains("secret"))
                #expect("\(error)".hasPrefix("127.0.0.1:\(server.port): "))
                #expect(!String(reflecting: error).contains("secret"))
            }
        }
    }

    @Test func `a closed port and an unknown host name are unreachable`() async throws {
        let server = try DeafServer()
        server.stop()
        try await withClient { client in
            #expect(try await client.failure(of: server.url).kind == .unreachable)
            let error = try await client.failure(of: "http://nobody.invalid/secret")
            #expect(error.kind == .unreachable)
            #expect(error.host == "nobody.invalid")
        }
    }
}
