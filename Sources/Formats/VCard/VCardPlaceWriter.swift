import Geocoding

/// Writes each friend as a card of version 4.0, with all addresses: https://www.rfc-editor.org/rfc/rfc6350
struct VCardPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let parameters: VCardParameters
    /// The places of one friend, whose addresses are consecutive.
    private var places: [ContactPlace] = []

    package init(to file: OutputFile, adding added: AddedColumns = .usual) {
        self.file = file
        parameters = VCardParameters(adding: added)
    }

    package mutating func write(_ place: ContactPlace) throws {
        if let first = places.first, first.friend != place.friend { try writeCard() }
        places.append(place)
    }

    package mutating func finish() throws -> OutputFile {
        try writeCard()
        return file
    }

    private mutating func writeCard() throws {
        guard let friend = places.first else { return }
        var lines = ["BEGIN:VCARD", "VERSION:4.0"]
        lines += Self.key(friend.sourceKey)
        lines.append("FN:\(VCardText.escaped(friend.name))")
        let (first, last) = (VCardText.escaped(friend.firstName), VCardText.escaped(friend.lastName))
        if !(first + last).isEmpty { lines.append("N:\(last);\(first);;;") }
        if !friend.nickname.isEmpty { lines.append("NICKNAME:\(VCardText.escaped(friend.nickname))") }
        for (number, place) in places.enumerated() { lines += self.lines(of: place, number: number + 1) }
        lines.append("END:VCARD")
        for line in lines { try file.write(VCardText.folded(line)) }
        places = []
    }

    /// An id from a source is written as UID. Other keys have a meaning only for us, and our own reader accepts them
    /// unchanged.
    private static func key(_ key: String) -> [String] {
        let id = String(key.dropFirst(3))
        let isID = key.hasPrefix("id:") && !id.isEmpty && id.tidied.isExactly(id)
        if isID, TextLimit.id.fitted(id) != nil { return ["UID:\(VCardText.escaped(id))"] }
        return ["X-WAYPOST-KEY:\(VCardText.escaped(key))"]
    }

    private func lines(of place: ContactPlace, number: Int) -> [String] {
        let provider = place.provider.map { ";X-WAYPOST-PROVIDER=\($0)" } ?? ""
        let added = parameters.of(place.place).joined()
        let geo = (place.finalCoordinate.map { ";GEO=\"\(VCardPosition.uri($0))\"\(provider)" } ?? "") + added
        let address = place.address
        let parts = ["", "", address.street, address.city, address.region, address.postcode, address.country]
        let value = parts.map(VCardText.escaped).joined(separator: ";")
        switch place.label {
        case "": return ["ADR\(geo):\(value)"]
        case "home", "work": return ["ADR\(geo);TYPE=\(place.label):\(value)"]
        // A type must be a word from a list. Any other label goes where Apple puts it.
        default:
            return ["item\(number).ADR\(geo):\(value)", "item\(number).X-ABLabel:\(VCardText.escaped(place.label))"]
        }
    }
}

extension VCardText {
    /// A line in pieces of at most 75 bytes, with its line end: https://www.rfc-editor.org/rfc/rfc6350#section-3.2
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

/// The facts about a place that are added to an ADR: `;X-WAYPOST-MATCHED-ADDRESS="…"`.
struct VCardParameters {
    private let added: AddedColumns

    init(adding added: AddedColumns) {
        self.added = added
    }

    func of(_ place: KnownPlace) -> [String] {
        added.values(of: place).compactMap { name, value in
            guard let value = value?.text, !value.isEmpty else { return nil }
            let name = name.uppercased().map { $0 == "_" ? "-" : $0 }
            return ";X-WAYPOST-\(String(name))=\"\(Self.escaped(value))\""
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc6868#section-3.1
    private static func escaped(_ text: String) -> String {
        text.replacing("^", with: "^^").replacing("\r\n", with: "^n").replacing("\n", with: "^n")
            .replacing("\"", with: "^'").filter {
                $0 == "\t" || !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            }
    }
}
