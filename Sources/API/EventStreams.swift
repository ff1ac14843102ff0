import Access
import HTTP
import Processes

/// Counts open event streams. One token and one account may hold only a part of the connections from one address, so
/// that other clients at that address still get in.
final class EventStreams: Sendable {
    struct Limits: Sendable {
        let ofToken: Int
        let ofAccount: Int

        /// A token gets a quarter of the connections that one address may have, an account half.
        init(connectionsOfAddress: Int) {
            ofToken = max(1, connectionsOfAddress / 4)
            ofAccount = max(1, connectionsOfAddress / 2)
        }
    }

    fileprivate enum Holder: Hashable, Sendable {
        case token(Int)
        case account(Int)
    }

    private let limits: Limits
    private let open = Locked<[Holder: Int]>([:])

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Counts a stream for as long as the returned place is held. Throws if the token or the account has too many.
    func begin(for caller: Caller) throws(RequestError) -> Place {
        var holders: [(Holder, limit: Int)] = [(.account(caller.account), limits.ofAccount)]
        if let token = caller.token { holders.insert((.token(token), limits.ofToken), at: 0) }
        let full = open.withLock { open -> (Holder, limit: Int)? in
            if let full = holders.first(where: { open[$0.0, default: 0] >= $0.limit }) { return full }
            for (holder, _) in holders { open[holder, default: 0] += 1 }
            return nil
        }
        if let (holder, limit) = full { throw Self.refusal(holder, limit) }
        return Place(holders.map(\.0), of: self)
    }

    /// The place of a counted stream.
    final class Place: Sendable {
        private let holders: [Holder]
        private let streams: EventStreams

        fileprivate init(_ holders: [Holder], of streams: EventStreams) {
            self.holders = holders
            self.streams = streams
        }

        /// Runs also if the client left before the stream began; no other code would run then.
        deinit {
            streams.open.withLock { open in
                for holder in holders {
                    let left = open[holder, default: 1] - 1
                    open[holder] = left > 0 ? left : nil
                }
            }
        }
    }

    private static func refusal(_ holder: Holder, _ limit: Int) -> RequestError {
        let name = if case .token = holder { "token" } else { "account" }
        return RequestError(
            status: 429,
            detail: "This \(name) has \(limit) event streams open, as many as it may have here; close one first.",
            headers: [
                "Retry-After": "15", "RateLimit-Policy": "\"\(name)-streams\";q=\(limit);qu=\"concurrent-requests\"",
                "RateLimit": "\"\(name)-streams\";r=0;t=15",
            ], reason: .tooManyStreams)
    }
}

extension APIServer {
    /// Sends a broadcast as server-sent events until the client disconnects:
    /// https://html.spec.whatwg.org/multipage/server-sent-events.html
    func events(
        of broadcast: Broadcast, for request: APIRequest, about user: String? = nil
    ) throws -> ServerResponse {
        let place = try streams.begin(for: request.caller)
        var response = ServerResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"],
            body: .stream { writer in
                defer { withExtendedLifetime(place) {} }
                for await event in await broadcast.events(for: request.caller, about: user) {
                    // A stream must not outlive its token.
                    guard try await isStill(request.caller, asking: request.http) else { return }
                    try await writer.write(event)
                }
            })
        response.isEndless = true
        return response
    }
}

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
