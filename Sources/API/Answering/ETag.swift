import Geocoding
import HTTP

/// A strong validator: it changes when a byte of the answer does.
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
enum ETag {
    /// The first 128 bits of the body's SHA-256, quoted.
    static func of(_ body: [UInt8]) -> String {
        let digits = SHA256.digest(of: body).prefix(4).map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }
        return "\"\(digits.joined())\""
    }

    /// Whether the client has this answer already. If-None-Match compares weakly, for proxies weaken what they compress.
    static func isKnown(_ tag: String, by request: ServerRequest) -> Bool {
        request.headers.fields.contains { field in
            field.name.lowercased() == "if-none-match"
                && field.value.split(separator: ",").contains { named in
                    let named = named.drop { $0 == " " }.prefix { $0 != " " }
                    return named == "*" || (named.hasPrefix("W/") ? named.dropFirst(2) : named) == tag
                }
        }
    }
}
