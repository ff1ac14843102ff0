/// A response of our server.
package struct ServerResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body
    /// True for a stream without an end, such as events. A server that stops cancels the task of such a stream at once,
    /// and lets all others end.
    package var isEndless = false

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written piece by piece while it is sent. It ends when the closure returns. If the closure throws, the
        /// connection is cut, so that the client doesn't take the part for the whole.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
    }

    package init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body, if it is not a stream: for tests.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}

/// Takes the pieces of a streamed response.
package struct ResponseWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    package init(_ send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Sends a piece, and returns when there is room for the next one. Throws if the client is gone or the server
    /// stops.
    package func write(_ bytes: [UInt8]) async throws {
        try await send(bytes)
    }
}
