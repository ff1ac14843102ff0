import HTTP

/// A strong validator: it changes whenever a byte of the response changes.
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
struct ETag: Hashable, Sendable {
    /// Changes whenever the usual response changes. Writes are compared with it.
    let state: String
    /// Distinguishes other responses with the same state: with more columns, or compressed. Empty for the usual
    /// response.
    var variant = ""

    static func of(_ body: [UInt8]) -> ETag { ETag(state: Digest.identifier(of: body)) }

    /// The tag in the form of a header.
    var text: String { variant.isEmpty ? "\"\(state)\"" : "\"\(state)-\(variant)\"" }

    /// The tag of a response with this `body`, which shows the same state with other columns.
    func shown(as body: [UInt8]) -> ETag { ETag(state: state, variant: String(Digest.identifier(of: body).prefix(8))) }
}

extension ServerResponse {
    /// The response to a write. Its body is the one that a GET of `path` returns from now on.
    ///
    /// Without Content-Location the tag would be that of the client's own body, which is never stored unchanged:
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.4
    func showing(_ path: String) -> ServerResponse {
        var response = self
        response.headers["ETag"] = response.headers["ETag"] ?? ETag.of(bytes).text
        response.headers["Content-Location"] = path
        if status == 201 { response.headers["Location"] = path }
        return response
    }
}
