import Geocoding

/// Writes every located address as a placemark, for Google Earth and similar programs:
/// https://www.ogc.org/standards/kml/
struct KMLPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]

    /// `attribution` names the origin of the places. It becomes the description of the document.
    package init(to file: OutputFile, attribution: [String], adding added: AddedColumns = .usual) throws {
        self.file = file
        columns = added.columns(of: .contact, .address, .place, in: .kml)
        try file.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2">
            <Document>

            """.utf8)
        guard !attribution.isEmpty else { return }
        try file.write("<description>\(XMLText.escaped(attribution.joined(separator: "\n")))</description>\n".utf8)
    }

    package mutating func write(_ place: ContactPlace) throws {
        guard let coordinate = place.coordinate else { return }
        // The schema requires this order. Longitude comes first, because it is x.
        try file.write(
            """
            <Placemark>\(Self.element("name", place.name))\(Self.element("address", Self.line(place.address)))\
            <ExtendedData>\(data(of: place))</ExtendedData>\
            <Point><coordinates>\(coordinate.longitude),\(coordinate.latitude)</coordinates></Point></Placemark>

            """.utf8)
    }

    package mutating func finish() throws -> OutputFile {
        try file.write("</Document>\n</kml>\n".utf8)
        return file
    }

    /// The address in the order of a letter, on one line.
    private static func line(_ address: Address) -> String {
        PostalFormat(of: address).lines(of: address).joined(separator: ", ")
    }

    private func data(of place: ContactPlace) -> String {
        columns.map { column in
            guard let value = column.value(place)?.text, !value.isEmpty else { return "" }
            return "<Data name=\"\(column.name)\">\(Self.element("value", value))</Data>"
        }.joined()
    }

    private static func element(_ name: String, _ text: String) -> String {
        text.isEmpty ? "" : "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }
}

enum XMLText {
    /// `text` escaped for the content of an element: https://www.w3.org/TR/xml/#charsets
    ///
    /// XML 1.0 can't contain most control characters, so they become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // An XML parser would turn a bare one into a line feed.
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
