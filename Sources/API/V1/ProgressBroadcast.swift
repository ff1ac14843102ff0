/// Tells all who watch an account how its work goes on, with one look at the database for all of them.
actor ProgressBroadcast {
    private struct Audience {
        var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        /// What was told last.
        var event: [UInt8]?
        /// Beats since then.
        var silence = 0
        var ticker: Task<Void, Never>?
    }

    /// After so many beats without a change the last event is sent again: a proxy cuts what is silent, and a listener
    /// who went away is noticed only by sending.
    private static let longestSilence = 15

    private let beat: @Sendable () async throws -> Void
    private let look: @Sendable (Caller) async throws -> [UInt8]
    private var audiences: [Int: Audience] = [:]
    private var lastListener = 0

    init(
        beat: @escaping @Sendable () async throws -> Void, look: @escaping @Sendable (Caller) async throws -> [UInt8]
    ) {
        self.beat = beat
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
            // While the database is away there is nothing to tell; the next look may succeed.
            if let event = try? await look(caller) { tell(event, account: caller.account) }
            guard (try? await beat()) != nil else { break }
        }
        // Cancelled, it was of an audience that went away; another may have come meanwhile.
        guard !Task.isCancelled, let audience = audiences[caller.account] else { return }
        for listener in audience.listeners.values { listener.finish() }
    }

    private func tell(_ event: [UInt8], account: Int) {
        guard var audience = audiences[account] else { return }
        audience.silence += 1
        if event != audience.event || audience.silence >= Self.longestSilence {
            audience.event = event
            audience.silence = 0
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
