import Postgres
import Processes
import Testing

struct RetryTests {
    private static let temporary = DatabaseError(message: "away", isConnectionLost: true, isWorthRetrying: true)
    private static let full = DatabaseError(message: "disk full", sqlState: "53100")

    /// Fails with each of `failures` in turn, then succeeds. `made` counts the tries.
    private final class Attempts: Sendable {
        private let state: Locked<(left: ArraySlice<DatabaseError>, made: Int)>

        init(_ failures: DatabaseError...) { state = Locked((failures[...], 0)) }

        var made: Int { state.withLock { $0.made } }

        func make() throws {
            let failure = state.withLock { state in
                state.made += 1
                return state.left.popFirst()
            }
            if let failure { throw failure }
        }
    }

    @Test func `a temporary error is retried, and each retry is reported`() async throws {
        let attempts = Attempts(Self.temporary, Self.temporary)
        let told = Locked<[String]>([])
        try await Database.retrying(beforePause: { error in told.withLock { $0.append(error.message) } }) {
            try attempts.make()
        }
        #expect(attempts.made == 3)
        #expect(told.withLock { $0 } == ["away", "away"])
    }

    @Test func `a lasting error is thrown at once, unless the caller permits a retry`() async throws {
        let strict = Attempts(Self.full)
        await #expect(throws: DatabaseError.self) { try await Database.retrying { try strict.make() } }
        #expect(strict.made == 1)
        let patient = Attempts(Self.full)
        try await Database.retrying(where: \.isShortOfResources) { try patient.make() }
        #expect(patient.made == 2)
    }

    @Test func `the last failure is thrown after the last try or the deadline`() async throws {
        let counted = Attempts(Self.temporary, Self.temporary, Self.temporary)
        await #expect(throws: DatabaseError.self) { try await Database.retrying(atMost: 2) { try counted.make() } }
        #expect(counted.made == 2)
        let timed = Attempts(Self.temporary)
        await #expect(throws: DatabaseError.self) { try await Database.retrying(until: .now) { try timed.make() } }
        #expect(timed.made == 1)
    }

    @Test func `pauses double up to the longest, and each is at least half of its ceiling`() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(5))
        for ceiling in [1, 2, 4] + [Int](repeating: 5, count: 100) {
            let pause = backoff.next()
            #expect(pause >= .seconds(ceiling) / 2 && pause <= .seconds(ceiling))
        }
    }

    @Test func `a cancelled task is not retried`() async throws {
        let attempts = Attempts(Self.temporary, Self.temporary)
        let task = Task {
            try await Database.retrying(beforePause: { _ in withUnsafeCurrentTask { $0?.cancel() } }) {
                try attempts.make()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(attempts.made == 1)
    }
}
