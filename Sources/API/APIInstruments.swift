package import Access
import Gateway
package import HTTP
import Locations
package import Processes

/// The metrics of the API server.
package struct APIInstruments: Sendable {
    private let requests: Family<Histogram>
    private let refusedFixes: Family<Counter>
    private let gateway: Family<Histogram>
    let overShare: Counter
    package let traffic = TrafficCounter()

    package init(_ metrics: Metrics) {
        requests = metrics.histogram(
            "waypost_http_request_duration_seconds",
            "From the head of a request to the end of its answer. A stream of events lasts as long as its client stays.",
            labels: "route", "method", "code", buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])
        refusedFixes = metrics.counter(
            "waypost_fixes_refused_total",
            "Positions that phones sent and that were not kept. One that is sent again counts again.",
            labels: "reason")
        gateway = metrics.histogram(
            "waypost_gateway_request_duration_seconds",
            "Requests at the doors of the gateway, by the name of the token, and by how the answer was found: local, "
                + "cache, call, waiting (it was not there in time), missed (there is no such place), or refused.",
            labels: "token", "source",
            buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30])
        // A counter must exist with 0 before its first refusal. Otherwise Prometheus sees no increase.
        for reason in FixRefusal.allCases { _ = refusedFixes[reason.rawValue] }
        overShare =
            metrics.counter(
                "waypost_http_requests_over_share_total",
                "Requests refused with 429, because their account had more under way than its share.")[]
    }

    func note(refused: [FixRefusal: Int]) {
        for (reason, count) in refused { refusedFixes[reason.rawValue].add(count) }
    }

    /// Records a request of the gateway. Without an answer it was refused.
    func note(gateway answer: GatewayAnswer?, of caller: Caller?, after duration: Duration) {
        let found = answer.flatMap { TrafficSource(rawValue: $0.source.rawValue) }
        // A client that has left did not wait for its answer.
        let source = answer?.isMiss == true ? .missed : found ?? (Task.isCancelled ? .waiting : .refused)
        gateway[caller?.tokenName ?? "none", source.rawValue].observe(duration)
        traffic.add(source, of: caller, after: duration)
    }

    /// Records a finished request by the pattern of its route, or as "none" if no route matched.
    package func note(_ entry: AccessEntry) {
        requests[
            entry.route ?? "none", entry.method?.rawValue ?? "other", entry.status.map { "\($0)" } ?? "none"
        ].observe(entry.duration)
    }
}
