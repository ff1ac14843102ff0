import Geocoding

/// Writes the located addresses as points, a line each: https://www.rfc-editor.org/rfc/rfc7946
struct GeoJSONPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private var isFirst = true

    init(path: String, attribution: [String]) throws {
        file = try OutputFile(path: path)
        let sources = attribution.map(Self.quoted).joined(separator: ", ")
        try file.write("{\"type\": \"FeatureCollection\", \"attribution\": [\(sources)], \"features\": [")
    }

    mutating func write(_ place: ContactPlace) throws {
        guard let coordinate = place.coordinate else { return }
        let address = place.address
        let properties = [
            ("key", place.sourceKey), ("name", place.name), ("label", place.label), ("street", address.street),
            ("city", address.city), ("region", address.region), ("postcode", address.postcode),
            ("country", address.country), ("precision", place.precision?.rawValue ?? ""),
            ("provider", place.provider ?? ""),
        ].filter { !$0.1.isEmpty }.map { "\"\($0.0)\": \(Self.quoted($0.1))" }.joined(separator: ", ")
        // Longitude first, as the standard has it.
        try file.write(
            (isFirst ? "\n" : ",\n")
                + "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": "
                + "[\(coordinate.longitude), \(coordinate.latitude)]}, \"properties\": {\(properties)}}")
        isFirst = false
    }

    func finish() throws {
        try file.write("\n]}\n")
        try file.commit()
    }

    /// https://www.rfc-editor.org/rfc/rfc8259#section-7, and U+2028 and U+2029 besides, which end a line
    /// in JavaScript.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{0}"..<" ", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
