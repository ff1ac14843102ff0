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
            monicaCode: 34,
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
