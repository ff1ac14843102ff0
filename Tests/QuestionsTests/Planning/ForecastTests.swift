import Geocoding
import Queue
import Testing

@testable import Questions

/// The expected values were computed by hand.
struct ForecastTests {
    private let reno = Address(street: "1 Main St", city: "Reno", country: "US")
    private let berlin = Address(street: "Allee 1", city: "Berlin", country: "Germany")

    private func lane(
        _ name: String, batch: Int = 1, limits: [String] = [], price: String? = nil, waiting: Int = 0,
        blockedSeconds: Double = 0, isPaused: Bool = false
    ) throws -> LaneOutlook {
        LaneOutlook(
            name, batch: batch,
            limits: try limits.map { LimitState(try #require(RateLimit(text: $0)), fullIn: 0) },
            price: try price.map { try #require(Price(text: $0)) }, waiting: waiting, blockedSeconds: blockedSeconds,
            isPaused: isPaused)
    }

    private func load(_ chain: Chain, _ addresses: (Address, Int)...) -> [ChainLoad] {
        var load = ChainLoad(along: chain)
        for (address, count) in addresses { for _ in 0..<count { load.add(address) } }
        return [load]
    }

    @Test func `with one link and one address a call, each question takes one call up to one for each step`() throws {
        let chain = Chain([Chain.Link("nominatim")])
        let forecast = Forecast(
            load(chain, (reno, 10)), lanes: [try lane("nominatim", limits: ["1/s"], price: "5 USD", waiting: 3)]
        )

        #expect(forecast.calls == 10...60)
        // The first call starts at once, and three calls already wait there.
        #expect(forecast.time == .seconds(12)...Duration.seconds(62))
        #expect(forecast.costs == ["USD": 0.05...0.3])
    }

    @Test func `only steps that both the link and the provider support are counted`() throws {
        let all = Chain([Chain.Link("a")])
        let few = Chain([Chain.Link("a", steps: [.structured, .withoutStreet])])
        let lanes = [try lane("a")]
        let (structured, freeForm) = (ProviderTerms(forms: [.structured]), ProviderTerms(forms: [.freeForm]))
        for (chain, terms, most) in [
            (all, ["a": structured], 5), (all, ["a": freeForm], 5), (all, ["b": freeForm], 6),
            (few, [:], 2), (few, ["a": freeForm], 1),
            (Chain([Chain.Link("a", steps: [.freeForm])]), ["a": structured], 1),
            (all, ["a": ProviderTerms(finest: .city)], 1),
            (all, ["a": ProviderTerms(steps: [.structured, .freeForm])], 2),
        ] as [(Chain, [String: ProviderTerms], Int)] {
            #expect(Forecast(load(chain, (reno, 1)), lanes: lanes, terms: terms).calls == 1...most)
        }
    }

    @Test func `a call has a full batch, and the last call the rest`() throws {
        let chain = Chain([Chain.Link("gazetteer", steps: [.structured]), Chain.Link("photon", steps: [.freeForm])])
        let forecast = Forecast(
            load(chain, (reno, 1_001)),
            lanes: [
                try lane("gazetteer", batch: 500, price: "0 EUR"),
                try lane("photon", limits: ["10/s:burst=1"], price: "2 EUR"),
            ])

        #expect(forecast.lanes.map(\.calls) == [3...3, 0...1_001])
        #expect(forecast.calls == 3...1_004)
        #expect(forecast.lanes[0].time == nil)
        #expect(forecast.time == .zero...Duration.seconds(100))
        #expect(forecast.costs == ["EUR": 0...2.002])
    }

    @Test func `links for other countries are not counted`() throws {
        let chain = Chain([
            Chain.Link("census", countries: ["US"], steps: [.structured]),
            Chain.Link("photon", countries: ["DE", "US"], below: 0.5, steps: [.freeForm]),
            Chain.Link("census", countries: ["US"], steps: [.withoutStreet]),
        ])
        let forecast = Forecast(
            load(chain, (reno, 3), (berlin, 2)), lanes: [try lane("census"), try lane("photon", price: "1000 USD")])

        #expect(forecast.lanes.map(\.name) == ["census", "photon"])
        #expect(forecast.lanes.map(\.calls) == [3...6, 2...5])
        #expect(forecast.costs == ["USD": 2...5])
        #expect(forecast.lanes[0].price == nil)
    }

    @Test func `a blocked lane begins later, and a paused one is named`() throws {
        let chain = Chain([Chain.Link("a", steps: [.structured]), Chain.Link("b", steps: [.structured])])
        let forecast = Forecast(
            load(chain, (reno, 3)),
            lanes: [
                try lane("a", limits: ["1/s"], blockedSeconds: 60),
                try lane("b", limits: ["1/min"], isPaused: true),
            ])

        #expect(forecast.lanes.map(\.isPaused) == [false, true])
        #expect(forecast.lanes[0].time == .seconds(62)...Duration.seconds(62))
        #expect(forecast.lanes[1].time == .zero...Duration.seconds(120))
    }

    @Test func `without questions the cost is zero, whatever the backlog`() throws {
        let chain = Chain([Chain.Link("a")])
        let forecast = Forecast(
            load(chain), lanes: [try lane("a", limits: ["1/s"], price: "5 USD", waiting: 1_000)])

        #expect(forecast.calls == 0...0)
        #expect(forecast.time == .zero...Duration.zero)
        #expect(forecast.costs == ["USD": 0...0])
    }

    @Test(arguments: ["5", "USD", "5 dollars", "-1 USD", "nan USD", "5 US1", "5 USD x", "inf EUR"])
    func `a text that is not a price is refused`(text: String) {
        #expect(Price(text: text) == nil)
    }
}
