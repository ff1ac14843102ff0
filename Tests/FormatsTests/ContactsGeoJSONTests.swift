import Geocoding
import Testing

@testable import Formats

struct ContactsGeoJSONTests {
    @Test func `our own export reads back as friends with several addresses and no pins`() throws {
        let entries = try geoJSON(
            #"""
            {"type":"FeatureCollection","attribution":["GeoNames, CC BY 4.0"],"features":[
            {"type":"Feature","geometry":{"type":"Point","coordinates":[0.26,52.4]},"properties":{"key":"id:7","name":"Ada","label":"home","street":"1 Main St","city":"Ely","region":"","postcode":"CB7","country":"UK","precision":"city","provider":"gazetteer","confidence":0.9}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"key":"id:7","name":"Ada","label":"work","city":"Hull","provider":"contact"}},
            {"type":"Feature","geometry":null,"properties":{"key":"id:8","name":"Bob","city":"Rye","provider":null}}
            ]}
            """#)

        #expect(
            entries == [
                .contact(
                    line: 2,
                    Friend(
                        sourceKey: "id:7", name: "Ada",
                        addresses: [
                            LabelledAddress(
                                label: "home",
                                address: Address(street: "1 Main St", city: "Ely", postcode: "CB7", country: "UK")),
                            LabelledAddress(
                                label: "work", address: Address(city: "Hull"),
                                position: Coordinate(latitude: 2, longitude: 1)),
                        ])),
                .contact(
                    line: 4,
                    Friend(
                        sourceKey: "id:8", name: "Bob",
                        addresses: [LabelledAddress(label: "", address: Address(city: "Rye"))])),
            ])
    }

    @Test(arguments: [
        #"{"name":"Cafe","addr:housenumber":"5","addr:street":"Main St","addr:city":"Ely","addr:postcode":1234,"addr:country":"UK"}"#,
        #"{"title":"Cafe","addressLine1":"Main St","streetNumber":5,"town":"Ely","postal_code":"1234","Country":"UK"}"#,
        #"{"name":"Cafe","street":"Main St","housenumber":"5","locality":"Ely","postalcode":"1234","country":"UK","gid":"x","label":"all of it"}"#,
        #"{"name":"Cafe","address":"Main St","house_number":"5","city":"Ely","postcode":"1234","country":"UK","address_line1":"Main St"}"#,
    ]) func `property names of other programs are accepted`(properties: String) throws {
        let friend = try onlyFeature(#"{"type":"Feature","id":9,"geometry":null,"properties":\#(properties)}"#)

        #expect(friend.sourceKey == "id:9")
        #expect(friend.name == "Cafe")
        #expect(
            friend.addresses == [
                LabelledAddress(
                    label: "",
                    address: Address(street: "Main St 5", city: "Ely", postcode: "1234", country: "UK"))
            ])
    }

    @Test func `an address on one line is parsed into its parts`() throws {
        let friend = try onlyFeature(
            #"{"type":"Feature","properties":{"name":"Ada","address":"Mannerheimintie 1, 00100 Helsinki","country":"Finland"}}"#
        )

        #expect(
            friend.addresses.map(\.address)
                == [Address(street: "Mannerheimintie 1", city: "Helsinki", postcode: "00100", country: "Finland")])
    }

    @Test func `a single feature is read as well as a collection`() throws {
        let friend = try onlyFriend(
            of: geoJSON(
                #"{"properties":{"first_name":"Ada","last-name":"Byron","city":"Ely"},"geometry":{"type":"Point","coordinates":[1,2,300]},"id":"a","type":"Feature"}"#
            ))

        #expect(friend.sourceKey == "id:a")
        #expect(friend.name == "Ada Byron")
        #expect(friend.addresses.first?.position == Coordinate(latitude: 2, longitude: 1))
    }

    @Test func `friends without a key get keys from name and order`() throws {
        let feature = #"{"type":"Feature","properties":{"name":"Ada","city":"Ely"}}"#

        #expect(
            try geoJSON(collection([feature, feature])).compactMap(\.friend?.sourceKey) == ["name:ada#1", "name:ada#2"])
    }

    @Test func `chunks of any size give the same features`() throws {
        let text = collection([
            #"{"type":"Feature","id":"é","geometry":{"type":"Point","coordinates":[-1.5e0,2]},"properties":{"name":"\ud83d\ude00","city":"ירושלים"}}"#,
            "{}", #"{"type":"Feature","geometry":null,"properties":{"name":"שלום","addr:city":"Ely"}}"#,
        ])
        let whole = try geoJSON(text)

        #expect(whole.count == 3)
        for size in 1...20 { #expect(try geoJSON(text, chunkSize: size) == whole) }
    }

    @Test func `a key repeated later is refused`() throws {
        func feature(_ key: String) -> String { #"{"type":"Feature","properties":{"key":"\#(key)","city":"Ely"}}"# }

        #expect(
            try geoJSON(collection([feature("a"), feature("b"), feature("a")]))
                .contains(.refused(line: 4, reason: "line 2 has the same key as line 4")))
    }

    @Test func `a bad feature between two of one friend does not separate them`() throws {
        let good = #"{"type":"Feature","properties":{"key":"a","name":"Ada","city":"Ely"}}"#
        let entries = try geoJSON(collection([good, "{}", good]))

        #expect(entries.compactMap(\.friend).map(\.addresses.count) == [2])
        #expect(entries.contains(.refused(line: 3, reason: "it is not a feature of GeoJSON")))
    }

    @Test func `a geometry that is not a point is noted`() throws {
        let area = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
        let entries = try geoJSON(
            collection([#"{"type":"Feature","properties":{"name":"Ada","city":"Ely"},"geometry":\#(area)}"#]))

        #expect(entries.first?.friend?.addresses.first?.position == nil)
        #expect(entries.dropFirst() == [.noted(line: 2, reason: "its geometry is not a point and was left out")])
    }

    @Test(arguments: ["[200,1]", "[1]", #"["x",1]"#, "{}"]) func `a point that is not on Earth is noted`(point: String)
        throws
    {
        let entries = try geoJSON(
            collection([
                #"{"type":"Feature","properties":{"name":"Ada","city":"Ely"},"geometry":{"type":"Point","coordinates":\#(point)}}"#
            ]))

        #expect(entries.dropFirst() == [.noted(line: 2, reason: "the position of address 1 is none on Earth")])
    }

    @Test func `a point without an address is kept where the country is known, else noted`() throws {
        let feature = #"{"type":"Feature","properties":{"name":"Ada"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        var options = ReadingOptions()
        options.country = "Ghana"

        #expect(
            try geoJSON(collection([feature])).last
                == .noted(line: 2, reason: "address 1 has neither street, city nor country"))
        #expect(
            try onlyFriend(of: geoJSON(collection([feature]), options: options)).addresses
                == [
                    LabelledAddress(
                        label: "", address: Address(country: "Ghana"), position: Coordinate(latitude: 2, longitude: 1))
                ])
    }

    @Test(arguments: [
        ("1", "it is not a feature of GeoJSON"),
        (#"{"type":"Point"}"#, "it is not a feature of GeoJSON"),
        (#"{"type":"Feature","properties":null}"#, "it has neither a name nor an address"),
        (#"{"type":"Feature","id":{},"properties":{"name":"Ada"}}"#, #"the member "id" is not a text"#),
        (#"{"type":"Feature","properties":{"name":"A\u0000"}}"#, #"there is a NUL character in the member "name""#),
        (#"{"type":"Feature","properties":{"name":"\ud800"}}"#, "it can't be read: an escape is half a character"),
        (
            #"{"type":"Feature","properties":{"name":"\#(String(repeating: "x", count: 2_001))"}}"#,
            #"the member "name" is longer than 2,000 characters"#
        ),
    ]) func `a feature that is not a contact is refused with the reason`(feature: String, reason: String) throws {
        #expect(try geoJSON(collection([feature])) == [.refused(line: 2, reason: reason)])
    }

    /// A separate test, because a test's arguments are printed.
    @Test func `a feature longer than 1 MiB is refused`() throws {
        let feature = #"{"type":"Feature","properties":{"note":"\#(String(repeating: "x", count: 1 << 20))"}}"#
        #expect(try geoJSON(collection([feature])) == [.refused(line: 2, reason: "it is longer than 1 MiB")])
    }

    @Test(arguments: [
        (#"{"type":"Topology","features":[]}"#, "is JSON, but neither a FeatureCollection nor a Feature of GeoJSON"),
        ("[]", "is JSON, but its \"type\" is missing; GeoJSON has one"),
        ("{\"type\":\n\"FeatureCollection\",\"features\":[", "line 2: it ends in the middle"),
        ("", "line 1: there is nothing but white space"),
    ]) func `a file that is not GeoJSON is an error`(text: String, problem: String) {
        let error = #expect(throws: FileError.self) { try geoJSON(text) }

        #expect(error?.description == "a.geojson: \(problem)")
    }

    @Test func `a large file is read only as far as needed`() throws {
        let feature = Array(#"{"type":"Feature","properties":{"name":"Ada","city":"Ely"}},"#.utf8)
        var sent = 0
        var contacts = ContactsGeoJSON(name: "a", size: nil, options: ReadingOptions(), chunkSize: 100) { buffer in
            let piece = sent == 0 ? Array(#"{"type":"FeatureCollection","features":["#.utf8) : feature
            sent += 1
            buffer.copyBytes(from: piece)
            return piece.count
        }
        for number in 1...10_000 {
            #expect(try contacts.next()?.friend?.sourceKey == "name:ada#\(number)")
            // A friend is complete when the next one begins.
            #expect(sent <= number + 2)
        }
    }
}

extension ContactEntry {
    var friend: Friend? { if case .contact(_, let friend) = self { friend } else { nil } }
}

/// Each feature on its own line, from line 2.
private func collection(_ features: [String]) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))]}"
}

private func geoJSON(
    _ text: String, chunkSize: Int = 256 << 10, options: ReadingOptions = ReadingOptions()
) throws -> [ContactEntry] {
    try entries(
        ContactsGeoJSON(
            name: "a.geojson", size: nil, options: options, chunkSize: chunkSize, read: chunks(of: text)))
}

private func onlyFeature(_ feature: String) throws -> Friend {
    try onlyFriend(of: geoJSON(collection([feature])))
}

func onlyFriend(of entries: [ContactEntry]) throws -> Friend {
    guard entries.count == 1, case .contact(_, let friend) = entries[0] else { throw NotOneFriend(entries: entries) }
    return friend
}
