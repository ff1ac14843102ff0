package import Access

extension TrafficCounts: Shaped {
    package static let shape = Shape<TrafficCounts>(
        "GatewayRequests", "Requests at the gateway, by the source of the answer."
    ) {
        Member("requests", example: 120) { $0.requests }
        Member("local", "Answered with data of our own.", example: 100) { $0[.local] }
        Member("cache", "With a stored answer.", example: 11) { $0[.cache] }
        Member("call", "After a call for which the request waited.", example: 4) { $0[.call] }
        Member("waiting", "The answer was not there in time.", example: 2) { $0[.waiting] }
        Member("missed", "There is no such place.", example: 2) { $0[.missed] }
        Member("refused", "With an error.", example: 1) { $0[.refused] }
    }
}

extension TokenTraffic: Shaped {
    package static let shape = Shape<TokenTraffic>("TokenTraffic", "The requests of a token at the gateway.") {
        Member("token", "Null for requests without a valid token.", example: 3) { $0.token }
        Member("name", "Of the token; empty without one.", example: "photos") { $0.name }
        Member("requests_per_second", example: 1.5) { $0.requestsPerSecond }.bounds(0)
        Including { $0.counts }
        Member(
            "p50_seconds", "Half of the requests that were not refused took at most this time; null without any.",
            example: .microseconds(400)
        ) { $0.counts.quantile(0.5) }
        Member("p99_seconds", "Of 100 requests, 99 took at most this time.", example: .milliseconds(30)) {
            $0.counts.quantile(0.99)
        }
    }
}

extension GatewayTraffic: Shaped {
    package static let shape = Shape<GatewayTraffic>("GatewayTraffic", "The requests at the gateway, by token.") {
        Member("as_of", "The database's clock, in seconds since 1970.", example: .seconds(1_795_169_700)) { $0.asOf }
        Member("seconds", "The length of the span, which begins with a full minute.", example: 80) { $0.seconds }
            .bounds(0)
        Member("tokens") { $0.tokens }
        Member("start", "When `minutes` begin, in seconds since 1970.", example: .seconds(1_795_166_160)) { $0.start }
        Member("minutes", "The requests of all these tokens in each minute of an hour; the last is not over yet.") {
            $0.minutes
        }
    }
}
