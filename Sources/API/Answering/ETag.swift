import HTTP

/// A strong validator: it changes when a byte of the answer does.
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
enum ETag {
    /// The first 128 bits of the body's SHA-256, quoted.
    static func of(_ body: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let tag = Digest.sha256(body).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\"\(String(decoding: tag, as: UTF8.self))\""
    }

    /// Whether the client has this answer already. If-None-Match compares weakly, for proxies weaken what they compress.
    static func isKnown(_ tag: String, by request: ServerRequest) -> Bool {
        request.headers.values("If-None-Match").contains { known in
            known.split(separator: ",").contains { named in
                let named = named.drop(while: isSpace).prefix { !isSpace($0) }
                return named == "*" || (named.hasPrefix("W/") ? named.dropFirst(2) : named) == tag
            }
        }
    }

    /// What may stand beside a comma: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3
    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}
