import DatabaseTesting
import Formats
import Geocoding
import MapTesting
import Postgres
import Questions
import Testing
import Towns

@testable import Points

/// The right country on both sides of a border. The border of Liechtenstein in the sample map is the truth, but for 20
/// metres: the map is of 2013, and that of the countries of 2023.
@Suite(.database)
struct BorderTests {
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let isAbroad: BorderCheck = { CountryMap.shared.isAbroad($0, from: $1) }

    /// Points at most two kilometres from the border, with whether they are inside.
    private func points(_ count: Int, _ objects: RegionObjects) throws -> [(place: Coordinate, isInside: Bool)] {
        let area = try #require(objects.areas.first { $0.kind.level == 2 })
        let rings = objects.rings(of: area)
        let corners = rings.flatMap(\.self)
        var generator = Seeded(state: 43)
        var points: [(place: Coordinate, isInside: Bool)] = []
        while points.count < count {
            let corner = try #require(corners.randomElement(using: &generator))
            let (north, east) = (
                Int32.random(in: -180_000...180_000, using: &generator),
                Int32.random(in: -265_000...265_000, using: &generator)
            )
            let position = MapPosition(latitude: corner.latitude + north, longitude: corner.longitude + east)
            let metres = LocalMetres(around: position)
            guard metres.distance(to: corner) <= 2_000, let place = position.coordinate,
                rings.allSatisfy({ metres.nearest(on: $0)?.distance ?? 0 > 20 })
            else { continue }
            points.append((place, position.isInside(rings)))
        }
        return points
    }

    private func objects() throws -> RegionObjects { try RegionObjects(reading: MapExtract(path: Osmium.sample)) }

    @Test func `the gazetteer names a town of the right country at 400 points along a border`() throws {
        let points = try points(400, objects())
        #expect((100...300).contains(points.count(where: \.isInside)))
        let wrong = points.filter { place, isInside in
            (Gazetteer.shared.nearest(to: place)?.placemark.countryCode == "LI") != isInside
        }
        #expect(wrong.map(\.place) == [])
    }

    @Test func `a region and the gazetteer behind it name the right country at 400 points along a border`()
        async throws
    {
        let objects = try objects()
        var load = RegionLoad("land")
        load.isAbroad = { CountryMap.shared.isAbroad($0, from: $1, by: 1_000) }
        let outcome = try await load.run(load.join(objects), by: me, on: Database.test)
        #expect(outcome.abroad == 0)
        let set = try #require(try await Database.test.set("land"))
        let provider = PointProvider(
            set, in: try Database.test, guide: PointGuide(otherTowns: { $0.map { _ in [] } }, isAbroad: Self.isAbroad))
        let points = try points(400, objects)
        let answers = try await provider.reverseGeocode(points.map(\.place))
        let wrong = zip(points, answers).filter { point, answer in
            var country = Gazetteer.shared.nearest(to: point.place)?.placemark.countryCode
            if case .found(let found) = answer { country = found[0].placemark.countryCode }
            return (country == "LI") != point.isInside
        }
        #expect(wrong.map(\.0.place) == [])
        let isAnswered = zip(points, answers).count { point, answer in
            if case .found = answer { return true }
            return false
        }
        #expect(isAnswered >= points.count(where: \.isInside))
    }

    @Test func `points reverse no house across a border, and load no house of another country`() async throws {
        let database = try Database.test
        // Both banks of the Rhine: the first house is 50 metres from the border.
        let (home, abroad) = (
            try #require(Coordinate(latitude: 47.14, longitude: 9.5093)),
            try #require(Coordinate(latitude: 47.14, longitude: 9.44))
        )
        @Sendable func house(_ number: String, _ place: Coordinate) -> AddressPoint {
            AddressPoint(
                number: number, street: "Rheinweg", city: "Triesen", postcode: "9495", countryCode: "LI",
                coordinate: place)
        }
        var load = PointLoad("houses")
        load.isAbroad = { CountryMap.shared.isAbroad($0, from: $1, by: 1_000) }
        let outcome = try await load.run(by: me, on: database) { add in
            for (number, place) in [("1", home), ("2", abroad)] { try add(house(number, place)) }
        }
        #expect((outcome.points, outcome.abroad) == (1, 1))
        let set = try #require(try await database.set())
        for (check, count) in [(Self.isAbroad, 1), ({ @Sendable _, _ in false }, 2)] {
            let provider = PointProvider(
                set, in: database, guide: PointGuide(otherTowns: { $0.map { _ in [] } }, isAbroad: check))
            let answers = try await provider.reverseGeocode([
                try #require(Coordinate(latitude: 47.14, longitude: 9.5090)),
                try #require(Coordinate(latitude: 47.14, longitude: 9.5082)),
            ])
            let found = answers.count {
                if case .found = $0 { return true }
                return false
            }
            #expect(found == count)
        }
    }
}
