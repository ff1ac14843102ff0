import Geocoding
import JSON

/// Writes every located address as a point: https://www.rfc-editor.org/rfc/rfc7946
package struct GeoJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private var isFirst = true

    /// `attribution` becomes a member of the collection, as section 6.1 allows: it names whose data the places are.
    package init(to file: OutputFile, attribution: [String]) throws {
        self.file = file
        let sources = attribution.map(JSONText.quoted).joined(separator: ",")
        try file.write(#"{"type":"FeatureCollection","attribution":[\#(sources)],"features":["#.utf8)
    }

    package mutating func write(_ place: ContactPlace) throws {
        guard let coordinate = place.coordinate else { return }
        // Longitude comes first, as x does before y.
        let feature = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":\
            [\(coordinate.longitude),\(coordinate.latitude)]},"properties":{\(Self.properties(of: place))}}
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
    private static func properties(of place: ContactPlace) -> String {
        let texts: [(name: String, value: String?)] = [
            ("key", place.sourceKey), ("name", place.name), ("label", place.label), ("street", place.address.street),
            ("city", place.address.city), ("region", place.address.region), ("postcode", place.address.postcode),
            ("country", place.address.country), ("precision", place.precision?.rawValue), ("provider", place.provider),
            ("first_name", place.firstName), ("last_name", place.lastName), ("nickname", place.nickname),
        ]
        var properties = texts.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\"\(name)\":\(JSONText.quoted($0))" }
        }
        if let confidence = place.confidenceText { properties.append("\"confidence\":\(confidence)") }
        return properties.joined(separator: ",")
    }
}
