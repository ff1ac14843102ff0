import HTTP

/// A strong validator: it changes when a byte of the answer does.
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
struct ETag: Hashable, Sendable {
    /// Changes whenever the usual answer does. By this a write is compared.
    let state: String
    /// Tells apart the other answers that show the same: with more columns, or compressed. Empty for the usual one.
    var variant = ""

    /// The first 128 bits of the body's SHA-256.
    static func of(_ body: [UInt8]) -> ETag { ETag(state: digits(of: body)) }

    /// As a header has it.
    var text: String { variant.isEmpty ? "\"\(state)\"" : "\"\(state)-\(variant)\"" }

    /// The text of a tag for the same answer as gzip.
    static func ofGzip(_ text: String) -> String { "\(text.dropLast())-gzip\"" }

    /// The tag of an answer of `body`, which shows with other columns what the tagged one shows.
    func shown(as body: [UInt8]) -> ETag { ETag(state: state, variant: String(Self.digits(of: body).prefix(8))) }

    private static func digits(of body: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let tag = Digest.sha256(body).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: tag, as: UTF8.self)
    }
}

extension ServerResponse {
    /// The answer to a write with what a GET of `path` answers from now on.
    ///
    /// Without Content-Location the tag would be that of what the client sent, which is never stored as it is:
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.4
    func showing(_ path: String) -> ServerResponse {
        var response = self
        response.headers["ETag"] = ETag.of(bytes).text
        response.headers["Content-Location"] = path
        if status == 201 { response.headers["Location"] = path }
        return response
    }
}
