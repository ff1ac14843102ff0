import Operations

/// What was known of the tokens in use a moment ago.
///
/// Bounded in time, for a revoked token must end soon, and in number, for memory must.
final class TokenCache: Sendable {
    /// How long a revoked token may still be good.
    static let lifetime: Duration = .seconds(5)
    static let most = 1_000

    private struct Entry {
        let holder: TokenHolder
        let until: ContinuousClock.Instant
    }

    private let entries = Locked<[Int: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    subscript(id: Int) -> TokenHolder? {
        let now = now()
        return entries.withLock { $0[id].flatMap { $0.until > now ? $0.holder : nil } }
    }

    func remember(_ holder: TokenHolder, goodFor: Duration?) {
        guard let id = holder.token else { return }
        let now = now()
        entries.withLock { entries in
            if entries.count >= Self.most { entries = entries.filter { $0.value.until > now } }
            // As many tokens within a few seconds: those to come are looked up each time until some are forgotten.
            guard entries.count < Self.most else { return }
            entries[id] = Entry(holder: holder, until: now + min(goodFor ?? Self.lifetime, Self.lifetime))
        }
    }
}
