import Geocoding
import Processes
import Testing

@testable import Providers

struct SharedTokenTests {
    /// The number of fetches, and the current time.
    private let fetches = Locked(0)
    private let clock = Locked(0)

    private func shared() -> SharedToken {
        SharedToken(now: { [clock] in clock.withLock { $0 } })
    }

    /// The first token is `token 1`.
    private func text(of shared: SharedToken) async throws -> String {
        try await shared.text { [fetches] now in
            await Task.yield()
            let number = fetches.withLock { count in
                count += 1
                return count
            }
            return SharedToken.Token(text: "token \(number)", end: now + 1_800)
        }
    }

    @Test func `a hundred concurrent callers fetch one token`() async throws {
        let shared = shared()
        for round in 1...3 {
            let texts = try await withThrowingTaskGroup { group in
                for _ in 1...100 { group.addTask { try await text(of: shared) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts == ["token \(round)"])
            clock.withLock { $0 += 1_800 }
        }
        #expect(fetches.withLock { $0 } == 3)
    }

    @Test func `a token is used until a minute before its end`() async throws {
        let shared = shared()
        var texts: [String] = []
        for second in [0, 1_739, 1_740] {
            clock.withLock { $0 = second }
            try await texts.append(text(of: shared))
        }
        #expect(texts == ["token 1", "token 1", "token 2"])
    }

    @Test func `a refused token is replaced once for all its users`() async throws {
        let shared = shared()
        let refused = try await text(of: shared)
        await shared.accept(refused)
        for _ in 1...5 {
            #expect(await shared.refuse(refused))
            #expect(try await text(of: shared) == "token 2")
        }
        #expect(fetches.withLock { $0 } == 2)
    }

    @Test func `a token refused before any was accepted is not replaced`() async throws {
        let shared = shared()
        #expect(await !shared.refuse(try await text(of: shared)))
        await shared.accept(try await text(of: shared))
        #expect(await shared.refuse(try await text(of: shared)))
        #expect(await !shared.refuse(try await text(of: shared)))
    }

    @Test func `a cancelled caller does not stop the fetch for others`() async throws {
        let shared = shared()
        let impatient = Task { try await text(of: shared) }
        impatient.cancel()
        #expect(try await text(of: shared) == "token 1")
        #expect(try await impatient.value == "token 1")
    }

    @Test func `after a failed fetch, the next caller fetches again`() async throws {
        let shared = shared()
        await #expect(throws: ProviderError.unavailable(reason: "down")) {
            try await shared.text { _ throws(ProviderError) in throw .unavailable(reason: "down") }
        }
        #expect(try await text(of: shared) == "token 1")
    }
}
