/// Writes every contact as a line of JSON, with all their addresses and places: https://github.com/ndjson/ndjson-spec
///
/// Addresses of a contact that come one after the other are one line.
package struct NDJSONPlaceWriter: PlaceWriter {
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
        let addresses = contact.map { place in
            "{\(Self.members(addressColumns, of: place)),\"place\":{\(Self.members(placeColumns, of: place))}}"
        }.joined(separator: ",")
        try file.write("{\(Self.members(contactColumns, of: first)),\"addresses\":[\(addresses)]}\n".utf8)
        contact.removeAll(keepingCapacity: true)
    }

    /// All of them: what is not known is null.
    private static func members(_ columns: [OutputColumn], of place: ContactPlace) -> String {
        columns.map { "\"\($0.name)\":\($0.value(place)?.json ?? "null")" }.joined(separator: ",")
    }
}
