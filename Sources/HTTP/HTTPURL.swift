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
            path + (path.hasSuffix("/") ? "" : "/") + segment.percentEncoded
        }
        return Self(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Adds items to the query, names and values percent-encoded. An item without a value is left out.
    package func appending(query items: KeyValuePairs<String, String?>) -> Self {
        let added = items.compactMap { name, value in value.map { "\(name.percentEncoded)=\($0.percentEncoded)" } }
        let query = ([query].compactMap { $0 } + added).joined(separator: "&")
        return Self(scheme: scheme, host: host, port: port, path: path, query: query.isEmpty ? nil : query)
    }

    /// Adds items that are encoded already: `a=1&b=%20`.
    package func appending(encodedQuery added: some StringProtocol) -> Self {
        let query = query.map { "\($0)&\(added)" } ?? String(added)
        return Self(scheme: scheme, host: host, port: port, path: path, query: query)
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
