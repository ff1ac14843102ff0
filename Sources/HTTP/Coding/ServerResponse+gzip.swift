extension ServerRequest {
    /// Returns whether the client accepts gzip and weights it at least as high as a plain response.
    /// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
    package var acceptsGzip: Bool {
        var weights: [String: Double] = [:]
        headers.eachElement(of: "Accept-Encoding") { element in
            let name = element.prefix { $0 != UInt8(ascii: ";") }.trimmed
            guard let known = ["gzip", "x-gzip", "identity", "*"].first(where: name.isNamed) else { return }
            let parts = element.split(separator: UInt8(ascii: ";")).dropFirst().map(\.trimmed)
            let weight = parts.first { $0.prefix(2).isNamed("q=") }.map {
                Double(String(decoding: $0.dropFirst(2), as: UTF8.self)) ?? 0
            }
            weights[known == "x-gzip" ? "gzip" : known] = weight ?? 1
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? 0
    }
}

extension ServerResponse {
    /// A shorter response fits in one or two packets uncompressed.
    private static let shortestWorth = 1_024

    /// True if gzip is worth its cost. It is not for a short response, and not for an endless one, whose pieces would
    /// be delayed.
    package var gainsFromGzip: Bool {
        switch body {
        case .bytes(let bytes): bytes.count >= Self.shortestWorth
        case .stream: !isEndless
        }
    }

    /// The ETag of the same response as gzip, which has other bytes.
    package static func tagOfGzip(_ tag: String) -> String { "\(tag.dropLast())-gzip\"" }

    /// The same response, compressed with gzip.
    package func gzipped() -> ServerResponse {
        var response = self
        response.headers["Content-Encoding"] = "gzip"
        switch body {
        case .bytes(let bytes):
            var deflater = Deflater()
            response.body = .bytes(deflater.deflate(bytes, isLast: true))
        case .stream(let write):
            response.body = .stream { writer in
                let gzip = GzipWriter(writer)
                try await write(ResponseWriter { try await gzip.write($0) })
                try await gzip.finish()
            }
        }
        return response
    }
}

extension ServerResponse {
    /// The same on Swift's own threads: the thread of the server serves all connections.
    package func gzippedElsewhere() async -> ServerResponse { await elsewhere { gzipped() } }
}

/// Sends pieces as gzip. If the body throws before its end, the gzip file is incomplete, and every client notices.
private actor GzipWriter {
    private let writer: ResponseWriter
    private var deflater = Deflater()

    init(_ writer: ResponseWriter) {
        self.writer = writer
    }

    func write(_ piece: [UInt8]) async throws {
        let packed = deflater.deflate(piece, isLast: false)
        if !packed.isEmpty { try await writer.write(packed) }
    }

    func finish() async throws {
        try await writer.write(deflater.deflate([], isLast: true))
    }
}
