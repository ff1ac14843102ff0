import Geocodes
import Geocoding

/// Writes each friend as a card of version 4.0, with all their addresses: https://www.rfc-editor.org/rfc/rfc6350
package struct VCardPlaceWriter: PlaceWriter {
    private let file: OutputFile
    /// Of one friend, whose addresses come one after the other.
    private var places: [ContactPlace] = []

    package init(to file: OutputFile) {
        self.file = file
    }

    package mutating func write(_ place: ContactPlace) throws {
        if let friend = places.first, friend.sourceKey != place.sourceKey { try writeCard() }
        places.append(place)
    }

    package mutating func finish() throws {
        try writeCard()
        try file.commit()
    }

    private mutating func writeCard() throws {
        guard let friend = places.first else { return }
        var lines = ["BEGIN:VCARD", "VERSION:4.0"]
        if let id = Self.id(of: friend.sourceKey) { lines.append("UID:\(VCardText.escaped(id))") }
        lines.append("FN:\(VCardText.escaped(friend.name))")
        for (number, place) in places.enumerated() { lines += Self.lines(of: place, number: number + 1) }
        lines.append("END:VCARD")
        for line in lines { try file.write(VCardText.folded(line)) }
        places = []
    }

    /// Who is known by name gets no UID: the name is the key again when the card is read.
    private static func id(of key: String) -> String? {
        if key.hasPrefix("name:") { return nil }
        return key.hasPrefix("id:") ? String(key.dropFirst(3)) : key
    }

    private static func lines(of place: ContactPlace, number: Int) -> [String] {
        let geo = place.coordinate.map { ";GEO=\"\(VCardPosition.uri($0))\"" } ?? ""
        let address = place.address
        let parts = ["", "", address.street, address.city, address.region, address.postcode, address.country]
        let value = parts.map(VCardText.escaped).joined(separator: ";")
        switch place.label {
        case "": return ["ADR\(geo):\(value)"]
        case "home", "work": return ["ADR\(geo);TYPE=\(place.label):\(value)"]
        // A type is a word of a list. What else a person calls an address stands where Apple puts it.
        default:
            return ["item\(number).ADR\(geo):\(value)", "item\(number).X-ABLabel:\(VCardText.escaped(place.label))"]
        }
    }
}

extension VCardText {
    /// A line in pieces of 75 bytes at most, with its line end: https://www.rfc-editor.org/rfc/rfc6350#section-3.2
    static func folded(_ line: String) -> [UInt8] {
        var folded: [UInt8] = []
        var length = 0
        for scalar in line.unicodeScalars {
            let bytes = UTF8.width(scalar)
            if length + bytes > 75 {
                folded += "\r\n ".utf8
                length = 1
            }
            folded += String(scalar).utf8
            length += bytes
        }
        return folded + "\r\n".utf8
    }
}
