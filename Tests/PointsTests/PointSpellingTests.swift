import DatabaseTesting
import Formats
import Foundation
import Geocoding
import Points
import Postgres
import Questions
import SpellingTesting
import Testing
import Towns

/// The houses of the sample in hard spellings. docs/confidence.md has the numbers that this prints.
@Suite(.database)
struct PointSpellingTests {
    @Test func `most hard spellings of a house are found among its points, and no invented address is`() async throws {
        let database = try Database.test
        let points = try sample()
        try await load(points, into: database)
        let provider = try #require(try await database.provider())
        let mending = TownMender()
        var numbers = SeededNumbers(seed: 11)
        var report = SpellingReport()
        let houses = Self.houses(points)
        for spelling in [HardSpelling.plain] + HardSpelling.all + HardSpelling.streetTypos {
            for country in ["LI", "FI"] {
                let spelt = houses.filter { $0.country == country }.shuffled(using: &numbers).lazy
                    .compactMap { house in spelling.spell(house, &numbers).map { (house, $0) } }.prefix(40)
                for (house, address) in spelt {
                    let (turn, calls) = try await Asking(address, of: provider, mending).end()
                    report.note(spelling, house, turn, calls: calls)
                }
            }
        }
        report.write()
        #expect(report.hard.total > 1_500)
        #expect(Double(report.hard.right) / Double(report.hard.total) >= 0.97)
        #expect(Double(report.wrong) / Double(report.total) <= 0.002)
        #expect(report.inventedAndLocated == 0)
    }

    @Test func `a house that the data lacks is near its neighbours, or only its street is found`() async throws {
        let database = try Database.test
        let points = try sample()
        let lacking = Set(stride(from: 2, to: points.count, by: 5))
        try await load(points.indices.filter { !lacking.contains($0) }.map { points[$0] }, into: database)
        let provider = try #require(try await database.provider())
        let mending = TownMender()
        var (counts, far): ([Precision: Int], Int) = ([:], 0)
        let houses = Self.houses(lacking.sorted().map { points[$0] })
        for house in houses {
            let (turn, _) = try await Asking(house.address, of: provider, mending).end()
            guard case .located(let place) = turn else { continue }
            counts[place.precision, default: 0] += 1
            let isHouse = place.precision < .street
            if isHouse, house.places[0].distance(to: place.placemark.coordinate) > 200 { far += 1 }
        }
        print("| houses that the data lacks: \(houses.count) | \(counts) | over 200 m: \(far)")
        let interpolated = counts[.interpolated, default: 0]
        #expect(interpolated > 20)
        #expect(Double(far) <= Double(interpolated) / 10)
    }

    private func sample() throws -> [AddressPoint] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../deploy/sample/points.csv.gz")
        var file = try PointFile(path: path.standardizedFileURL.path)
        var points: [AddressPoint] = []
        _ = try file.forEach { points.append($0) }
        return points
    }

    /// The houses with a plain number.
    private static func houses(_ points: [AddressPoint]) -> [MappedHouse] {
        points.filter { Int($0.number) != nil }.map { point in
            MappedHouse(
                street: point.street, number: point.number, city: point.city, postcode: point.postcode,
                country: point.countryCode, places: [point.coordinate])
        }
    }
}
