import Access

/// Sends the state of a subject to all its watchers when it has changed, with one query for all of them. A subject is
/// an account, or one of its users.
actor Broadcast {
    private struct Subject: Hashable {
        let account: Int
        let user: String?
    }

    private struct Audience {
        var listeners: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
        /// The last event.
        var event: [UInt8]?
        var toldAt: ContinuousClock.Instant?
        var ticker: Task<Void, Never>?
    }

    private static let shortestPause: Duration = .seconds(1)
    /// After this time without a change the last event is sent again. A proxy cuts a silent connection, and a
    /// disconnected client is noticed only by sending.
    private static let longestSilence: Duration = .seconds(15)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) async throws -> Void
    private let look: @Sendable (Caller, _ user: String?) async throws -> [UInt8]
    private var audiences: [Subject: Audience] = [:]
    private var lastListener = 0

    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        look: @escaping @Sendable (Caller, _ user: String?) async throws -> [UInt8]
    ) {
        self.now = now
        self.pause = pause
        self.look = look
    }

    /// The events from now on, beginning with the present state. A slow listener skips outdated events.
    func events(for caller: Caller, about user: String? = nil) -> AsyncStream<[UInt8]> {
        let subject = Subject(account: caller.account, user: user)
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
        lastListener += 1
        let number = lastListener
        continuation.onTermination = { _ in Task { await self.leave(number, subject) } }
        var audience = audiences[subject] ?? Audience()
        audience.listeners[number] = continuation
        if let event = audience.event { continuation.yield(event) }
        if audience.ticker == nil {
            audience.ticker = Task { await self.tick(for: caller, subject) }
        }
        audiences[subject] = audience
        return stream
    }

    private func tick(for caller: Caller, _ subject: Subject) async {
        while !Task.isCancelled {
            let began = now()
            // While the database is unreachable nothing is sent; the next query may succeed.
            if let event = try? await look(caller, subject.user) { tell(event, subject) }
            // The pause is nine times the query's duration. A query over a million addresses takes a second, and must
            // not keep the database busy all the time.
            let length = min(max(Self.shortestPause, (now() - began) * 9), Self.longestSilence)
            guard (try? await pause(length)) != nil else { break }
        }
        // If it was cancelled, its audience has left, and a new audience may exist already.
        guard !Task.isCancelled, let audience = audiences[subject] else { return }
        for listener in audience.listeners.values { listener.finish() }
    }

    private func tell(_ event: [UInt8], _ subject: Subject) {
        guard var audience = audiences[subject] else { return }
        let now = now()
        if event != audience.event || audience.toldAt.map({ now - $0 >= Self.longestSilence }) ?? true {
            audience.event = event
            audience.toldAt = now
            for listener in audience.listeners.values { listener.yield(event) }
        }
        audiences[subject] = audience
    }

    private func leave(_ number: Int, _ subject: Subject) {
        audiences[subject]?.listeners[number] = nil
        guard let audience = audiences[subject], audience.listeners.isEmpty else { return }
        audience.ticker?.cancel()
        audiences[subject] = nil
    }

    /// How many subjects have watchers now.
    var watched: Int { audiences.count }
}
