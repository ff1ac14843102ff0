import DatabaseTesting
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

        // As many answers as questions, in their order, whatever is found.
        let mixed = [findable[0].0, unfindable[0], findable[1].0, findable[0].0]
        let answers = try await provider.geocode(mixed.map { Query($0) })
        #expect(answers.count == 4)
        #expect(answers[1] == .notFound)
        #expect(answers[0] == answers[3])
        #expect(answers[0] != answers[2])
        #expect(try await provider.geocode([]) == [])
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
