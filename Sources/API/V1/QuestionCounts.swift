import Contacts

/// The number of distinct addresses of each account. Counting them takes the database a second for a million. So a
/// count is reused while nothing has changed, and otherwise for twenty times the duration of the counting. Above a
/// million addresses a request doesn't wait for the count: it has no number until the count is done. Only one of these
/// counts runs at a time, because each holds a connection for long.
actor QuestionCounts {
    private struct Known {
        var count: Int
        var changes: Int
        var until: ContinuousClock.Instant
    }

    /// Up to this many addresses, counting is fast.
    private static let few = 2_000
    static let mostAwaited = 1_000_000
    private static let mostAccounts = 10_000

    private var known: [Int: Known] = [:]
    private var underway: [Int: (tally: Tally, task: Task<Int, any Error>)] = [:]
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// The count at this tally, or a slightly older one; nil during the first count of very many addresses. `look`
    /// counts.
    func count(
        of account: Int, at tally: Tally, _ look: @escaping @Sendable () async throws -> Int
    ) async throws -> Int? {
        if let known = known[account] {
            if known.changes == tally.changes { return known.count }
            if tally.count > Self.few {
                if known.until <= now(), mayBegin(account, at: tally) { begin(account, at: tally, look) }
                return min(known.count, tally.count)
            }
        }
        if tally.count == 0 { return 0 }
        if tally.count > Self.mostAwaited {
            if mayBegin(account, at: tally) { begin(account, at: tally, look) }
            return nil
        }
        // All callers with the same tally wait for one query.
        if let underway = underway[account], underway.tally.changes == tally.changes {
            return try await underway.task.value
        }
        return try await begin(account, at: tally, look).value
    }

    private func mayBegin(_ account: Int, at tally: Tally) -> Bool {
        underway[account] == nil
            && (tally.count <= Self.mostAwaited || underway.values.allSatisfy { $0.tally.count <= Self.mostAwaited })
    }

    @discardableResult
    private func begin(
        _ account: Int, at tally: Tally, _ look: @escaping @Sendable () async throws -> Int
    ) -> Task<Int, any Error> {
        let task = Task {
            defer { if underway[account]?.tally.changes == tally.changes { underway[account] = nil } }
            let began = now()
            let count = try await look()
            if known.count >= Self.mostAccounts { known = [:] }
            let ended = now()
            known[account] = Known(count: count, changes: tally.changes, until: ended + (ended - began) * 20)
            return count
        }
        underway[account] = (tally, task)
        return task
    }
}
