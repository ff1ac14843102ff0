import Geocoding
import Testing

@testable import Formats

struct CSVPositionTests {
    @Test(arguments: [
        "name,city,lat,lng\nAda,Ely,0,0\n", "name,city,lat,lng\nAda,Ely,0.0,-0.000\n",
        "name,city,geo\nAda,Ely,\"0,0\"\n",
    ])
    func `0, 0 means an unknown position`(text: String) throws {
        var contacts = try ContactsCSV(CSVReader(Array(text.utf8)))
        guard case .contact(_, let friend)? = try contacts.next(), case .noted(_, let reason)? = try contacts.next()
        else {
            Issue.record("no contact and note")
            return
        }
        #expect(friend.addresses.map(\.position) == [nil])
        #expect(reason == "a position is left out: it is 0, 0, which means unknown")
    }

    @Test(arguments: [
        "lat,lng\nEly,52.4,0.26", "Latitude,Longitude\nEly,52.4,0.26", "Breitengrad,Längengrad\nEly,\"52,4\",\"0,26\"",
        "geo\nEly,\"52.4,0.26\"", "geo\nEly,\"geo:52.4,0.26\"", "geo\nEly,52.4; 0.26",
    ])
    func `a row may contain a position`(columns: String) throws {
        #expect(
            try onlyFriend("city,\(columns)").addresses.map(\.position) == [Coordinate(latitude: 52.4, longitude: 0.26)]
        )
    }

    @Test func `each address has its own position`() throws {
        let friend = try onlyFriend(
            "Address 1 - City,Address 1 - Latitude,Address 1 - Longitude,Home City\nEly,1,2,Hull")

        #expect(friend.addresses.map(\.position) == [Coordinate(latitude: 1, longitude: 2), nil])
    }

    @Test func `an invalid coordinate is noted, and the address is kept`() throws {
        for pair in ["91,2", "1,", "north,2", ",181"] {
            let entries = try entries("name,city,lat,lng\nAda,Ely,\(pair)\nBob,Hull,,")

            #expect(entries.friends.map(\.name) == ["Ada", "Bob"])
            #expect(entries.problems == [.noted(line: 2, reason: "a position is left out: it is not a coordinate")])
            #expect(entries.dropFirst().first == entries.problems.first)
        }
    }

    @Test(arguments: [("", true), ("contact", true), ("photon", false)])
    func `a provider's answer is not the contact's own position`(provider: String, isKept: Bool) throws {
        let position = try onlyFriend("city,lat,lng,provider\nEly,52.4,0.26,\(provider)").addresses[0].position

        #expect((position != nil) == isKept)
    }

    @Test func `an address without street, city and country is noted`() throws {
        #expect(
            try entries("name,city,zip,lat,lng\nAda,,20100,,\nBob,,,1,2").problems == [
                .noted(line: 2, reason: "an address is left out: it has no street, no city and no country"),
                .noted(line: 3, reason: "a position without an address is left out"),
            ])
    }

    @Test func `a missing country is filled in where there is an address`() throws {
        var options = ReadingOptions()
        options.country = "FI"
        let text = "name,city,zip,country\nAda,,20100,\nBob,,,\nCy,Ely,,UK"
        let friends = try entries(ContactsCSV(CSVReader(Array(text.utf8)), options: options)).friends

        #expect(friends.map { $0.addresses.map(\.address.country) } == [["FI"], [], ["UK"]])
    }

    @Test func `a column called position is a job title, not a place`() throws {
        #expect(try entries("name,city,position\nAda,Ely,Countess").problems.isEmpty)
    }
}
