/// The body of a request, read piece by piece as it arrives, and no faster than the handler reads.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = any Error

    /// The next piece; nil at the end. Throws ``BodyError`` if the client disconnects or sends too much.
    private let take: @Sendable () async throws -> [UInt8]?

    package init(_ take: @escaping @Sendable () async throws -> [UInt8]?) {
        self.take = take
    }

    /// A body that is already complete.
    package init(_ bytes: [UInt8]) {
        let piece = OnePiece(bytes)
        self.init { await piece.take() }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(take: take)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let take: @Sendable () async throws -> [UInt8]?

        package mutating func next() async throws -> [UInt8]? {
            try await take()
        }
    }

    /// The whole body, if it is no longer than `limit`.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self {
            guard bytes.count + piece.count <= limit else { throw BodyError.tooLong(limit: limit) }
            bytes += piece
        }
        return bytes
    }
}

package enum BodyError: Error, Equatable {
    /// The client gets a 413.
    case tooLong(limit: Int)
    /// The body is not gzip, or not a complete file.
    case notGzip
    /// The client disconnected or timed out: no response can be sent.
    case brokenOff
}

private actor OnePiece {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.isEmpty ? nil : bytes
    }

    func take() -> [UInt8]? {
        defer { bytes = nil }
        return bytes
    }
}
