import Glibc
import HTTP
import HTTPTesting
import Processes
import Testing

/// The threads on which handlers run.
struct ThreadTests {
    private final class Threads: Sendable {
        private let seen = Locked<[String: Set<pthread_t>]>([:])

        func note(_ name: String) { seen.withLock { _ = $0[name, default: []].insert(pthread_self()) } }
        @concurrent func noteFromAnywhere(_ name: String) async { note(name) }

        subscript(name: String) -> Set<pthread_t> { seen.withLock { $0[name] ?? [] } }
    }

    @Test func `a quick handler never leaves the server's thread, and its stream and others never use it`() async throws
    {
        let threads = Threads()
        try await withServer {
            for name in ["quick", "long"] {
                $0.add(.get, "/" + name, isQuick: name == "quick") { _ in
                    threads.note(name)
                    // Another thread continues it.
                    await Task.detached {}.value
                    threads.note(name)
                    await threads.noteFromAnywhere(name)
                    return ServerResponse(
                        status: 200,
                        body: .stream { writer in
                            threads.note("stream")
                            try await writer.write([0x61])
                            threads.note("stream")
                        })
                }
            }
        } _: { server in
            for path in ["/quick", "/long", "/quick", "/long"] {
                let answer = try await server.answers(to: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer.statuses == [200, 404])
            }
        }
        #expect(threads["quick"].count == 1)
        #expect(!threads["long"].isEmpty && threads["long"].isDisjoint(with: threads["quick"]))
        #expect(!threads["stream"].isEmpty && threads["stream"].isDisjoint(with: threads["quick"]))
    }

    @Test func `the gzip of a quick route's response delays no other request`() async throws {
        let order = Locked<[String]>([])
        let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
        // zlib needs half a second or so for noise of this size.
        var state: UInt64 = 1
        let words = [UInt64](unsafeUninitializedCapacity: 2 << 20) { buffer, count in
            for index in buffer.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                buffer.initializeElement(at: index, to: state)
            }
            count = buffer.count
        }
        let bytes = words.withUnsafeBytes { [UInt8]($0) }
        try await withServer {
            $0.add(.get, "/long", isQuick: true) { _ in
                beginning.yield()
                let response = await ServerResponse(status: 200, body: .bytes(bytes)).gzippedElsewhere()
                order.withLock { $0.append("long") }
                return response
            }
            $0.add(.get, "/short", isQuick: true) { _ in
                order.withLock { $0.append("short") }
                return .text("short")
            }
        } _: { server in
            // On a busy machine the short request may come late. On a thread that packs it would always come late.
            for _ in 1...10 where order.withLock({ $0.first }) != "short" {
                order.withLock { $0 = [] }
                let long = try server.connect()
                await long.send("HEAD /long HTTP/1.1\r\nHost: a\r\n\r\n")
                for await _ in beginnings { break }
                let short = try await server.answers(to: "GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(short.statuses == [200, 404])
                _ = await long.read(until: "\r\n\r\n")
                long.close()
            }
        }
        #expect(order.withLock { $0 } == ["short", "long"])
    }
}
