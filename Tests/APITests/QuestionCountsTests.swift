import Polling
import Processes
import Testing

@testable import API
@testable import Contacts

@Suite(.timeLimit(.minutes(10)))
struct QuestionCountsTests {
    @Test func `a first count of over a million rows is done once, in the background`() async throws {
        let counts = QuestionCounts()
        let looks = Locked(0)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let look: @Sendable () async throws -> Int = {
            looks.withLock { $0 += 1 }
            for await _ in gate {}
            return 7
        }
        for changes in 1...3 {
            let count = try await counts.count(of: 1, at: Tally(count: 1_000_001, changes: changes), look)
            #expect(count == nil)
        }
        open.finish()
        try await pollUntil { try await counts.count(of: 1, at: Tally(count: 1_000_001, changes: 3), look) == 7 }
        #expect(looks.withLock { $0 } == 1)
    }

    @Test func `one account of over a million rows is counted at a time`() async throws {
        let counts = QuestionCounts()
        let tally = Tally(count: 1_000_001, changes: 1)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        _ = try await counts.count(of: 1, at: tally) {
            for await _ in gate {}
            return 7
        }
        let looks = Locked(0)
        let look: @Sendable () async throws -> Int = {
            looks.withLock {
                $0 += 1; return 8
            }
        }
        #expect(try await counts.count(of: 2, at: tally, look) == nil)
        #expect(try await counts.count(of: 3, at: Tally(count: 1_000_000, changes: 1)) { 9 } == 9)
        for _ in 0..<100 { await Task.yield() }
        #expect(looks.withLock { $0 } == 0)
        open.finish()
        // The second count begins with a request after the first has ended.
        try await pollUntil { try await counts.count(of: 2, at: tally, look) == 8 }
        #expect(looks.withLock { $0 } == 1)
    }

    @Test func `a count of up to a million rows is waited for`() async throws {
        let count = try await QuestionCounts().count(of: 1, at: Tally(count: 1_000_000, changes: 1)) { 7 }
        #expect(count == 7)
    }
}
