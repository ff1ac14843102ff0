import Foundation
import Geocoding
import Testing

@testable import Formats

struct NDJSONPlaceWriterTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a contact is one line in the documented form`() throws {
        var ada = place(friend: 7, "Ada \"A\" Example", street: "1 High St")
        (ada.firstName, ada.lastName, ada.nickname) = ("Ada", "Example", "A")
        (ada.status, ada.precision, ada.place.areaConfidence, ada.provider) = (.located, .rooftop, 0.929, "photon")
        ada.coordinate = Coordinate(latitude: 52.4, longitude: -0.25)
        let work = place(friend: 7, "Ada \"A\" Example", street: "2 Mill Rd")

        #expect(
            try written([ada, work]) == """
                {"key":"id:7","name":"Ada \\"A\\" Example","first_name":"Ada","last_name":"Example","nickname":"A",\
                "addresses":[{"label":"home","street":"1 High St","city":"Ely","region":"","postcode":"","country":"UK",\
                "place":{"status":"located","latitude":52.4,"longitude":-0.25,"precision":"rooftop","confidence":0.93,"area_confidence":0.93,\
                "provider":"photon","attribution":null}},\
                {"label":"home","street":"2 Mill Rd","city":"Ely","region":"","postcode":"","country":"UK",\
                "place":{"status":"waiting","latitude":null,"longitude":null,"precision":null,"confidence":null,"area_confidence":null,\
                "provider":null,"attribution":null}}]}

                """)
    }

    @Test func `friends are distinguished by id, not by name`() throws {
        let text = try written([
            place(friend: 1, "Ada", street: "1"), place(friend: 2, "Ada", street: "2"),
            place(friend: 2, "Ada", street: "3"),
        ])

        let streets = try lines(text).map { $0.addresses.map(\.street) }
        #expect(streets == [["1"], ["2", "3"]])
        #expect(try written([]) == "")
    }

    @Test(arguments: oddTexts + [controls]) func `any text reads back`(text: String) throws {
        let line = try #require(try lines(written([place(friend: 1, text, street: text)])).first)

        #expect(Array(line.name.utf8) == Array(text.utf8))
        #expect(Array(line.addresses[0].street.utf8) == Array(text.utf8))
    }

    private struct Line: Decodable {
        let name: String
        let addresses: [Address]

        struct Address: Decodable { let street: String }
    }

    private func lines(_ text: String) throws -> [Line] {
        try text.utf8.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Line.self, from: Data($0)) }
    }

    private func written(_ places: [ContactPlace]) throws -> String {
        var writer = try PlaceFormat.ndjson.writer(to: folder.file("a.ndjson"), attribution: [])
        for place in places { try writer.write(place) }
        try writer.finish().commit()
        return String(decoding: try folder.bytes(of: "a.ndjson"), as: UTF8.self)
    }

    private func place(friend: Int, _ name: String, street: String) -> ContactPlace {
        ContactPlace(
            id: 1, friend: friend, sourceKey: "id:\(friend)", name: name, label: "home",
            address: Address(street: street, city: "Ely", country: "UK"), status: .waiting)
    }
}
