package import HTTP
package import Operations

/// What the server of the API measures: the names, and what each is.
package struct APIInstruments: Sendable {
    private let requests: Family<Histogram>
    let overShare: Counter

    package init(_ metrics: Metrics) {
        requests = metrics.histogram(
            "waypost_http_request_duration_seconds",
            "From the head of a request to the end of its answer. A stream of events lasts as long as its client stays.",
            labels: "route", "method", "code", buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])
        overShare =
            metrics.counter(
                "waypost_http_requests_over_share_total",
                "Requests refused with 429, because their account had more under way than its share.")[]
    }

    /// Notes a request that is over. Its route is the pattern, and one that is none is not named.
    package func note(_ entry: AccessEntry) {
        requests[
            entry.route ?? "none", entry.method?.rawValue ?? "other", entry.status.map { "\($0)" } ?? "none"
        ].observe(entry.duration)
    }
}
