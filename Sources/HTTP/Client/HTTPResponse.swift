import CCurl
import Glibc

/// A server's response, whatever its status.
package struct HTTPResponse: Hashable, Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// The body, unpacked if it was compressed.
    package let body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// How long the server wants us to wait (RFC 9110, 10.2.3). Nil without a readable header.
    ///
    /// A date is compared with the server's own clock if the response has one, because its clock and ours may be hours
    /// apart. Otherwise it is compared with `now`, in seconds since 1970.
    package func retryAfter(now: Int = time(nil)) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int(text) {
            return seconds < 0 ? nil : .seconds(min(seconds, Self.longestDelay))
        }
        guard let date = Self.seconds(ofDate: text) else { return nil }
        let clock = headers["Date"].flatMap(Self.seconds(ofDate:)) ?? now
        let (wait, isOver) = date.subtractingReportingOverflow(clock)
        return .seconds(min(max(0, isOver ? 0 : wait), Self.longestDelay))
    }

    /// A year. A lane that is blocked for longer is in effect switched off.
    private static let longestDelay = 366 * 86_400

    private static func seconds(ofDate text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
