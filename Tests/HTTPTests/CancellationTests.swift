import HTTP
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    @Test func `a cancelled task closes its connection at once`() async throws {
        let server = try ScriptedServer { _ in .hang }
        defer { server.stop() }
        try await withClient { client in
            let task = Task { try await client.get(server.url) }
            for await _ in server.arrivals { break }
            task.cancel()
            await #expect(throws: HTTPError.self) { try await task.value }
            // While the client still exists.
            for await _ in server.hangUps { break }
        }
    }

    @Test func `a cancelled task frees its place for waiting ones`() async throws {
        let server = try ScriptedServer { $0.path == "/hang" ? .hang : .json("1") }
        defer { server.stop() }
        try await withClient {
            $0.callsPerHost = 1
        } _: { client in
            let first = Task { try await client.get(server.url + "/hang") }
            for await _ in server.arrivals { break }
            let second = Task { try await client.get(server.url + "/hang") }
            let third = Task { try await client.get(server.url) }
            second.cancel()
            let error = await #expect(throws: HTTPError.self) { try await second.value }
            #expect(error?.kind == .cancelled)
            first.cancel()
            let answer = try await third.value
            #expect(answer.status == 200)
        }
    }

    @Test func `a task cancelled before its call sends nothing`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.get(server.url)
            }
            let error = await #expect(throws: HTTPError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `closing ends running and waiting calls, and refuses later ones`() async throws {
        let server = try ScriptedServer { _ in .hang }
        defer { server.stop() }
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.callsPerHost = 1
        let client = HTTPClient(options)
        let tasks = (0..<3).map { _ in Task { try await client.get(server.url) } }
        for await _ in server.arrivals { break }
        await client.close()
        await client.close()
        for task in tasks {
            let error = await #expect(throws: HTTPError.self) { try await task.value }
            #expect(error?.kind == .closed)
        }
        #expect(try await client.failure(of: server.url).kind == .closed)
    }
}
