/// Asks HTTP servers. A process has one, which all its providers share.
///
/// All transfers live on one thread, which waits for all of them at once, so a thousand calls cost a thousand sockets
/// at most and never a thread. Connections are kept and used again. Proxies are those of the environment: `https_proxy`,
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
        /// How many calls, and so connections, one server gets at a time. The others wait for their turn.
        package var callsPerHost = 32
        /// A file of certificates to trust instead of the system's.
        package var certificateAuthorities: String?

        package init(userAgent: String) {
            self.userAgent = userAgent
        }
    }

    private let loop: TransferLoop

    package init(_ options: Options) {
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
    /// A cancelled task hangs up at once.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard request.headers.fields.allSatisfy(\.isSendable) else {
            throw HTTPError(
                kind: .unsendable, host: request.url.authority, reason: "a header has a line break or the like in it")
        }
        let call = Call(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { loop.hand(.begin(call, $0)) }
        } onCancel: {
            loop.hand(.cancel(call))
        }
        return try result.get()
    }

    /// Ends all calls and connections, and returns when the thread is gone.
    package func close() async {
        await withCheckedContinuation { loop.stop(then: $0) }
    }
}
