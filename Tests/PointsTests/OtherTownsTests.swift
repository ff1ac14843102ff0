import DatabaseTesting
import Geocoding
import Points
import Postgres
import Testing

/// Towns that the address calls otherwise than the set. The gazetteer knows where they are.
@Suite(.database)
struct OtherTownsTests {
    private static let (aalen, wroclaw, paris) = ((48.84, 10.09), (51.1, 17.03), (48.84, 2.29))

    private static let points = [
        house("5", "Seegasse", "Aalen", "DE", aalen), house("9", "Rathausplatz", "Aalen", "DE", aalen),
        // A village of this name that is not near Aalen.
        house("7", "Zollgasse", "Ebnat", "DE", (52, 13)),
        house("5", "Rynek", "Wrocław", "PL", wroclaw),
        house("110", "Rue Brancion", "Paris 15e Arrondissement", "FR", paris),
        // The set lacks Danzig, and has its name elsewhere.
        house("5", "Rynek", "Gdańsk", "PL", (50, 20)),
    ]

    private static func house(
        _ number: String, _ street: String, _ city: String, _ country: String, _ place: (Double, Double)
    ) -> AddressPoint {
        guard let place = Coordinate(latitude: place.0, longitude: place.1) else {
            preconditionFailure("the test's points are on Earth")
        }
        return AddressPoint(number: number, street: street, city: city, countryCode: country, coordinate: place)
    }

    /// `Wrocław 1.0` with the area confidence, or `none`.
    private func answers(_ addresses: [Address]) async throws -> [String] {
        let database = try Database.test
        try await load(Self.points, into: database)
        let workers = try Database.test(as: "waypost_worker")
        let provider = try #require(try await workers.provider())
        let answers = try await provider.geocode(addresses.map { Query($0) })
        await workers.close()
        return zip(addresses, answers).map { address, answer in
            guard case .found(let found) = answer, let best = found.first else { return "none" }
            let confidence = (Confidence(of: best, for: address).value * 100).rounded() / 100
            return "\(best.placemark.locality ?? "") \(confidence)"
        }
    }

    @Test func `a part behind its town does not hide the town`() async throws {
        let cities = [
            "Aalen-Ebnat", "Aalen, OT Ebnat", "Aalen OT Ebnat", "Aalen (Ebnat)", "Aalen/Ebnat",
            "Aalen - Ebnat", "Aalen-Nirgendwo",
        ]
        let found = try await answers(cities.map { Address(street: "Seegasse 5", city: $0, country: "DE") })
        #expect(found == cities.map { _ in "Aalen 0.95" })
        // Without a sign between them, the postcode tells that the first word is the town.
        let plain = try await answers(
            ["73432", ""].map {
                Address(street: "Seegasse 5", city: "Aalen Ebnat", postcode: $0, country: "DE")
            })
        #expect(plain == ["Aalen 0.95", "none"])
    }

    @Test func `a town is found by its names in other languages, and called as in the address`() async throws {
        let found = try await answers([
            Address(street: "Rynek 5", city: "Breslau", country: "PL"),
            Address(street: "110 Rue Brancion", city: "Paris", country: "FR"),
            Address(street: "110 Rue Brancion", city: "Paris 15e Arrondissement", postcode: "75015", country: "FR"),
        ])
        #expect(found == ["Breslau 1.0", "Paris 15e Arrondissement 0.95", "Paris 15e Arrondissement 1.0"])
    }

    @Test func `neither a namesake elsewhere nor another street is taken`() async throws {
        let found = try await answers([
            Address(street: "Zollgasse 7", city: "Aalen-Ebnat", country: "DE"),
            Address(street: "Rynek 5", city: "Danzig", country: "PL"),
            Address(street: "Seegasse 5", city: "Rathausplatz-Aalen", country: "DE"),
            Address(street: "Seegasse 5", city: "Breslau", country: "PL"),
            Address(street: "Seegasse 5", city: "Aalen-Ebnat", country: "AT"),
        ])
        #expect(found == ["none", "none", "none", "none", "none"])
    }
}
