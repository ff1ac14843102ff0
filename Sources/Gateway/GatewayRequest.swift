import Geocoding
package import HTTP

/// A request to a door.
package struct GatewayRequest: Sendable {
    package let method: ServerRequest.Method
    /// The path behind the door's own, without a slash at the end.
    package let path: [String]
    package let headers: HTTPHeaders
    let items: [(name: String, value: String)]

    package init(_ request: ServerRequest, path: [String]) {
        method = request.method
        self.path = path.last == "" ? path.dropLast() : path
        headers = request.headers
        items = request.query
    }

    /// The last value of this name; nil if it is missing or empty.
    subscript(name: String) -> String? {
        items.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    func values(_ name: String) -> [String] { items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

    /// The path and those of the parameters that have one of these names, sorted and percent-encoded, with the language
    /// of the header: equal requests are equal texts.
    func sorted(_ names: Set<String>) -> String {
        var given = names.sorted().compactMap { name in self[name].map { (name, text(name) ?? $0) } }
        if !given.contains(where: { $0.0 == "accept-language" }), let tags = headers["Accept-Language"] {
            given.append(("accept-language", String(tags.prefix(Self.mostLetters))))
        }
        let endpoint = path.last?.prefix { $0 != "." } ?? ""
        return "\(endpoint)?" + given.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    }

    func isGiven(_ name: String) -> Bool { self[name] != nil }

    /// Everything but `0` is true.
    func flag(_ name: String, byDefault value: Bool = false) -> Bool { self[name].map { $0 != "0" } ?? value }

    /// A text without white space at its ends; nil if nothing is left.
    func text(_ name: String) -> String? {
        guard let text = self[name]?.split(whereSeparator: \.isWhitespace).joined(separator: " "), !text.isEmpty else {
            return nil
        }
        return Normalization.composed(String(text.prefix(Self.mostLetters)))
    }

    private static let mostLetters = 1_000

    /// A finite number; nil if it is missing, and a refusal by `sentence` if it is something else.
    func number(_ name: String, or sentence: String) throws(GatewayRefusal) -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = Double(text), number.isFinite else { throw GatewayRefusal(400, sentence) }
        return number
    }

    func whole(
        _ name: String, in range: ClosedRange<Int>, byDefault value: Int, or sentence: String
    ) throws(GatewayRefusal) -> Int {
        guard let text = self[name] else { return value }
        guard let number = Double(text), number.isFinite else { throw GatewayRefusal(400, sentence) }
        return min(max(Int(number.clamped(to: -1e6...1e6)), range.lowerBound), range.upperBound)
    }

    /// The preferred language; nil if none is asked for.
    var language: Language? {
        let tags = self["accept-language"] ?? self["lang"] ?? headers["Accept-Language"]
        guard let first = tags?.split(separator: ",").first else { return nil }
        let tag = first.prefix { $0 != ";" }.filter { $0 != " " }
        return tag.isEmpty || tag == "*" || tag == "default" ? nil : Language(tag)
    }

    /// The coordinate of a reverse question.
    func coordinate(missing: (String) -> String, notNumber: (String) -> String) throws(GatewayRefusal)
        -> GatewayQuery.Subject
    {
        var degrees: [Double] = []
        for name in ["lat", "lon"] {
            guard let number = try number(name, or: notNumber(name)) else {
                throw GatewayRefusal(400, missing(name))
            }
            degrees.append(number)
        }
        return Coordinate(latitude: degrees[0], longitude: degrees[1]).map { .coordinate($0) } ?? .nothing
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
