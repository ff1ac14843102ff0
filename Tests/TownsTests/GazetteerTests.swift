import Foundation
import Geocoding
import Testing

@testable import Towns

/// The real data in the binary.
struct GazetteerTests {
    private func best(_ address: Address) -> Candidate? { Gazetteer.shared.search(address).first }

    @Test func `common spellings in columns are found`() throws {
        for (address, latitude, longitude, precision) in findable {
            let candidate = try #require(best(address), "\(address) is not found")
            #expect(candidate.precision == precision, "\(address)")
            #expect(abs(candidate.placemark.coordinate.latitude - latitude) < 0.15, "\(address)")
            #expect(abs(candidate.placemark.coordinate.longitude - longitude) < 0.15, "\(address)")
        }
    }

    @Test(arguments: ["Texarkana", "Vermont"])
    func `a town outside the given region is not a sure answer`(_ region: String) throws {
        let address = Address(city: "Portland", region: region, country: "US")
        let found = try #require(best(address))
        #expect(Confidence(of: found, for: address).value < Thresholds().located)
    }

    @Test(arguments: ["Texarkana, North Dakota", "Palo Alto, South Carolina", "Sausalito, Missouri", "Waxahachie, MO"])
    func `a town outside the region on its line is not a sure answer, without a country either`(_ line: String) {
        let address = Gazetteer.shared.read(line: line)
        for found in Gazetteer.shared.search(address) {
            #expect(Confidence(of: found, for: address).value < Thresholds().located, "\(line)")
        }
    }

    @Test(arguments: [
        (Address(city: "Wien", postcode: "1010", country: "AT"), 48.25, 16.4, nil),
        (Address(city: "Wien", postcode: "1010", country: "AT"), 47.07, 15.44, Precision.postcode),
        (Address(street: "Hauptplatz 1", city: "Wien", country: "Austria"), 47.07, 15.44, .city),
        (Address(street: "1 Main St", city: "Reno", region: "NV", country: "US"), -39.53, -119.81, .city),
        // One of many Springfields is not known for sure, and Xyzzyville not at all.
        (Address(city: "Springfield", country: "US"), 47.07, 15.44, nil), (Address(city: "Xyzzyville"), 1, 1, nil),
        (Address(street: "Hauptplatz 1", country: "AT"), 1, 1, nil),
    ])
    func `a given position is compared with the postcode or the town`(
        _ address: Address, _ latitude: Double, _ longitude: Double, _ part: Precision?
    ) throws {
        let position = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(Gazetteer.shared.part(of: address, farFrom: position) == part, "\(address)")
    }

    @Test func `an unknown place is not found`() {
        for address in unfindable { #expect(best(address) == nil, "\(address)") }
    }

    @Test(arguments: ["Atlantis", "FL", "Other (see notes)"])
    func `an unknown country is ignored, and the answer reviewed`(_ country: String) throws {
        let address = Address(city: "Helsinki", country: country)
        let found = try #require(best(address))
        #expect(found.placemark.countryCode == "FI")
        #expect(Thresholds().verdict(for: Confidence(of: found, for: address)) == .review)
        #expect(try #require(best(Address(city: "Helsinki", country: "n/a"))).share > 0.9)
    }

    @Test(arguments: [
        ("Korea", "KR", "Daejeon"), ("S. Korea", "KR", "Daejeon"), ("Korea (South)", "KR", "Daejeon"),
        ("United Kingdom (UK)", "GB", "Leeds"), ("Egypt, Arab Rep.", "EG", "Luxor"), ("D", "DE", "Nürnberg"),
        ("Mainland China", "CN", "Xuzhou"), ("Congo, Dem. Rep.", "CD", "Manono"),
    ])
    func `a country is found by its short and official names`(_ spelling: String, _ code: String, _ town: String) throws
    {
        let found = try #require(best(Address(city: town, country: spelling)))
        #expect(found.placemark.countryCode == code && found.share > 0.7)
    }

    @Test(arguments: [
        Address(street: "5 Elm St", city: "90402", postcode: "Nürnberg", country: "Germany"),
        Address(city: "Nürnberg", postcode: "DE-90402"), Address(street: "90402", country: "Germany"),
        Address(city: "Nürnberg", postcode: "90402", country: "Germany (DE)"),
    ])
    func `a postcode is found in the field of the city or the street`(_ address: Address) throws {
        let found = try #require(best(address))
        #expect(found.precision == .postcode && abs(found.placemark.coordinate.latitude - 49.45) < 0.1)
        #expect(Confidence(of: found, for: address).value >= Thresholds().located)
    }

    @Test(arguments: [("AL 36067", "Alabama", "US"), ("QC J0B 2H0", "Quebec", "CA"), ("AL 36067", "Alabama", "")])
    func `a postcode with a region before it is found in the region`(
        _ postcode: String, _ region: String, _ country: String
    ) throws {
        let found = try #require(best(Address(postcode: postcode, country: country)))
        #expect(found.placemark.administrativeArea == region)
    }

    @Test(arguments: ["none", "n/a", "Unknown", "home", "mobile", "Street", "ditto", "keine Angabe", "нет", "不明"])
    func `a word for nothing, or for a part of an address, is not a town`(_ word: String) {
        #expect(best(Address(city: word)) == nil)
        #expect(best(Gazetteer.shared.read(line: word)) == nil)
    }

    @Test func `a word for a part of an address is a town where its region says so`() {
        #expect(best(Address(city: "Mobile", region: "AL"))?.placemark.administrativeArea == "Alabama")
    }

    @Test(arguments: ["mobile clinic", "Mobile library", "mobile office", "Ville nouvelle"])
    func `a word for a part of an address is not a town because of another word`(_ line: String) {
        #expect(best(Gazetteer.shared.read(line: line)) == nil)
    }

    @Test func `a town that nothing next to it confirms is never sure`() throws {
        func share(_ address: Address) throws -> Double { try #require(best(address)).share }
        let (large, small) = (Address(city: "Helsinki"), Address(street: "5 Main Street", city: "Sodankylä"))
        #expect(try share(large) == 0.95 && share(small) == 0.9)
        #expect(try share(Address(city: "Helsinki", region: "clinic")) == 0.8)
        #expect(try share(Address(city: "Helsinki", region: "Uusimaa")) == 0.98)
        #expect(try share(Address(city: "Helsinki", country: "FI")) > 0.95)
        #expect(try share(Address(city: "Sodankylä", country: "FI")) == 0.95)
        #expect(try share(Address(city: "Sodankylä", region: "Lapland", country: "FI")) == 1)
        #expect(try share(Address(city: "Sodankylä", postcode: "99600", country: "FI")) == 1)
    }

    @Test(arguments: ["Reading", "Springfield", "Richmond", "Newcastle"])
    func `a famous name alone is reviewed, the most probable town first`(_ name: String) throws {
        let all = Gazetteer.shared.search(Address(city: name))
        let first = try #require(all.first)
        #expect(Thresholds().verdict(for: Confidence(of: first, for: Address(city: name))) == .review)
        #expect(all.count > 1 && all.dropFirst().allSatisfy { $0.share < first.share })
    }

    @Test func `a town with exactly the letters of the address is preferred`() throws {
        let found = Gazetteer.shared.search(Address(city: "Munster", country: "Germany"))
        #expect(try #require(found.first).share < 0.75)
        #expect(found.contains { $0.placemark.administrativeArea == "Niedersachsen" })
        #expect(try #require(best(Address(city: "Münster", country: "Germany"))).share > 0.9)
    }

    @Test func `a postcode that lies far from others that begin alike makes a town doubtful`() throws {
        // 10xxx is Balıkesir, and Akçay of that province is not in the gazetteer.
        let found = try #require(best(Address(city: "Akçay", postcode: "10319", country: "Turkey")))
        #expect(found.share < 0.75)
    }

    @Test(arguments: [
        ("2139", "US", 42.36), ("1067", "Germany", 51.06), ("8001", "Spain", 41.38), ("184", "Italy", 41.9),
        ("100", "FI", 60.17),
    ])
    func `a postcode that lost its leading zeros in a spreadsheet is found`(
        _ postcode: String, _ country: String, _ latitude: Double
    ) throws {
        let found = try #require(best(Address(postcode: postcode, country: country)))
        #expect(found.precision == .postcode)
        #expect(abs(found.placemark.coordinate.latitude - latitude) < 0.05)
    }

    @Test func `without a country, a postcode or a region that the town's country lacks makes the town doubtful`()
        throws
    {
        #expect(try #require(best(Address(city: "Sassari", postcode: "123456"))).share < 0.75)
        #expect(try #require(best(Address(city: "Sassari", postcode: "07100"))).share > 0.75)
        #expect(try #require(best(Address(city: "Canillo", region: "Qwertyland"))).share < 0.75)
        #expect(try #require(best(Address(city: "Canillo", country: "AD"))).share > 0.75)
    }

    @Test func `a postcode that lost its leading zeros does not make a town without a country doubtful`() throws {
        #expect(try #require(best(Address(city: "Sassari", region: "SS", postcode: "7100"))).share > 0.75)
    }

    @Test(arguments: [
        ("Drummond Island", "MI", "US", 46.0, -83.6), ("Tenants Harbor", "ME", "US", 43.97, -69.21),
        ("Lauder", "Scotland", "GB", 55.72, -2.75), ("Gellainville", "", "FR", 48.42, 1.54),
    ])
    func `a village that only postcodes name is found by its name`(
        _ town: String, _ region: String, _ country: String, _ latitude: Double, _ longitude: Double
    ) throws {
        let found = try #require(best(Address(city: town, region: region, country: country)))
        #expect(abs(found.placemark.coordinate.latitude - latitude) < 0.15)
        #expect(abs(found.placemark.coordinate.longitude - longitude) < 0.3)
    }

    @Test func `a postcode counts more than a village elsewhere that only postcodes name`() throws {
        // Casa Verde is a name of villages, and 67202 is Wichita.
        let address = Address(city: "Casa Verde", postcode: "67202", country: "US")
        let found = try #require(best(address))
        #expect(found.precision == .postcode && abs(found.placemark.coordinate.latitude - 37.69) < 0.1)
        #expect(Confidence(of: found, for: address).value >= Thresholds().located)
    }

    @Test func `without a country, a postcode that the town's country does not have makes the town doubtful`() throws {
        // 15-100 is Białystok, far from Las in Małopolskie.
        let address = Address(city: "Las", postcode: "15100")
        for found in Gazetteer.shared.search(address) {
            #expect(Confidence(of: found, for: address).value < Thresholds().located)
        }
    }

    @Test(arguments: [("Alger", "DZ"), ("Ha Noi", "VN"), ("Hà Nội", "VN")])
    func `a town is found by a name that differs in its spaces from another`(_ name: String, _ country: String) throws {
        #expect(try #require(best(Address(city: name, country: country))).share > 0.75)
    }

    @Test(arguments: [("16010", "TR", 40.2, 29.06), ("355024", "RU", 45.04, 41.97)])
    func `a postcode far from all places of its region is left out`(
        _ postcode: String, _ country: String, _ latitude: Double, _ longitude: Double
    ) {
        let rows = Gazetteer.shared.postcode(postcode, in: country).rows
        let here = Position(latitude: latitude, longitude: longitude)
        #expect(rows.allSatisfy { Gazetteer.shared.postcodes[$0].coordinate.distance(to: here) < 100_000 })
    }

    @Test func `towns are within 10 km of an atlas's position, in any spelling`() throws {
        let towns = try Town.sample()
        #expect(towns.count >= 450)
        let near = towns.count { town in
            best(Address(city: town.spelling, country: town.country))
                .map { $0.placemark.coordinate.distance(to: town.coordinate) <= 10_000 } ?? false
        }
        #expect(Double(near) >= 0.97 * Double(towns.count), "\(near) of \(towns.count) within 10 km")
    }

    @Test func `words next to a town's name do not hide it`() {
        #expect(best(Address(region: "Zürich", country: "CH"))?.placemark.locality == "Zürich")
        #expect(
            best(Address(street: "1 Market St, San Francisco", country: "US"))?.placemark.locality == "San Francisco")
        #expect(best(Address(city: "München", country: "DE"))?.placemark.locality == "München")
    }

    @Test func `a postcode of one town with the name of another is not a sure answer`() {
        let torn = Gazetteer.shared.search(Address(city: "Tampere", postcode: "00100", country: "FI"))
        #expect(torn.contains { $0.placemark.locality == "Tampere" })
        #expect(torn.contains { $0.precision == .postcode })
        let address = Address(city: "Tampere", postcode: "00100", country: "FI")
        #expect(torn.allSatisfy { Confidence(of: $0, for: address).value < Thresholds().located })
    }

    @Test func `a postcode within the town is named after the town in the query`() {
        let munich = Gazetteer.shared.search(Address(city: "Munich", postcode: "80331", country: "DE"))
        #expect(munich.map(\.placemark.locality) == ["Munich"])
        #expect(munich.map(\.precision) == [.postcode])
    }

    @Test(arguments: [
        (Address(city: "Punta Arenas", postcode: "6200000", country: "CL"), -53.16, -70.91),
        (Address(city: "Thunder Bay", region: "ON", postcode: "P7B 1A1", country: "CA"), 48.38, -89.25),
        (Address(city: "Salto", postcode: "50000", country: "UY"), -31.38, -57.96),
    ])
    func `where a postcode's area is wide, the town's position is used`(
        _ address: Address, _ latitude: Double, _ longitude: Double
    ) throws {
        let found = try #require(best(address))
        #expect(found.precision == .city)
        #expect(abs(found.placemark.coordinate.latitude - latitude) < 0.1)
        #expect(abs(found.placemark.coordinate.longitude - longitude) < 0.1)
    }

    @Test func `a postcode without a country belongs to the region's country`() {
        #expect(best(Address(city: "Paris", region: "TX", postcode: "75460"))?.placemark.countryCode == "US")
        #expect(best(Address(city: "Paris", postcode: "75460"))?.placemark.countryCode == "FR")
    }

    @Test(arguments: [
        ("Prescott Valey", "AZ", "US", "Prescott Valley"), ("Rio Brnaco", "", "Brazil", "Rio Branco"),
        ("Porto Veleo", "", "Brazil", "Porto Velho"), ("Miami Laker", "FL", "US", "Miami Lakes"),
    ])
    func `a two-word town with a typing mistake is not the town of the first word`(
        _ city: String, _ region: String, _ country: String, _ town: String
    ) {
        #expect(best(Address(city: city, region: region, country: country))?.placemark.locality == town)
    }

    @Test(arguments: [("Boston MA", "US", "Boston"), ("Vienna Austria", "AT", "Vienna")])
    func `the region or country after a town does not lower its score`(
        _ city: String, _ country: String, _ town: String
    )
        throws
    {
        let address = Address(city: city, country: country)
        let found = try #require(best(address))
        #expect(found.placemark.name == town && found.placemark.locality == city)
        #expect(Confidence(of: found, for: address).value >= Thresholds().located)
    }

    @Test func `a match of only the first word of an unknown town is not a sure answer`() throws {
        let address = Address(city: "Rio Nonsuchham", country: "Brazil")
        let found = try #require(best(address))
        #expect(Confidence(of: found, for: address).value < Thresholds().located)
    }

    @Test func `towns with one name share it by population`() throws {
        let springfield = Gazetteer.shared.search(Address(city: "Springfield", country: "US"))
        #expect(springfield.count == 5)
        #expect(springfield.allSatisfy { $0.share < 0.5 })
        let peoria = Gazetteer.shared.search(Address(city: "Peoria", country: "USA"))
        #expect(try #require(peoria.first).share < 0.75)
        for name in ["Victoria", "Birmingham", "Kingston", "Santa Cruz"] {
            #expect(try #require(best(Address(city: name))).share < 0.75, "\(name)")
        }
        for name in ["Paris", "Vienna", "Tokyo"] {
            #expect(try #require(best(Address(city: name))).share > 0.8, "\(name)")
        }
    }

    @Test(arguments: [
        ("Kingston", "Jamaica", "JM"), ("Santa Cruz", "Bolivia", "BO"), ("Stanley", "Falkland Islands", "FK"),
        ("Victoria", "Seychelles", "SC"),
    ])
    func `a blank region does not match a town without a region`(_ town: String, _ country: String, _ code: String) {
        #expect(best(Address(city: town, country: country))?.placemark.countryCode == code)
        // Without a country the answer can't be sure, and the smallest place does not come first.
        #expect(!["NF", "AW"].contains(best(Address(city: town))?.placemark.countryCode))
    }

    @Test(arguments: [
        ("Vienan", "AT", "Vienna"), ("Berln", "DE", "Berlin"), ("Pariss", "FR", "Paris"), ("Oslp", "NO", "Oslo"),
        ("Romee", "IT", "Rome"), ("Copenhagenn", "DK", "Copenhagen"), ("Мосва", "RU", "Москва"),
    ])
    func `a typing mistake finds the town, with less confidence`(_ typo: String, _ country: String, _ town: String)
        throws
    {
        let found = try #require(best(Address(city: typo, country: country)))
        #expect(found.placemark.locality == town)
        #expect(found.share < 1)
    }

    @Test func `an unknown village is not matched with another one far away`() {
        let found = Gazetteer.shared.search(Address(city: "Hinterobersdorfingen", postcode: "80331", country: "DE"))
        #expect(found.allSatisfy { $0.precision == .postcode && $0.placemark.locality == nil })
    }

    @Test(arguments: ["Germny", "Untied States", "Austira", "Nederlnd"])
    func `a country is found in spite of a typing mistake`(_ country: String) {
        #expect(CountrySpelling.country(like: country) != nil)
    }

    @Test func `a territory's places are found under its country`() {
        #expect(best(Address(city: "Le Port", postcode: "97420", country: "France"))?.placemark.countryCode == "RE")
        #expect(
            best(Address(city: "San Juan", region: "PR", postcode: "00911", country: "USA"))?.placemark.countryCode
                == "PR")
    }

    @Test func `the nearest town is found, also across the date line`() throws {
        func town(_ latitude: Double, _ longitude: Double) throws -> String? {
            let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
            return Gazetteer.shared.nearest(to: coordinate)?.placemark.locality
        }
        #expect(try town(60.1699, 24.9384) == "Helsinki")
        #expect(try town(-18.1416, 178.4419) == "Suva")
        #expect(try town(0, -30) == nil)
        #expect(try town(90, 0) == nil)
        #expect(try town(-90, 180) == nil)
    }

    @Test func `a search takes bounded time for any text`() {
        // Each of them makes the search use its whole budget.
        let bad = (0..<50).map { Address(city: String(repeating: "abcdefghij", count: 6) + "\($0)", country: "US") }
        for address in bad { #expect(Gazetteer.shared.search(address).isEmpty) }
        #expect(Gazetteer.shared.search(Address(city: String(repeating: "x ", count: 100_000))).isEmpty)
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
            Address(street: "Only a street 1", country: "FI"),
            Address(),
        ]
    }
}

/// A town's spelling and its position.
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
