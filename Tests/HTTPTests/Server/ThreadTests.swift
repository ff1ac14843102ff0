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
}
