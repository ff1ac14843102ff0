import DatabaseTesting
import Geocoding
import HTTP
import JSON
import Postgres
import Testing

@testable import API

/// The app's own types against a real server.
@Suite(.database)
struct SeedTests {
    private func ada(_ server: APIClient) async throws -> Int {
        let added = try await server.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#)
        return try Seed.decode(added.bytes, as: Seed.One<Seed.Contact>.self).data.id
    }

    @Test func `the app's types decode every reply and send addresses that are accepted`() async throws {
        try await APIClient.serving { server in
            let id = try await ada(server)
            var request = Seed.AddressRequest(
                name: "Home", street: "Aleksanterinkatu 52", city: "Helsinki", postalCode: "00100", countryId: 246)
            let path = "/api/contacts/\(id)/addresses"
            let added = try await server.send(.post, path, Seed.encode(request)).expect(201)
            let address = try Seed.decode(added.bytes, as: Seed.One<Seed.Address>.self).data
            #expect(address.country == Seed.Country(id: 246, object: "country", name: "Finland", iso: "FI"))
            #expect(address.contact == Seed.Reference(id: id))
            #expect(address.postalCode == "00100")
            #expect(address.createdAt != nil)

            try await Database.test.run { try $0.locateAll() }
            let one = "/api/addresses/\(address.id)"
            let located = try await Seed.decode(server.send(.get, one).bytes, as: Seed.One<Seed.Address>.self).data
            #expect(located.latitude == 39.5)

            request.countryId = 752
            request.street = nil
            let changed = try await server.send(.put, one, Seed.encode(request))
            let moved = try Seed.decode(changed.bytes, as: Seed.One<Seed.Address>.self).data
            #expect(moved.country?.iso == "SE")
            #expect(moved.street == nil)
            #expect(moved.latitude == nil)

            for target in ["/api/addresses", path] {
                let list = try await Seed.decode(server.send(.get, target).bytes, as: Seed.List<Seed.Address>.self)
                #expect(list.data.map(\.id) == [address.id], "\(target)")
                #expect(list.meta?.total == 1)
            }
            let contacts = try await Seed.decode(
                server.send(.get, "/api/contacts").bytes, as: Seed.List<Seed.Contact>.self)
            #expect(contacts.data.first?.addresses == [moved])
            let renamed = try await server.send(.put, "/api/contacts/\(id)", #"{"first_name":"Augusta"}"#)
            #expect(try Seed.decode(renamed.bytes, as: Seed.One<Seed.Contact>.self).data.firstName == "Augusta")

            for target in [one, "/api/contacts/\(id)"] {
                let removed = try await server.send(.delete, target)
                #expect(try Seed.decode(removed.bytes, as: Seed.Deleted.self).deleted)
            }
        }
    }

    @Test func `countries are a list, each with its own number`() async throws {
        try await APIClient.serving { server in
            let answer = try await server.send(.get, "/api/countries")
            let countries = try Seed.decode(answer.bytes, as: Seed.List<Seed.Country>.self).data
            #expect(countries.count == 250)
            #expect(Set(countries.map(\.id)).count == 250)
            #expect(countries.contains(Seed.Country(id: 4, object: "country", name: "Afghanistan", iso: "AF")))
            for country in countries {
                #expect(CountryNumber.country(country.id)?.code == country.iso)
            }
        }
    }

    @Test func `an unknown country has the number 0`() async throws {
        try await APIClient.serving { server in
            let body = #"{"city":"Xyzzyville","country":"Atlantis"}"#
            let added = try await server.send(.post, "/api/contacts/\(ada(server))/addresses", body)
            let country = try Seed.decode(added.bytes, as: Seed.One<Seed.Address>.self).data.country
            #expect(country == Seed.Country(id: 0, object: "country", name: "Atlantis", iso: ""))
        }
    }

    @Test(arguments: ["246", #""246""#, #""FI""#, #""fi""#, #""FIN""#, "246.0"])
    func `a country is accepted by number and by code`(written: String) async throws {
        try await APIClient.serving { server in
            let body = #"{"city":"Helsinki","country_id":\#(written)}"#
            try await server.send(.post, "/api/contacts/\(ada(server))/addresses", body).expect(
                201, has: ["data.country.id": 246])
        }
        // The stored question has the name of the country.
        let asked: String = try await Database.test.query("SELECT country FROM geocodes")[0].read("country")
        #expect(Country(asked)?.code == "FI")
    }

    @Test(arguments: [
        "0", "-246", "999", "246.5", "1e300", "true", "[]", "{}", #""""#, #""Finland""#, #"" FI""#, #""0246""#,
        #""ß""#, #""uae""#, #""２４６""#,
    ])
    func `an unknown country_id is refused, and nothing is stored`(written: String) async throws {
        try await APIClient.serving { server in
            let id = try await ada(server)
            let body = #"{"contact_id":\#(id),"city":"Helsinki","country_id":\#(written)}"#
            for target in ["/api/addresses", "/api/contacts/\(id)/addresses"] {
                try await server.send(.post, target, body).expect(
                    422,
                    has: ["error.message": .list([.text("country_id: is neither a number nor a code of ISO 3166-1")])])
            }
            #expect(try await server.send(.get, "/api/addresses").at("meta", "total") == .number(0))
        }
    }

    @Test func `a country_id and a spelling must mean the same country`() async throws {
        try await APIClient.serving { server in
            let target = try await "/api/contacts/\(ada(server))/addresses"
            for (country, status) in [("Suomi", 201), ("FI", 201), ("Sweden", 422), ("Atlantis", 422)] {
                let body = #"{"city":"Helsinki","country":"\#(country)","country_id":246}"#
                #expect(try await server.send(.post, target, body).status == status, "\(country)")
            }
            try await server.send(.post, target, #"{"city":"Helsinki","country_id":null}"#).expect(has: [
                "data.country": .null
            ])
        }
    }

    @Test func `the numbers equal those of the table of countries`() async throws {
        let rows = try await Database.test.query("SELECT code, alpha3, number FROM countries")
        #expect(rows.count == 249)
        for row in rows {
            let (code, alpha3, number): (String, String, Int) = try (
                row.read("code"), row.read("alpha3"), row.read("number")
            )
            #expect(CountryNumber.of(code) == number)
            for name in [code, alpha3, "\(number)"] { #expect(CountryNumber.country(name)?.code == code) }
        }
    }
}
