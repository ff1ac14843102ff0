import Geocoding

/// Writes every located address as a placemark, for Google Earth and its like: https://www.ogc.org/standards/kml/
package struct KMLPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]

    /// `attribution` becomes the description of the document: it names whose data the places are.
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
        // In the order of the schema, which is a sequence. Longitude comes first, as x does before y.
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

    /// As it would stand on a letter, in one line.
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
