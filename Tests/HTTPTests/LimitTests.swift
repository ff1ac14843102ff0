import HTTP
import HTTPTesting
import Testing

struct LimitTests {
    @Test func `a missing reply ends the call at the limit`() async throws {
        let server = try ScriptedServer { _ in .hang }
        defer { server.stop() }
        let error = try await withClient {
            $0.totalLimit = .milliseconds(50)
        } _: {
            try await $0.failure(of: server.url)
        }
        #expect(error.kind == .late)
    }

    @Test func `a trickling reply ends the call at the limit`() async throws {
        let server = try ScriptedServer { _ in .trickle(String(repeating: "a", count: 1_000), every: .milliseconds(5)) }
        defer { server.stop() }
        let error = try await withClient {
            $0.totalLimit = .milliseconds(100)
        } _: {
            try await $0.failure(of: server.url)
        }
        #expect(error.kind == .late)
    }

    @Test func `redirects do not extend the limit`() async throws {
        let server = try ScriptedServer { request in
            let answer = ScriptedAnswer.redirect(to: request.path + "a")
            return ScriptedAnswer(
                [.trickle([], every: .zero)]
                    + answer.steps.map { step in
                        if case .send(let bytes) = step { .trickle(bytes, every: .milliseconds(2)) } else { step }
                    })
        }
        defer { server.stop() }
        let error = try await withClient {
            // One redirect takes about 150 ms, and all of them three times the limit.
            $0.totalLimit = .milliseconds(300)
        } _: {
            try await $0.failure(of: server.url)
        }
        #expect(error.kind == .late)
    }

    @Test func `a server that does not accept connections ends the call at the connect limit`() async throws {
        let server = try DeafServer()
        defer { server.stop() }
        let error = try await withClient {
            $0.connectLimit = .milliseconds(50)
        } _: {
            try await $0.failure(of: server.url)
        }
        #expect(error.kind == .late)
    }

    @Test func `a reply over the size limit is cut off, whatever its headers promise`() async throws {
        let large = [UInt8](repeating: 0x61, count: 1 << 20)
        let server = try ScriptedServer { request in
            switch request.path {
            case "/honest": .status(200, body: large)
            case "/silent": ScriptedAnswer([.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + large), .close])
            case "/headers":
                ScriptedAnswer([
                    .send(Array("HTTP/1.1 200 OK\r\n".utf8)),
                    .send(
                        Array(String(repeating: "X-A: \(String(repeating: "a", count: 1_000))\r\n", count: 400).utf8)),
                    .hang,
                ])
            default: .status(200, body: Array(large.prefix(1_000)))
            }
        }
        defer { server.stop() }
        try await withClient {
            $0.largestBody = 1_000
        } _: { client in
            for path in ["/honest", "/silent", "/headers"] {
                let error = try await client.failure(of: server.url + path)
                #expect(error.kind == .tooLarge)
            }
            #expect(try await client.get(server.url + "/fits").body.count == 1_000)
        }
    }

    @Test func `a body shorter than promised is an error`() async throws {
        let server = try ScriptedServer { _ in .truncated("[", promising: 10) }
        defer { server.stop() }
        let error = try await withClient { try await $0.failure(of: server.url) }
        #expect(error.kind == .broken)
    }

    @Test(arguments: ["", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"])
    func `a reply that is not HTTP is an error`(text: String) async throws {
        let server = try ScriptedServer { _ in .raw(text) }
        defer { server.stop() }
        let error = try await withClient { try await $0.failure(of: server.url) }
        #expect(error.kind == .broken)
    }
}
