import Foundation
import HTTP
import HTTPTesting
import Testing

struct ClientTests {
    @Test func `a request arrives unchanged, and so does its reply`() async throws {
        let server = try ScriptedServer { _ in .json("{}", status: 418, headers: [("X-Two", "a"), ("x-two", "b")]) }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url)).appending(path: "v1", "a/b c").appending(query: ["q": "ä&=+ #"])
        let response = try await withClient { client in
            try await client.send(
                HTTPRequest(.post, url, headers: ["X-Key": "k", "X-Blank": ""], body: Array("body".utf8)))
        }

        #expect(response.status == 418)
        #expect(response.text == "{}")
        #expect(response.headers["CONTENT-type"] == "application/json")
        #expect(response.headers.fields.filter { $0.name.lowercased() == "x-two" }.map(\.value) == ["a", "b"])
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/v1/a%2Fb%20c?q=%C3%A4%26%3D%2B%20%23")
        #expect(request.query == ["q": "ä&=+ #"])
        #expect(request.headers["x-key"] == "k")
        #expect(request.headers["x-blank"] == "")
        #expect(request.headers["user-agent"] == "Waypost/1.2.3 (+ops@example.org)")
        #expect(request.body == Array("body".utf8))
    }

    @Test func `connections are reused`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<20 { _ = try await client.get(server.url) }
        }
        #expect(server.requests.count == 20)
        // On a busy machine a connection may be closed for being idle too long.
        #expect(server.connections < 10)
    }

    @Test func `many clients share a few threads, and each has its own limits and its own end`() async throws {
        let server = try ScriptedServer { $0.path == "/hang" ? .hang : .json("1") }
        defer { server.stop() }
        var options = HTTPClient.Options(userAgent: "a")
        options.callsPerHost = 1
        let clients = (1...120).map { _ in HTTPClient(options) }
        let hanging = clients.map { client in Task { try await client.get(server.url + "/hang") } }
        var arrivals = server.arrivals.makeAsyncIterator()
        for _ in clients { _ = await arrivals.next() }
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) ?? ""
        }
        #expect((1..<40).contains(names.count { $0 == "transfers\n" }))
        // The last client shares its thread with others.
        await clients[119].close()
        let error = await #expect(throws: HTTPError.self) { try await hanging[119].value }
        #expect(error?.kind == .closed)
        let late = await #expect(throws: HTTPError.self) { try await clients[119].get(server.url) }
        #expect(late?.kind == .closed)
        hanging[0].cancel()
        _ = await hanging[0].result
        #expect(try await clients[0].get(server.url).status == 200)
        for client in clients { await client.close() }
        for task in hanging { _ = await task.result }
    }

    @Test func `thousands of concurrent requests share the few connections to one server`() async throws {
        let server = try ScriptedServer { .json($0.query["n"] ?? "") }
        defer { server.stop() }
        try await withClient {
            $0.callsPerHost = 8
        } _: { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<3_000 {
                    group.addTask {
                        let answer = try await client.get("\(server.url)/?n=\(number)")
                        #expect(answer.text == "\(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.requests.count == 3_000)
        #expect((1...8).contains(server.connections))
    }

    @Test(arguments: ["gzip", "deflate"]) func `a compressed reply is unpacked`(coding: String) async throws {
        let server = try ScriptedServer { _ in .status(200, [("Content-Encoding", coding)], body: zipped[coding] ?? [])
        }
        defer { server.stop() }
        let response = try await withClient { try await $0.get(server.url) }
        #expect(response.text == "hello, hello, hello")
        #expect(server.requests.first?.headers["accept-encoding"]?.contains(coding) == true)
    }

    @Test func `headers of an interim reply are dropped`() async throws {
        let server = try ScriptedServer { _ in
            .raw("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        let response = try await withClient { try await $0.get(server.url) }
        #expect(response.text == "ok")
        #expect(response.headers["X-Early"] == nil)
    }

    @Test func `a header with a line break is not sent`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            for headers: HTTPHeaders in [
                ["X-Key": "a\r\nX-Other: b"], ["X-Key: a\r\nX": "b"], ["": "a"], ["X": "a\0b"],
            ] {
                let error = try await client.failure(of: server.url, headers: headers)
                #expect(error.kind == .unsendable)
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a contact address can't inject a header`() {
        #expect(HTTPClient.userAgent(version: "1", contact: "a b\r\nX: ü") == "Waypost/1 (+abX:)")
    }
}

/// `hello, hello, hello`
private let zipped: [String: [UInt8]] = [
    "gzip": [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
        0x40, 0xA2, 0x00, 0x9F, 0xA1, 0xCA, 0x09, 0x13, 0x00, 0x00, 0x00,
    ],
    "deflate": [
        0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8, 0x40, 0xA2, 0x00, 0x44, 0x28, 0x06, 0xD5,
    ],
]
