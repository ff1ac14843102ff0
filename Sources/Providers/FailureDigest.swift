import HTTP
import JSON

/// Extracts a few words from the body of a reply that explain why a service refused a call.
///
/// A body may repeat the query, or contain an address that the service found. So only words of a fixed list are kept,
/// none of which is part of an address. Other words become "…".
enum FailureDigest {
    /// `answered 403: access blocked … usage policy`
    static func words(of response: HTTPResponse) -> String {
        let text = String(decoding: response.body.prefix(4_000), as: UTF8.self)
        let isPage = isPage(response.body)
        let said = isPage ? title(of: text) : message(in: response.body) ?? text
        let digest = digest(said)
        return "answered \(response.status)" + (isPage ? " with an HTML page" : "")
            + (digest.isEmpty ? "" : ": \(digest)")
    }

    /// True for HTML, or another text with tags. No service sends answers in that form.
    static func isPage(_ body: [UInt8]) -> Bool {
        body.first { $0 > UInt8(ascii: " ") && $0 < 0x80 } == UInt8(ascii: "<")
    }

    /// Returns the words of the list, in their order, up to the length of a line.
    static func digest(_ text: String) -> String {
        var words: [String] = []
        for word in text.split(whereSeparator: { !$0.isLetter }).prefix(200) {
            let word = word.lowercased()
            let isKnown = telling.contains(word) || joining.contains(word)
            if !isKnown, words.last == "…" { continue }
            words.append(isKnown ? word : "…")
            if words.count == 14 { break }
        }
        while let first = words.first, first == "…" || joining.contains(first) { words.removeFirst() }
        while let last = words.last, last == "…" || joining.contains(last) { words.removeLast() }
        return words.joined(separator: " ")
    }

    private static func title(of page: String) -> String {
        let lowered = page.lowercased()
        guard let start = lowered.firstRange(of: "<title>")?.upperBound,
            let end = lowered[start...].firstRange(of: "</title>")?.lowerBound
        else { return "" }
        return String(lowered[start..<end])
    }

    /// The members that contain the message of an error.
    private static let members = [
        "error_message", "message", "error_description", "detail", "error", "errors", "title", "msg",
    ]

    private static func message(in body: [UInt8]) -> String? {
        var value = try? JSONValue(parsing: body)
        for _ in 0..<4 {
            if let text = value?.text { return text }
            value =
                value?.list?.first ?? value?.object.flatMap { object in members.lazy.compactMap { object[$0] }.first }
        }
        return nil
    }

    private static let joining: Set<String> = Set(
        "a an and are be been by cannot do does for found has have in is it no not of or the this to too was with you your"
            .split(separator: " ")
            .map(String.init))

    private static let telling: Set<String> = Set(
        """
        absolute access account allowed api app application authentication authorization authorized balance banned billing blocked browser \
        bulk busy captcha challenge client connection cookies credentials credit daily database denied disabled email enable enabled error \
        exceeded exceptional exhausted expired failed failure forbidden gateway header heavy html http https identify identifying \
        incorrect internal invalid ip javascript key license licence limit limited limits locked login maintenance many maximum memory \
        method missing monthly obtained overload overloaded paid parameter payment per permission permitted plan policy project provided \
        proxy quota rate referer referrer reached refused rejected request requests required restricted retry server service \
        sign signature ssl subscription suspended temporarily temporary terms throttled timed timeout tls token traffic unauthorized \
        unavailable unknown unreachable unsupported unusual upgrade upstream usage use user agent using valid violation wait wrong
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
