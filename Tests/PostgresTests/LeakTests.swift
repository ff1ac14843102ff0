import DatabaseTesting
import Foundation
import Polling
import Postgres
import Testing

/// The remains of a heavily used pool after it is closed, counted in a process of its own.
struct LeakTests {
    @Test func `a heavily used pool leaves no thread and no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try await PrivateServer.start(in: "/tmp/waypost-leaks-\(getpid())", .temporary)
            let before = (threads: try LeakTests.threads(), descriptors: try LeakTests.descriptors())
            for _ in 0..<5 {
                let database = Database(url: server.url, options: .init(size: 4))
                let callers = (0..<40).map { number in
                    Task { try await database.run { try $0.query("SELECT pg_sleep(0.001 * \(number % 3)::float8)") } }
                }
                for caller in callers[20...] { caller.cancel() }
                for caller in callers { _ = await caller.result }
                _ = try? await database.run { try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
                let listening = Task { for await _ in database.listen(on: ["news"]) { return } }
                await listening.value
                await database.close()
            }
            // Connections end on their own threads, so wait for the last one.
            try await pollUntil { try LeakTests.threads() <= before.threads }
            try await pollUntil { try LeakTests.descriptors() <= before.descriptors }
            await server.stop()
        }
    }

    static func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "postgres\n"
        }.count
    }

    static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
