/// What a client did to a body so that it is shorter: https://www.rfc-editor.org/rfc/rfc9110#section-8.4
extension ServerRequest {
    /// The names of the codings that were put on the body, the last one last.
    package var codings: [String] {
        headers.values("Content-Encoding").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { $0 != "identity" && !$0.isEmpty }
    }

    /// The request with the body as it was before. Nil where it has a coding that we don't know.
    ///
    /// Of the unpacked body no more than `limit` bytes are taken. A few bytes of gzip can stand for a thousand times as many, which
    /// no contacts do: what is over ``GzippedBody/mostForOne`` times as long is too long as well.
    package func decoded(upTo limit: Int) -> ServerRequest? {
        switch codings {
        case []: return self
        case ["gzip"], ["x-gzip"]:
            let gzipped = GzippedBody(body, limit: limit)
            var request = self
            request.body = RequestBody { try await gzipped.next() }
            return request
        default: return nil
        }
    }
}

/// A body that comes as gzip, unpacked no faster than it is taken.
actor GzippedBody {
    /// The most that a byte may stand for. Lines of contacts that differ in their number only come to 60.
    static let mostForOne = 200
    /// Where this begins to count: less harms nobody.
    private static let harmless = 1 << 20

    private let body: RequestBody
    private let limit: Int
    private var inflater = Inflater()
    private var received = 0
    private var unpacked = 0

    init(_ body: RequestBody, limit: Int) {
        self.body = body
        self.limit = limit
    }

    func next() async throws -> [UInt8]? {
        while true {
            if let piece = try inflater.next() {
                unpacked += piece.count
                let most = min(limit, max(Self.harmless, received * Self.mostForOne))
                guard unpacked <= most else { throw BodyError.tooLong(limit: most) }
                return piece
            }
            var source = body.makeAsyncIterator()
            guard let piece = try await source.next() else {
                try inflater.finish()
                return nil
            }
            received += piece.count
            inflater.add(piece)
        }
    }
}
