import Geocoding
import Processes
import Questions
import Queue
import Terminal
import Testing

@testable import Contacts
@testable import waypost

struct ForecastReportTests {
    private func report(new: Int, chain: Chain, lanes: [LaneOutlook]) -> String {
        var load = ChainLoad(along: chain)
        for _ in 0..<new { load.add(Address(city: "Reno")) }
        let outcome = DryRun.Outcome(
            contacts: 1_200, addresses: 1_100, distinct: new + 100, new: new, refused: 1, load: load,
            forecast: Forecast([load], lanes: lanes))
        let paper = Paper()
        ForecastReport(contents: outcome, work: nil).write(to: Screen { paper.write($0) })
        return paper.text
    }

    private func lane(_ name: String, limits: [String], price: String?) throws -> LaneOutlook {
        LaneOutlook(
            name, batch: 1, limits: try limits.map { LimitState(try #require(RateLimit(text: $0)), fullIn: 0) },
            price: price.flatMap(Price.init(text:)))
    }

    @Test func `the report has calls, time and money, from the least to the most`() throws {
        let chain = Chain([
            Chain.Link("nominatim", steps: [.structured]), Chain.Link("google", steps: [.structured, .withoutStreet]),
        ])
        let lanes = [
            try lane("nominatim", limits: ["1/s"], price: nil), try lane("google", limits: [], price: "5 USD"),
        ]
        #expect(
            report(new: 901, chain: chain, lanes: lanes) == """
                1,200 contacts with 1,100 addresses, 1,001 of them distinct: 100 known, 901 to ask for.
                1 row would be left out.
                LANE            CALLS  AT THE LIMITS  COST
                nominatim         901  15 min         unknown
                google     0 to 1,802  no limits      0.00 to 9.01 USD
                In all 901 to 2,703 calls, 15 min, 0.00 to 9.01 USD: the least if the first provider has every answer, \
                the most if every provider is called in every step.

                """)
    }

    @Test func `without questions, the report says that no call is needed`() {
        let text = report(new: 0, chain: Chain([Chain.Link("a")]), lanes: [])
        #expect(text.hasSuffix("No call is needed.\n"))
    }
}

/// Stores the text that is written to a screen.
private final class Paper: Sendable {
    private let written = Locked("")

    func write(_ text: String) { written.withLock { $0 += text } }
    var text: String { written.withLock { $0 } }
}
