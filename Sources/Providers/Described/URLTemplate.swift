import HTTP

/// A URL with names in braces in place of values: `https://example.org/search?q={line}`.
struct URLTemplate: Sendable {
    let names: Set<String>
    /// The server that it calls.
    let server: HTTPURL
    private let text: String
    /// True if an item of the query has several parts, with semicolons between them: `qq=street={street};city={city}`.
    let separatesParts: Bool

    static let parts: Set = ["street", "city", "region", "postcode", "country"]
    static let searchNames = parts.union(["line", "countryCode", "smallCountryCode", "countryName", "key"])
    static let reverseNames: Set = ["latitude", "longitude", "key"]

    /// Returns nil if the filled text is not a URL. Also returns nil if the host contains a value, because errors
    /// contain the host.
    init?(_ text: String) {
        self.text = text
        separatesParts = text.contains(";")
        names = Self.names(in: text)
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let host = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let server = HTTPURL(String(text[..<scheme.upperBound] + host)) else { return nil }
        self.server = server
        guard !host.contains("{"), filled(with: Dictionary(names.map { ($0, "x") }, uniquingKeysWith: { $1 })) != nil
        else {
            return nil
        }
    }

    /// Fills in the values. Query items with only blank values are left out: most services find nothing for `city=`.
    func filled(with values: [String: String]) -> HTTPURL? {
        let halves = text.split(separator: "?", maxSplits: 1)
        let items = halves.dropFirst().joined().split(separator: "&").compactMap { item -> String? in
            let start = item.firstIndex(of: "=").map(item.index(after:)) ?? item.startIndex
            let parts = item[start...].split(separator: ";", omittingEmptySubsequences: false).filter { part in
                let names = Self.names(in: String(part))
                return names.isEmpty || names.contains { values[$0] != nil }
            }
            if parts.isEmpty { return nil }
            let encoded = parts.map { separatesParts ? $0.replacing("=", with: "%3D") : $0 }
            return item[..<start] + Self.filled(encoded.joined(separator: "%3B"), with: values)
        }
        let path = Self.filled(String(halves[0]), with: values)
        let query = items.joined(separator: "&")
        return HTTPURL(query.isEmpty ? path : "\(path)?\(query)")
    }

    private static func filled(_ text: String, with values: [String: String]) -> String {
        names(in: text).reduce(text) { text, name in
            // Encoded values have no braces, so no value is filled in twice.
            text.replacing("{\(name)}", with: (values[name] ?? "").percentEncoded)
        }
    }

    static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /\{([^{}]*)\}/).map { String($0.1) })
    }
}
