import Geocoding
import JSON

/// Writes every located address as a point: https://www.rfc-editor.org/rfc/rfc7946
struct GeoJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]
    private var isFirst = true

    /// `attribution` names the origin of the places. It becomes a member of the collection, as section 6.1 allows.
    package init(to file: OutputFile, attribution: [String], adding added: AddedColumns = .usual) throws {
        self.file = file
        columns = added.columns(of: .contact, .address, .place, in: .geoJSON)
        let sources = JSONWriter.text { json in json.list(attribution) { $0.value($1) } }
        try file.write(#"{"type":"FeatureCollection","attribution":\#(sources),"features":["#.utf8)
    }

    package mutating func write(_ place: ContactPlace) throws {
        guard let coordinate = place.coordinate else { return }
        let feature = JSONWriter.bytes { json in
            json.object { json in
                json.member("type", "Feature")
                json.object("geometry") { json in
                    json.member("type", "Point")
                    // Longitude comes first, because it is x.
                    json.list("coordinates", [coordinate.longitude, coordinate.latitude]) { $0.value($1) }
                }
                json.object("properties") { json in
                    // Empty values are left out.
                    for column in columns {
                        if let value = column.value(place), !value.text.isEmpty { json.member(column.name, value) }
                    }
                }
            }
        }
        try file.write((isFirst ? "\n" : ",\n").utf8)
        try file.write(feature)
        isFirst = false
    }

    package mutating func finish() throws -> OutputFile {
        try file.write("\n]}\n".utf8)
        return file
    }
}

extension JSONWriter {
    /// A column of an output: null if the value is unknown.
    mutating func member(_ name: String, _ value: OutputColumn.Value?) {
        switch value {
        case .text(let text): member(name, text)
        case .number(let number): member(name, number: number)
        case .truth(let isTrue): member(name, isTrue)
        case nil: null(name)
        }
    }
}
