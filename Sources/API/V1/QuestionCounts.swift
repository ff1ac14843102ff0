import Contacts

/// How many distinct addresses accounts have. Telling which are distinct takes the database a second for a million, so what was counted is
/// believed for as long as nothing has changed, and while addresses change for twenty times as long as counting takes. For more than a million
/// nobody waits: there is no number before it is counted.
actor QuestionCounts {
    private struct Known {
        var count: Int
        var changes: Int
        var until: ContinuousClock.Instant
    }

    /// So many addresses are counted in a moment.
    private static let few = 2_000
    static let mostAwaited = 1_000_000
    private static let mostAccounts = 10_000

    private var known: [Int: Known] = [:]
    private var underway: [Int: (changes: Int, task: Task<Int, any Error>)] = [:]
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// The number at this tally, or one from not long before it; nil while so many are counted for the first time. `look` counts.
    func count(
        of account: Int, at tally: Tally, _ look: @escaping @Sendable () async throws -> Int
    ) async throws -> Int? {
        if let known = known[account] {
            if known.changes == tally.changes { return known.count }
            if tally.count > Self.few {
                if known.until <= now(), underway[account] == nil { begin(account, at: tally, look) }
                return min(known.count, tally.count)
            }
        }
        if tally.count == 0 { return 0 }
        if tally.count > Self.mostAwaited {
            if underway[account] == nil { begin(account, at: tally, look) }
            return nil
        }
        // All who ask for the same wait for one look.
        if let underway = underway[account], underway.changes == tally.changes { return try await underway.task.value }
        return try await begin(account, at: tally, look).value
    }

    @discardableResult
    private func begin(
        _ account: Int, at tally: Tally, _ look: @escaping @Sendable () async throws -> Int
    ) -> Task<Int, any Error> {
        let task = Task {
            defer { if underway[account]?.changes == tally.changes { underway[account] = nil } }
            let began = now()
            let count = try await look()
            if known.count >= Self.mostAccounts { known = [:] }
            let ended = now()
            known[account] = Known(count: count, changes: tally.changes, until: ended + (ended - began) * 20)
            return count
        }
        underway[account] = (tally.changes, task)
        return task
    }
}
