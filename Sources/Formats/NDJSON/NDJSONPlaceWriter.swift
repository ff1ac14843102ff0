import JSON

/// Writes every contact as a line of JSON, with all addresses and places: https://github.com/ndjson/ndjson-spec
///
/// Consecutive addresses of a contact become one line.
struct NDJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let contactColumns, addressColumns, placeColumns: [OutputColumn]
    /// The addresses of the contact that is not written yet.
    private var contact: [ContactPlace] = []

    package init(to file: OutputFile, adding added: AddedColumns = .usual) {
        self.file = file
        contactColumns = added.columns(of: .contact, in: .ndjson)
        addressColumns = added.columns(of: .address, in: .ndjson)
        placeColumns = added.columns(of: .place, in: .ndjson)
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
        let line = JSONWriter.bytes { json in
            json.object { json in
                json.members(contactColumns, of: first)
                json.list("addresses", contact) { json, place in
                    json.object { json in
                        json.members(addressColumns, of: place)
                        json.object("place") { $0.members(placeColumns, of: place) }
                    }
                }
            }
        }
        try file.write(line)
        try file.write("\n".utf8)
        contact.removeAll(keepingCapacity: true)
    }
}

extension JSONWriter {
    /// Writes all columns, with null for unknown values.
    fileprivate mutating func members(_ columns: [OutputColumn], of place: ContactPlace) {
        for column in columns { member(column.name, column.value(place)) }
    }
}
