import Geocoding
import JSON

/// Writes every located address as a point: https://www.rfc-editor.org/rfc/rfc7946
package struct GeoJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]
    private var isFirst = true

    /// `attribution` becomes a member of the collection, as section 6.1 allows: it names whose data the places are.
    package init(to file: OutputFile, attribution: [String], adding added: AddedColumns = .usual) throws {
        self.file = file
        columns = added.columns(of: .contact, .address, .place, in: .geoJSON)
        let sources = attribution.map(JSONText.quoted).joined(separator: ",")
        try file.write(#"{"type":"FeatureCollection","attribution":[\#(sources)],"features":["#.utf8)
    }

    package mutating func write(_ place: ContactPlace) throws {
        guard let coordinate = place.coordinate else { return }
        // Longitude comes first, as x does before y.
        let feature = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":\
            [\(coordinate.longitude),\(coordinate.latitude)]},"properties":{\(properties(of: place))}}
            """
        try file.write((isFirst ? "\n" : ",\n").utf8)
        try file.write(feature.utf8)
        isFirst = false
    }

    package mutating func finish() throws -> OutputFile {
        try file.write("\n]}\n".utf8)
        return file
    }

    /// An empty one is left out.
    private func properties(of place: ContactPlace) -> String {
        columns.compactMap { column in
            guard let value = column.value(place), !value.text.isEmpty else { return nil }
            return "\"\(column.name)\":\(value.json)"
        }.joined(separator: ",")
    }
}

extension OutputColumn.Value {
    var json: String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .number(let number): number
        }
    }
}
