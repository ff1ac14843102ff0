/// What our server answers.
package struct ServerResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body
    /// For a stream that has no end of its own, such as one of events: a server that stops cancels its task at once
    /// and lets all others end.
    package var isEndless = false

    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written piece by piece while it goes out. It ends when the closure returns; a closure that throws cuts the
        /// connection, so that half an answer is not taken for a whole one.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
    }

    package init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body, where it is there at once: for tests.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}

/// Takes the pieces of a streamed answer.
package struct ResponseWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    package init(_ send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Sends a piece, and returns when there is room for the next. Throws when the client is gone or the server stops.
    package func write(_ bytes: [UInt8]) async throws {
        try await send(bytes)
    }
}
