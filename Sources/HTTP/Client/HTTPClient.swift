/// Asks HTTP servers. Each lane of a worker has one of its own, so that no lane waits for another.
///
/// All transfers live on one thread, which waits for all of them at once, so a thousand calls cost a thousand sockets
/// at most and never a thread. It begins with the first call. Connections are kept and used again. Proxies are those of the environment: `https_proxy`,
/// `http_proxy`, `no_proxy`.
package final class HTTPClient: Sendable {
    package struct Options: Sendable {
        /// Tells the server who we are. See ``HTTPClient/userAgent(version:contact:)``.
        package var userAgent: String
        /// Until a connection stands, TLS included.
        package var connectLimit: Duration = .seconds(10)
        /// From the start of a call to the last byte, redirects included. Waiting for one's turn doesn't count.
        package var totalLimit: Duration = .seconds(30)
        /// In bytes, unpacked.
        package var largestBody = 16 << 20
        /// How many calls, and so connections, one server gets at a time. The others wait for their turn. Calls with a
        /// departure don't count: none is begun that can't leave now.
        package var callsPerHost = 32
        /// Connections that are kept at most.
        package var mostKept = 1_024
        /// A file of certificates to trust instead of the system's.
        package var certificateAuthorities: String?
        /// Without it, no connection is opened to an address that is not of the public Internet, whatever name or redirect
        /// leads there. It is looked at when the socket is opened, so a name that has another address by then is no way
        /// around it. Proxies are not used then: they open connections of their own, which nobody here sees.
        package var permitsPrivateAddresses = true
        /// Sees each request that is sent.
        package var witness: Witness?

        package init(userAgent: String) {
            self.userAgent = userAgent
        }
    }

    /// Gets a request in the task that sends it. Returns what is to be sent instead, and hears what came of it.
    package typealias Witness =
        @Sendable (HTTPRequest) -> (
            request: HTTPRequest, ended: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
        )

    private let loop: TransferLoop
    private let witness: Witness?

    package init(_ options: Options) {
        witness = options.witness
        loop = TransferLoop(options)
    }

    deinit {
        loop.stop()
    }

    /// `Waypost/1.2.0 (+https://example.org/contact)`: where to write to when we are a nuisance. Operators of public
    /// servers lock out whoever doesn't say.
    package static func userAgent(version: String, contact: String) -> String {
        // A line break would begin another header.
        "Waypost/\(version) (+\(contact.filter { $0.isASCII && !$0.isNewline && !$0.isWhitespace }))"
    }

    /// Sends a request and returns the answer, whatever its status. Follows at most five redirects.
    ///
    /// With a `departure`, the request leaves within its time or not at all, once and no more often: a redirect is not
    /// followed, and what a server hangs up on is not repeated. The connection is begun before the time comes.
    ///
    /// A cancelled task hangs up at once.
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
        return await finish(Call(request, departure: departure))
    }

    private func finish(_ call: Call) async -> Result<HTTPResponse, HTTPError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { loop.hand(.begin(call, $0)) }
        } onCancel: {
            loop.hand(.cancel(call))
        }
    }

    /// Connects to a server, twice, and hangs up: whatever is slow only once in a process is done then, and it is known
    /// how long a connection takes. A server that can't be reached is no error: the first call will say so.
    package func warmUp(for server: HTTPURL) async {
        for _ in 1...2 {
            let call = Call(HTTPRequest(.get, server), purpose: .connection, departure: Departure())
            guard case .success = await finish(call) else { return }
        }
    }

    /// How long before the moment at which it may leave a call should be here. Some of it is for the machine, which may
    /// have other things to do.
    package var lead: Duration { loop.currentOutlook.connectTime + .milliseconds(20) }

    /// How long it would take until a request left that came now.
    package var readyIn: Duration {
        let outlook = loop.currentOutlook
        return outlook.isWarm ? .zero : outlook.connectTime
    }

    /// Ends all calls and connections, and returns when the thread is gone.
    package func close() async {
        await withCheckedContinuation { loop.stop(then: $0) }
    }
}
