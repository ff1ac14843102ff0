/// Sends the progress of an account to all its watchers, with one query for all of them.
actor ProgressBroadcast {
    private struct Audience {
        var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        /// What was sent last.
        var event: [UInt8]?
        var toldAt: ContinuousClock.Instant?
        var ticker: Task<Void, Never>?
    }

    private static let shortestPause: Duration = .seconds(1)
    /// After so long without a change the last event is sent again: a proxy cuts what is silent, and a listener who went
    /// away is noticed only by sending.
    private static let longestSilence: Duration = .seconds(15)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) async throws -> Void
    private let look: @Sendable (Caller) async throws -> [UInt8]
    private var audiences: [Int: Audience] = [:]
    private var lastListener = 0

    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        look: @escaping @Sendable (Caller) async throws -> [UInt8]
    ) {
        self.now = now
        self.pause = pause
        self.look = look
    }

    /// The events from now on, the present state first. A listener who is slow misses what is outdated.
    func events(for caller: Caller) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
        lastListener += 1
        let number = lastListener
        continuation.onTermination = { _ in Task { await self.leave(number, account: caller.account) } }
        var audience = audiences[caller.account] ?? Audience()
        audience.listeners[number] = continuation
        if let event = audience.event { continuation.yield(event) }
        if audience.ticker == nil {
            audience.ticker = Task { await self.tick(for: caller) }
        }
        audiences[caller.account] = audience
        return stream
    }

    private func tick(for caller: Caller) async {
        while !Task.isCancelled {
            let began = now()
            // While the database is away there is nothing to tell; the next look may succeed.
            if let event = try? await look(caller) { tell(event, account: caller.account) }
            // A look at a million addresses takes a second: looking shall not be what the database does all day.
            let length = min(max(Self.shortestPause, (now() - began) * 9), Self.longestSilence)
            guard (try? await pause(length)) != nil else { break }
        }
        // Cancelled, it was of an audience that went away; another may have come meanwhile.
        guard !Task.isCancelled, let audience = audiences[caller.account] else { return }
        for listener in audience.listeners.values { listener.finish() }
    }

    private func tell(_ event: [UInt8], account: Int) {
        guard var audience = audiences[account] else { return }
        let now = now()
        if event != audience.event || audience.toldAt.map({ now - $0 >= Self.longestSilence }) ?? true {
            audience.event = event
            audience.toldAt = now
            for listener in audience.listeners.values { listener.yield(event) }
        }
        audiences[account] = audience
    }

    private func leave(_ number: Int, account: Int) {
        audiences[account]?.listeners[number] = nil
        guard let audience = audiences[account], audience.listeners.isEmpty else { return }
        audience.ticker?.cancel()
        audiences[account] = nil
    }

    /// How many accounts are watched now.
    var watched: Int { audiences.count }
}
