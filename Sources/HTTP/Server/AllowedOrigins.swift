/// The sites whose pages may read responses (CORS): https://fetch.spec.whatwg.org/#http-cors-protocol
///
/// Such a page can't use cookies, so it needs a token.
package struct AllowedOrigins: Sendable {
    /// Nil means every site.
    private let origins: Set<String>?

    /// How long a browser may cache the response to a preflight request, in seconds.
    private static let lifetime = 600

    /// Reads origins such as `https://app.example.org` with commas between them, or `*`. The pages of an app's web view
    /// come from an origin such as `capacitor://localhost`. Nil if one of them is not an origin.
    package init?(_ text: String) {
        let words = text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        guard words != ["*"] else {
            origins = nil
            return
        }
        guard !words.isEmpty,
            words.allSatisfy({ $0.wholeMatch(of: #/(https?|capacitor|ionic|tauri):\/\/[a-z0-9._\-\[\]:]+/#) != nil })
        else {
            return nil
        }
        origins = Set(words)
    }

    /// The CORS headers of each response to this request. They grant access only if an allowed page sent the request.
    func fields(for headers: HTTPHeaders) -> HTTPHeaders {
        guard let origin = headers["Origin"] else { return origins == nil ? [:] : ["Vary": "Origin"] }
        guard let origins else {
            return ["Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*"]
        }
        guard origins.contains(origin.lowercased()) else { return ["Vary": "Origin"] }
        return [
            "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": "*", "Vary": "Origin",
        ]
    }

    /// The headers of the response to a preflight request.
    static func permitting(_ methods: String, _ fields: HTTPHeaders, to headers: HTTPHeaders) -> HTTPHeaders {
        guard fields["Access-Control-Allow-Origin"] != nil, headers["Access-Control-Request-Method"] != nil else {
            return fields
        }
        var fields = fields
        fields["Access-Control-Allow-Methods"] = methods
        fields["Access-Control-Allow-Headers"] = headers["Access-Control-Request-Headers"]
        fields["Access-Control-Max-Age"] = "\(lifetime)"
        return fields
    }
}
