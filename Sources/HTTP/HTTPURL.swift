import CCurl

/// An `http` or `https` URL.
///
/// Its description is only scheme and host, because the rest may contain a person's address or a key.
package struct HTTPURL: Hashable, Sendable {
    /// The whole URL, as it is sent.
    package let text: String
    package let scheme: String
    package let host: String
    package let port: Int
    private let path: String
    private let query: String?

    /// Nil unless it is a complete http or https URL without user name and password. Those belong in a header, which is
    /// not sent to another server after a redirect.
    package init?(_ text: String) {
        guard !text.utf8.contains(0), let parts = curl_url() else { return nil }
        defer { curl_url_cleanup(parts) }
        guard curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK,
            Self.part(CURLUPART_USER, of: parts) == nil, Self.part(CURLUPART_PASSWORD, of: parts) == nil,
            let scheme = Self.part(CURLUPART_SCHEME, of: parts), scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: parts), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: parts, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
            let path = Self.part(CURLUPART_PATH, of: parts)
        else { return nil }
        self.init(
            scheme: scheme, host: host.lowercased(), port: port, path: path,
            query: Self.part(CURLUPART_QUERY, of: parts))
    }

    /// The URL of a service in our source code.
    package init(known text: StaticString) {
        guard let url = Self("\(text)") else { preconditionFailure("\(text) is not a URL") }
        self = url
    }

    private init(scheme: String, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        text = Self.origin(scheme, host, port) + path + (query.map { "?\($0)" } ?? "")
    }

    /// Adds segments to the path, each percent-encoded, including its slashes.
    package func appending(path segments: String...) -> Self {
        let path = segments.reduce(path) { path, segment in
            path + (path.hasSuffix("/") ? "" : "/") + Self.encoded(segment)
        }
        return Self(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Adds items to the query, names and values percent-encoded. An item without a value is left out.
    package func appending(query items: KeyValuePairs<String, String?>) -> Self {
        let added = items.compactMap { name, value in value.map { "\(Self.encoded(name))=\(Self.encoded($0))" } }
        let query = ([query].compactMap { $0 } + added).joined(separator: "&")
        return Self(scheme: scheme, host: host, port: port, path: path, query: query.isEmpty ? nil : query)
    }

    /// True if the URL has a query.
    var hasQuery: Bool { query != nil }

    /// True for the same server, also after a change from http to https on the default ports.
    func isServedBySame(as other: Self) -> Bool {
        let isUpgrade = scheme == "https" && port == 443 && other.scheme == "http" && other.port == 80
        return host == other.host && (isUpgrade || (scheme == other.scheme && port == other.port))
    }

    /// The host for errors and logs, with its port if that is not the default.
    package var authority: String { String(Self.origin(scheme, host, port).dropFirst(scheme.count + 3)) }

    private static func origin(_ scheme: String, _ host: String, _ port: Int) -> String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)\(isUsual ? "" : ":\(port)")"
    }

    /// Percent-encodes every character but the unreserved ones of RFC 3986. A space and a plus are encoded too.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func part(_ part: CURLUPart, of parts: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension HTTPURL: CustomStringConvertible {
    package var description: String { Self.origin(scheme, host, port) }
}

extension String {
    /// All characters except the unreserved ones as `%XX`: https://www.rfc-editor.org/rfc/rfc3986#section-2.3
    package var percentEncoded: String {
        var encoded = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    /// The text with the bytes that each `%XX` encodes. Nil if a percent sign encodes nothing, or the result is not UTF-8.
    package var percentDecoded: String? {
        var (bytes, rest) = ([UInt8](), utf8[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
