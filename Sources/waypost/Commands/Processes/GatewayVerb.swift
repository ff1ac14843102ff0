import Access
import Processes
import Shapes
import Terminal

extension Node {
    private struct GatewayInput: VerbInput {
        @Option("--last", "How far back.") var span: TrafficSpan = .minute
    }

    static let gateway = show(
        "gateway", GatewayInput.self, "Show the requests at the gateway by token.",
        """
        Counts the requests of programs at the doors over all coordinators, which add theirs every 5 seconds. LOCAL was \
        answered with data of our own, CACHE with a stored answer, CALL after a call. WAITING was not there in time, and \
        MISSED is nowhere. P50 and P99 are interpolated between powers of 2, and leave out what was refused.

          waypost gateway --last 1d
        """, look: { input, _, db in try GatewayTraffic.look(input.span, on: db) }, as: { $0 },
        write: { $0.write(to: $1) })
}

extension TrafficSpan: OptionValue {
    static var placeholder: String { "TIME" }
}

extension GatewayTraffic {
    fileprivate func write(to screen: Screen) {
        if tokens.isEmpty { return screen.writeLine("There was no request at the gateway.") }
        table.write(to: screen)
        screen.writeLine()
        screen.writeLine("\(Sparkline.text(minutes.map { Double($0.requests) }))  requests of the last hour")
    }

    var table: Table {
        func share(_ source: TrafficSource) -> @Sendable (TokenTraffic) -> String {
            { Readable.percent($0.counts[source], of: $0.counts.requests) }
        }
        func count(_ source: TrafficSource) -> @Sendable (TokenTraffic) -> String {
            { Readable.count($0.counts[source]) }
        }
        return Table(
            [
                .left("GATEWAY") { $0.token == nil ? "no token" : $0.name },
                .right("REQUESTS") { Readable.count($0.counts.requests) },
                .right("RATE") { Readable.rate($0.requestsPerSecond) },
                .right("LOCAL", share(.local)), .right("CACHE", share(.cache)), .right("CALL", share(.call)),
                .right("WAITING", count(.waiting)), .right("MISSED", count(.missed)),
                .right("REFUSED", count(.refused)),
                .right("P50") { $0.counts.quantile(0.5).map(Readable.duration) ?? "-" },
                .right("P99") { $0.counts.quantile(0.99).map(Readable.duration) ?? "-" },
            ], of: tokens)
    }
}
