import HTTP
import SpellingTesting
import Testing
import Towns

/// The results and the cost of addresses in common spellings. docs/confidence.md has the numbers that this prints.
@Suite(.realNominatim, .serialized, .timeLimit(.minutes(10)))
struct HardSpellingTests {
    @Test func `most hard spellings are found with little more than one call, and none in a wrong place`()
        async throws
    {
        let server = try #require(RealNominatim.running)
        let houses = try await server.houses()
        try #require(houses.count > 300)
        let mending = TownMender()
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        var numbers = SeededNumbers(seed: 11)
        var report = SpellingReport()
        let known = try server.searches().count
        let provider = server.provider(client)
        for spelling in [HardSpelling.plain] + HardSpelling.all {
            // As many houses of the small towns as of the city.
            let spelt = ["LI", "FI"].flatMap { country in
                houses.filter { $0.country == country }.shuffled(using: &numbers).lazy
                    .compactMap { house in spelling.spell(house, &numbers).map { (house, $0) } }.prefix(10)
            }
            for (house, address) in spelt {
                let asking = Asking(address, of: provider, mending)
                let (turn, calls) = try await asking.end()
                report.note(spelling, house, turn, calls: calls)
            }
        }
        await client.close()
        report.write()
        #expect(try server.searches().count - known == report.calls)
        #expect(report.hard.total >= 500)
        #expect(Double(report.hard.right) / Double(report.hard.total) >= 0.85)
        #expect(report.wrong == 0)
        let sure = try #require(report.points[9])
        #expect(sure.near * 10 >= sure.all * 9)
        #expect(Double(report.calls) / Double(report.total) <= 1.3)
    }
}
