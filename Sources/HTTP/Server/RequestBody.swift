/// The body of a request, as it comes in: a piece at a time, and no faster than it is taken.
package struct RequestBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = any Error

    /// The next piece; nil at the end. Throws ``BodyError`` where the client breaks off or sends too much.
    private let take: @Sendable () async throws -> [UInt8]?

    package init(_ take: @escaping @Sendable () async throws -> [UInt8]?) {
        self.take = take
    }

    /// A body that is here already.
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

    /// All of it, if it is no longer than `limit`.
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
    /// Answered with 413.
    case tooLong(limit: Int)
    /// It is not what gzip makes, or not all of it.
    case notGzip
    /// The client went away, or fell silent: no answer can be sent.
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
