import Geocodes
import Geocoding
import JSON

/// Writes every contact as a line of JSON, with all their addresses and places: https://github.com/ndjson/ndjson-spec
///
/// Addresses of a contact that come one after the other are one line.
package struct NDJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    /// The addresses of the contact that is not written yet.
    private var contact: [ContactPlace] = []

    package init(to file: OutputFile) {
        self.file = file
    }

    package mutating func write(_ place: ContactPlace) throws {
        if let first = contact.first, first.friend != place.friend { try writeContact() }
        contact.append(place)
    }

    package mutating func finish() throws -> OutputFile {
        try writeContact()
        return file
    }

    private mutating func writeContact() throws {
        guard let first = contact.first else { return }
        let texts = [
            ("key", first.sourceKey), ("name", first.name), ("first_name", first.firstName),
            ("last_name", first.lastName), ("nickname", first.nickname),
        ]
        let addresses = contact.map(Self.address).joined(separator: ",")
        try file.write("{\(Self.members(texts)),\"addresses\":[\(addresses)]}\n".utf8)
        contact.removeAll(keepingCapacity: true)
    }

    private static func address(_ place: ContactPlace) -> String {
        let address = place.address
        let texts = [
            ("label", place.label), ("street", address.street), ("city", address.city), ("region", address.region),
            ("postcode", address.postcode), ("country", address.country),
        ]
        return "{\(members(texts)),\"place\":{\(answer(place))}}"
    }

    private static func answer(_ place: ContactPlace) -> String {
        """
        "status":"\(place.status.rawValue)",\
        "latitude":\(place.coordinate.map { "\($0.latitude)" } ?? "null"),\
        "longitude":\(place.coordinate.map { "\($0.longitude)" } ?? "null"),\
        "precision":\(place.precision.map { JSONText.quoted($0.rawValue) } ?? "null"),\
        "confidence":\(place.confidenceText ?? "null"),\
        "provider":\(place.provider.map(JSONText.quoted) ?? "null")
        """
    }

    private static func members(_ texts: [(name: String, value: String)]) -> String {
        texts.map { "\"\($0.name)\":\(JSONText.quoted($0.value))" }.joined(separator: ",")
    }
}
