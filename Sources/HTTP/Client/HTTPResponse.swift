import CCurl
import Glibc

/// What a server answered, whatever its status.
package struct HTTPResponse: Hashable, Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// Unpacked, where it came compressed.
    package let body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// How long the server asks us to stay away (RFC 9110, 10.2.3). Nil where it says nothing that can be read.
    ///
    /// A date is compared with the server's own clock where the response shows it, for its clock and ours may be hours
    /// apart; else with `now`, in seconds since 1970.
    package func retryAfter(now: Int = time(nil)) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int(text) {
            return seconds < 0 ? nil : .seconds(min(seconds, Self.longestDelay))
        }
        guard let date = Self.seconds(ofDate: text) else { return nil }
        let clock = headers["Date"].flatMap(Self.seconds(ofDate:)) ?? now
        return .seconds(min(max(0, date - clock), Self.longestDelay))
    }

    /// A year. No server means more, and a lane blocked for longer is as good as switched off.
    private static let longestDelay = 366 * 86_400

    private static func seconds(ofDate text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
