/// Reads the content coding of a request's body: https://www.rfc-editor.org/rfc/rfc9110#section-8.4
extension ServerRequest {
    /// The request with its body decoded. Nil if its coding is unknown.
    ///
    /// Reading fails after `limit` unpacked bytes. A few bytes of gzip can unpack into a thousand times as many, which
    /// contacts never do. So a body that grows by more than ``GzippedBody/mostForOne`` is refused too.
    package func decoded(upTo limit: Int) -> ServerRequest? {
        var (isKnown, isGzip) = (true, false)
        headers.eachElement(of: "Content-Encoding") { coding in
            if coding.isNamed("identity") { return }
            isKnown = isKnown && !isGzip && (coding.isNamed("gzip") || coding.isNamed("x-gzip"))
            isGzip = true
        }
        switch (isKnown, isGzip) {
        case (true, false): return self
        case (true, true):
            let gzipped = GzippedBody(body, limit: limit)
            var request = self
            request.body = RequestBody { try await gzipped.next() }
            return request
        case (false, _): return nil
        }
    }
}

/// A gzip body that is unpacked only as fast as it is read.
actor GzippedBody {
    /// The highest permitted ratio of compression. Lines of contacts that differ only in a number reach 60.
    static let mostForOne = 200
    /// The ratio is checked only above this size, because a smaller body is harmless.
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
