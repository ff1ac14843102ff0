import DatabaseTesting
import Foundation
import Geocoding
import Postgres
import Testing

@testable import Providers

/// The real data, loaded once for all: it takes a few seconds.
@Suite(.database, .serialized)
struct GazetteerTests {
    @Test func `the shipped data loads once and finds what people write`() async throws {
        let database = try Database.test
        async let first = Gazetteer().load(into: database)
        async let second = Gazetteer().load(into: database)
        let loads = try await [first, second]
        #expect(loads.filter { $0 }.count >= 1)
        #expect(try await Gazetteer().load(into: database) == false)

        let provider = GazetteerProvider(database: database)
        for (address, latitude, longitude, precision) in findable {
            let answer = try await provider.geocode([Query(address)])[0]
            guard case .found(let candidates) = answer, let candidate = candidates.first else {
                Issue.record("\(address) is not found")
                continue
            }
            #expect(candidate.precision == precision, "\(address)")
            #expect(abs(candidate.placemark.coordinate.latitude - latitude) < 0.15, "\(address)")
            #expect(abs(candidate.placemark.coordinate.longitude - longitude) < 0.15, "\(address)")
        }
        for address in unfindable {
            #expect(try await provider.geocode([Query(address)]) == [.notFound], "\(address)")
        }

        try await check(provider, database)

        // As many answers as questions, in their order, whatever is found.
        let mixed = [findable[0].0, unfindable[0], findable[1].0, findable[0].0]
        let answers = try await provider.geocode(mixed.map { Query($0) })
        #expect(answers.count == 4)
        #expect(answers[1] == .notFound)
        #expect(answers[0] == answers[3])
        #expect(answers[0] != answers[2])
        #expect(try await provider.geocode([]) == [])
    }

    /// With the data that is shipped, which takes seconds to load: once for all of this.
    private func check(_ provider: GazetteerProvider, _ database: Database) async throws {
        try await checkTowns(provider)
        try await checkNoise(provider)
        try await checkNeighbours(provider)
        try await checkPlans(database)
    }

    /// Towns are where an atlas has them, however people write them.
    private func checkTowns(_ provider: GazetteerProvider) async throws {
        let towns = try Town.sample()
        #expect(towns.count >= 450)
        let answers = try await provider.geocode(towns.map { Query(Address(city: $0.spelling, country: $0.country)) })
        let near = zip(towns, answers).count { town, answer in
            guard case .found(let candidates) = answer, let best = candidates.first else { return false }
            return best.placemark.coordinate.distance(to: town.coordinate) <= 10_000
        }
        #expect(Double(near) >= 0.95 * Double(towns.count), "\(near) of \(towns.count) within 10 km")
    }

    /// What stands beside a town's name does not hide it, and doubt shows.
    private func checkNoise(_ provider: GazetteerProvider) async throws {
        func best(_ address: Address) async throws -> [Candidate] {
            guard case .found(let candidates) = try await provider.geocode([Query(address)])[0] else { return [] }
            return candidates
        }
        #expect(try await best(Address(region: "Zürich", country: "CH")).first?.placemark.locality == "Zürich")
        #expect(
            try await best(Address(street: "1 Market St, San Francisco", country: "US")).first?.placemark.locality
                == "San Francisco")
        // A postcode of Helsinki and a town that is Tampere: both are shown, and neither is the right one surely.
        let torn = try await best(Address(city: "Tampere", postcode: "00100", country: "FI"))
        #expect(torn.first?.placemark.locality == "Helsinki")
        #expect(torn.contains { $0.placemark.locality == "Tampere" })
        // Munich's postcodes are München's: what lies in the town around it is the town.
        let munich = try await best(Address(city: "Munich", postcode: "80331", country: "DE"))
        #expect(munich.map(\.placemark.locality) == ["Munich"])
        #expect(munich.map(\.precision) == [.postcode])
        #expect(try await best(Address(city: "München", country: "DE")).first?.placemark.locality == "München")
        let springfield = try await best(Address(city: "Springfield", country: "US"))
        #expect(springfield.count == 5)
        #expect(springfield.allSatisfy { ($0.score ?? 1) < 0.8 })
        let typo = try await best(Address(city: "Copenhagenn", country: "DK"))
        #expect(typo.first.map { ($0.score ?? 1) < 1 } == true)
    }

    /// What lies nearest to a coordinate, across the date line as elsewhere.
    private func checkNeighbours(_ provider: GazetteerProvider) async throws {
        func town(_ latitude: Double, _ longitude: Double) async throws -> String? {
            let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
            guard case .found(let found) = try await provider.reverseGeocode([coordinate])[0] else { return nil }
            return found[0].placemark.locality
        }
        #expect(try await town(60.1699, 24.9384) == "Helsinki")
        #expect(try await town(-18.1416, 178.4419) == "Suva")
        #expect(try await town(0, -30) == nil)
        #expect(try await town(90, 0) == nil)
    }

    /// Exact looks never touch the trigrams, and the nearest town is found by its index.
    private func checkPlans(_ database: Database) async throws {
        try await database.run { db throws in
            let scans: @Sendable (isolated Connection) throws -> [String: Int] = { db in
                // What this session counted reaches the view when it is told to.
                try db.query("SELECT pg_stat_force_next_flush()")
                return try Dictionary(
                    uniqueKeysWithValues: rows(
                        "SELECT indexrelname, idx_scan FROM pg_stat_user_indexes WHERE relname LIKE 'gazetteer%'",
                        on: db
                    ).map { (try $0.read("indexrelname"), try $0.read("idx_scan")) })
            }
            let addresses = (0..<500).map { Address(street: "\($0) High St", city: "Helsinki", country: "FI") }
            let before = try scans(db)
            _ = try Gazetteer().look(up: addresses, on: db)
            let between = try scans(db)
            #expect(between["gazetteer_names_by_name"] != before["gazetteer_names_by_name"])
            #expect(between["gazetteer_names_by_trigrams"] == before["gazetteer_names_by_trigrams"])
            _ = try Gazetteer().look(up: [Address(city: "Copenhagenn", country: "DK")], on: db)
            _ = try Gazetteer().nearest(to: [try #require(Coordinate(latitude: 1, longitude: 1))], on: db)
            let after = try scans(db)
            #expect(after["gazetteer_names_by_trigrams"] != between["gazetteer_names_by_trigrams"])
            #expect(after["gazetteer_places_by_position"] != between["gazetteer_places_by_position"])
        }
    }

    private var findable: [(Address, Double, Double, Precision)] {
        [
            (Address(city: "Helsinki", postcode: "00100", country: "Finland"), 60.17, 24.93, .postcode),
            (
                Address(city: "Palo Alto", region: "CA", postcode: "94301-1234", country: "USA"), 37.44, -122.15,
                .postcode
            ),
            (Address(city: "München", country: "Deutschland"), 48.137, 11.575, .city),
            (Address(city: "MUNICH", country: "DE"), 48.137, 11.575, .city),
            (Address(city: "Zurich", country: "Schweiz"), 47.37, 8.55, .city),
            (Address(city: "東京", country: "日本"), 35.69, 139.69, .city),
            (Address(city: "Москва", country: "Россия"), 55.75, 37.62, .city),
            (Address(city: "Αθήνα", country: "Ελλάδα"), 37.98, 23.73, .city),
            (Address(city: "Portland", region: "Oregon", country: "US"), 45.52, -122.68, .city),
            (Address(city: "Portland", region: "ME", country: "US"), 43.66, -70.26, .city),
            (Address(city: "Cambridge", country: "United Kingdom"), 52.2, 0.12, .city),
            (Address(city: "Cambridge", region: "Massachusetts", country: "United States"), 42.37, -71.11, .city),
            (Address(city: "London", postcode: "SW1A 2AA", country: "UK"), 51.5, -0.13, .postcode),
            (Address(city: "Luxembourg", postcode: "L-1115", country: "LU"), 49.61, 6.13, .postcode),
            (Address(city: "北京", country: "中国"), 39.91, 116.39, .city),
            (Address(city: "Ottawa", region: "ON", country: "Canada"), 45.41, -75.7, .city),
            (Address(city: "Paris"), 48.85, 2.35, .city),
        ]
    }

    private var unfindable: [Address] {
        [
            Address(street: "1 Nowhere Lane", city: "Zzyzxville", country: "US"),
            Address(city: "Helsinki", country: "Atlantis"),
            Address(city: "Portland", region: "Texarkana", country: "US"),
            Address(street: "Only a street 1", country: "FI"),
            Address(),
        ]
    }

    @Test func `postcodes are compared without their spaces and hyphens`() {
        #expect(Gazetteer.postcodeKey(" sw1a  2AA ", in: "GB") == "sw1a2aa")
        #expect(Gazetteer.postcodeKey("00-950", in: "PL") == "00950")
    }

    @Test func `a country in front of its postcode is taken away, a letter of the postcode is not`() {
        #expect(Gazetteer.postcodeKey("L-1115", in: "LU") == "1115")
        #expect(Gazetteer.postcodeKey("LV-1005", in: "LV") == "1005")
        #expect(Gazetteer.postcodeKey("D-80331", in: "DE") == "80331")
        #expect(Gazetteer.postcodeKey("D-80331", in: "FR") == "d80331")
        #expect(Gazetteer.postcodeKey("B1 1AA", in: "GB") == "b11aa")
    }

    @Test func `where there are only areas, a postcode is looked up by its area`() {
        #expect(Gazetteer.area(of: "sw1a2aa", in: "GB") == "sw1a")
        #expect(Gazetteer.area(of: "1011ab", in: "NL") == "1011")
        #expect(Gazetteer.area(of: "943011234", in: "US") == "94301")
        #expect(Gazetteer.area(of: "00100", in: "FI") == "")
    }

    @Test func `tables that can't be read are an outage, not an empty answer`() async throws {
        let database = try Database.test
        try await database.run { try $0.run(script: "DROP TABLE gazetteer_postcodes") }
        await #expect(throws: ProviderError.self) {
            try await GazetteerProvider(database: database).geocode([Query(Address(city: "Secretville"))])
        }
    }
}

/// A town as somebody wrote it, and where it is.
private struct Town {
    let spelling: String
    let country: String
    let coordinate: Coordinate

    static func sample() throws -> [Town] {
        let path = #filePath.replacing("GazetteerTests.swift", with: "towns.txt")
        return try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("#") }
            .flatMap { line -> [Town] in
                let parts = line.split(separator: " ", maxSplits: 3)
                let coordinate = try #require(
                    Coordinate(latitude: Double(parts[1]) ?? 0, longitude: Double(parts[2]) ?? 0))
                return parts[3].split(separator: "|").map {
                    Town(spelling: String($0), country: String(parts[0]), coordinate: coordinate)
                }
            }
    }
}
