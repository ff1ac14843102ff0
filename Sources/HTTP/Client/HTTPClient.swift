import CCurl

/// An HTTP client. Each lane of a worker has its own, so no lane waits for another.
///
/// Its transfers run on one thread, which waits for all of them at once. So a thousand calls cost at most a thousand
/// sockets and no thread. The thread starts with the first call. A process has at most 8 such threads for
/// all its clients (``TransferLoop``). Connections are kept and used again. Proxies come from the environment:
/// `https_proxy`, `http_proxy`, `no_proxy`.
package final class HTTPClient: Sendable {
    package struct Options: Sendable {
        /// The `User-Agent` header. See ``HTTPClient/userAgent(version:contact:)``.
        package var userAgent: String
        /// The time limit for connecting, TLS included.
        package var connectLimit: Duration = .seconds(10)
        /// The time limit from the start of a call to the last byte, redirects included. Waiting for other calls to the
        /// server doesn't count.
        package var totalLimit: Duration = .seconds(30)
        /// The largest response body, in unpacked bytes.
        package var largestBody = 16 << 20
        /// How many calls, and so connections, one server gets at a time. Further calls wait. Calls with a departure
        /// don't count, because each starts only when its request may be sent.
        package var callsPerHost = 32
        /// How many idle connections are kept at most.
        package var mostKept = 1_024
        /// A file of certificates to trust instead of the system's.
        package var certificateAuthorities: String?
        /// If false, no connection is opened to an address outside the public Internet, whatever name or redirect leads
        /// there. The address is checked when the socket is opened, so a name whose address changes meanwhile can't
        /// bypass the check. Proxies are not used then, because their connections can't be checked here.
        package var permitsPrivateAddresses = true
        /// Is called with each request that is sent.
        package var witness: Witness?

        package init(userAgent: String) {
            self.userAgent = userAgent
        }
    }

    /// Called with a request, in the task that sends it. Returns the request to send instead, and a closure that gets
    /// the result.
    package typealias Witness =
        @Sendable (HTTPRequest) -> (
            request: HTTPRequest, ended: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
        )

    private let calls: ClientCalls
    private let loop: TransferLoop
    private let witness: Witness?

    package init(_ options: Options) {
        witness = options.witness
        loop = TransferLoop.join(options)
        calls = ClientCalls(options, on: loop)
    }

    deinit {
        loop.leave(calls)
    }

    /// `Waypost/1.2.0 (+https://example.org/contact)`: the contact for complaints about our requests. Operators of
    /// public servers block clients without one.
    package static func userAgent(version: String, contact: String) -> String {
        // A line break would start another header.
        "Waypost/\(version) (+\(contact.filter { $0.isASCII && !$0.isNewline && !$0.isWhitespace }))"
    }

    /// Sends a request and returns the response, whatever its status. Follows at most five redirects.
    ///
    /// With a `departure`, the request is sent once and within its time, or not at all. A redirect is not followed, and
    /// a request is not repeated if the server closes the connection. The connection is opened before the time comes.
    ///
    /// If the task is cancelled, the connection is closed at once.
    package func send(
        _ request: HTTPRequest, departure: Departure? = nil
    ) async throws(HTTPError) -> HTTPResponse {
        guard let witness else { return try await send(asItIs: request, departure).get() }
        let watched = witness(request)
        let result = await send(asItIs: watched.request, departure)
        watched.ended(result)
        return try result.get()
    }

    private func send(
        asItIs request: HTTPRequest, _ departure: Departure?
    ) async -> Result<HTTPResponse, HTTPError> {
        guard request.headers.fields.allSatisfy(\.isSendable) else {
            return .failure(
                HTTPError(
                    kind: .unsendable, host: request.url.authority,
                    reason: "a header has a line break or the like in it"))
        }
        return await finish(Call(of: calls, request, departure: departure))
    }

    private func finish(_ call: Call) async -> Result<HTTPResponse, HTTPError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { loop.hand(.begin(call, $0)) }
        } onCancel: {
            loop.hand(.cancel(call))
        }
    }

    /// Connects to a server twice and closes the connections. Work that is slow only once in a process is then done,
    /// and the connect time is known. An unreachable server is not an error here: the first call will fail with one.
    package func warmUp(for server: HTTPURL) async {
        for _ in 1...2 {
            let call = Call(of: calls, HTTPRequest(.get, server), purpose: .connection, departure: Departure())
            guard case .success = await finish(call) else { return }
        }
    }

    /// How long before its slot a call should be handed to this client. It includes a reserve for a busy machine.
    package var lead: Duration { loop.outlook(of: calls).connectTime + .milliseconds(20) }

    /// How long it would take to send a request that is handed over now.
    package var readyIn: Duration {
        let outlook = loop.outlook(of: calls)
        return outlook.isWarm ? .zero : outlook.connectTime
    }

    /// Ends all calls, and returns when they have ended. The last client of a thread also ends the thread and its
    /// connections.
    package func close() async {
        await withCheckedContinuation { loop.leave(calls, then: $0) }
    }
}

/// Makes calls over HTTP. Its client decides when a request is sent.
package protocol HTTPCaller: Sendable {
    var http: HTTPClient { get }
    var server: HTTPURL { get }
}
