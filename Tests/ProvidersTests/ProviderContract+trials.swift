import Geocoding
import HTTPTesting

extension ProviderContract.Trial {
    static let all: [Self] = statuses + hostile + coordinates + questions + [extremeNumbers]

    /// Each number of the reply that is found, and of its headers, in turn. The process lives on.
    private static let extremeNumbers = Self("extreme numbers", .anything) { .json($0.found) }

    private static let statuses: [Self] =
        [
            Self("found", .found) { .json($0.found) },
            Self("house number and postcode as numbers", .found) { .json($0.foundInNumbers) },
            Self("not found", .notFound) { $0.notFound },
            Self("quota used up", .quota) { $0.quota },
            Self("429 with seconds", .busy(.seconds(7))) { _ in .status(429, [("Retry-After", "7")]) },
            Self("429 with a date", .busy(.seconds(60))) { _ in
                .status(
                    429,
                    [
                        ("Date", "Wed, 21 Oct 2015 07:27:00 GMT"), ("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),
                    ])
            },
            Self("429 without a time", .busy(.seconds(60))) { _ in .status(429) },
        ]
        + [400, 422].map { status in Self("\(status)", .refused) { _ in .json("{}", status: status) } }
        + [401, 403].map { status in Self("\(status)", .unauthorized) { _ in .json("{}", status: status) } }
        + [408, 500, 502, 503].map { status in Self("\(status)", .unavailable) { _ in .json("secret", status: status) }
        }

    private static let hostile: [Self] = [
        Self("JSON cut off", .unavailable) { .json(String($0.found.dropLast($0.found.count / 2))) },
        Self("a body shorter than promised", .unavailable) { .truncated($0.found, promising: 1 << 20) },
        Self("a page of HTML with 200", .unavailable) { _ in .json("<html>Log in, secret</html>", type: "text/html") },
        Self("nothing with 200", .unavailable) { _ in .status(200) },
        Self("null", .unavailable) { _ in .json("null") },
        Self("wrong types", .unavailable) { _ in .json(#"[{"lat": {}, "results": 5, "features": "secret"}]"#) },
        Self("a number", .unavailable) { _ in .json("42") },
        Self("50 MB", .unavailable) {
            // JSON may end in any number of spaces.
            .status(200, body: Array($0.found.utf8) + [UInt8](repeating: 0x20, count: 50 << 20))
        },
        Self("a slow trickle", .unavailable, within: .milliseconds(100)) {
            .trickle($0.found, every: .milliseconds(50))
        },
        Self("silence", .unavailable, within: .milliseconds(100)) { _ in .hang },
        Self("a hang-up", .unavailable) { _ in .close },
        Self("a redirect loop", .unavailable) { _ in .redirect(to: "/again?key=secret") },
        Self("a redirect to another host", .unavailable) {
            .redirect(to: "http://localhost:\($0.strangersPort)/?key=secret")
        },
    ]

    private static let coordinates: [Self] =
        [
            Self("coordinates as strings", .located(onEarth)) { .json($0.bodyAt(#""60.5""#, #""24.5""#)) },
            Self("coordinates as numbers", .located(onEarth)) { .json($0.bodyAt("60.5", "24.5")) },
        ]
        + [
            ("91", "24.5"), ("60.5", "181"), ("-170.2", "60.1"), (#""NaN""#, "24.5"), (#""secret""#, "24.5"),
            ("null", "24.5"),
        ].map {
            latitude, longitude in
            Self("coordinates \(latitude), \(longitude)", .unavailable) { .json($0.bodyAt(latitude, longitude)) }
        }

    private static let questions: [Self] = [
        Self("a blank address", .refused, asking: .blankAddress) { .json($0.found) },
        Self("a coordinate and 429", .busy(.seconds(7)), asking: .coordinate) { _ in
            .status(429, [("Retry-After", "7")])
        },
        Self("a coordinate and 503", .unavailable, asking: .coordinate) { _ in .json("secret", status: 503) },
        Self("a coordinate and a page of HTML", .unavailable, asking: .coordinate) { _ in
            .json("<html>Log in, secret</html>", type: "text/html")
        },
        Self("a coordinate and wrong types", .unavailable, asking: .coordinate) { _ in
            .json(#"[{"lat": {}, "results": 5, "features": "secret"}]"#)
        },
    ]

    static var onEarth: Coordinate {
        guard let coordinate = Coordinate(latitude: 60.5, longitude: 24.5) else { preconditionFailure("not on Earth") }
        return coordinate
    }
}

extension ProviderContract {
    /// ``found`` with the digits of house number and postcode as JSON numbers, where that is possible.
    fileprivate var foundInNumbers: String {
        [candidate.placemark.subThoroughfare, candidate.placemark.postalCode].compactMap(\.self)
            .filter { $0.allSatisfy(\.isNumber) && !$0.hasPrefix("0") }
            .reduce(found) { body, digits in body.replacing("\"\(digits)\"", with: digits) }
    }
}
