import Glibc
package import HTTP
import JSON
import Processes

/// Posts JSON about locations or places to a URL, signed according to https://www.standardwebhooks.com.
package struct WebhookSink: LocationSink, HTTPCaller {
    package let http: HTTPClient
    /// The whole URL. Only scheme, host and port are printed, because the rest may contain a key.
    package let server: HTTPURL
    private let secret: WebhookSecret
    private let now: @Sendable () -> Double

    /// About 20 kB, the maximum that the specification recommends.
    package var most: Int { 100 }

    package var sender: (any HTTPCaller)? { self }
    package var signIn: FirebaseSignIn? { nil }

    /// `now` is the time in seconds since 1970.
    package init(
        url: HTTPURL, secret: WebhookSecret, http: HTTPClient, now: @escaping @Sendable () -> Double = { wallClock() }
    ) {
        server = url
        self.secret = secret
        self.http = http
        self.now = now
    }

    package func upload(_ parcel: Parcel) async throws(SinkError) {
        guard !parcel.locations.isEmpty else { return }
        try await post(message(parcel), id: parcel.id)
    }

    /// Posts a message that places have changed. Its receiver then reads the places over the API.
    package func tell(_ news: PlaceNews) async throws(SinkError) { try await post(news.message, id: news.id) }

    /// Posts a message that a file is done.
    package func tell(_ news: FileNews) async throws(SinkError) { try await post(news.message, id: news.id) }

    private func post(_ body: [UInt8], id: String) async throws(SinkError) {
        let now = now()
        let timestamp = Int(now)
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": "\(timestamp)",
            "webhook-signature": secret.signature(of: body, id: id, timestamp: timestamp),
        ]
        let request = HTTPRequest(.post, server, headers: headers, body: body)
        let response = try await http.answer(to: request, "the webhook")
        if let error = Self.error(response) { throw error }
    }

    /// Returns the same bytes in each attempt.
    private func message(_ parcel: Parcel) -> [UInt8] {
        let locations = parcel.last(by: \.key)
        return JSONWriter.bytes { json in
            json.object { json in
                json.member("type", "locations.changed")
                json.member("timestamp", Timestamp.text(parcel.changedAt))
                json.object("data") { json in
                    json.list("locations", locations.filter { !$0.isRemoved }) { $0.location($1) }
                    json.list("removed", locations.filter(\.isRemoved)) { $0.removal($1) }
                }
            }
        }
    }

    /// Returns nil if the receiver has accepted it.
    static func error(_ response: HTTPResponse) -> SinkError? {
        let reason = "the webhook answered \(response.status)"
        return switch response.status {
        case 200..<300: nil
        case 429: .busy(retryAfter: response.pause)
        case 503 where response.retryAfter() != nil: .busy(retryAfter: response.pause)
        case 401, 403: .denied(reason: "\(reason): it does not accept our signature, or wants more than that")
        case 410: .denied(reason: "\(reason): the receiver wants nothing more from us")
        // A receiver that is being deployed replies like this too. If it lasts, a person will see that the URL is
        // wrong.
        case 404, 405: .unavailable(reason: reason)
        // The receiver has not read the content.
        case 407, 408, 421, 425, 426: .unavailable(reason: reason)
        case 400..<500: .refused(reason: reason)
        default: .unavailable(reason: reason)
        }
    }
}

/// The time in seconds since 1970.
package func wallClock() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
