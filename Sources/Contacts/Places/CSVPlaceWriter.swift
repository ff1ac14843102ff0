import Geocodes
import Geocoding

/// Writes every address as a row, found or not: https://www.rfc-editor.org/rfc/rfc4180
struct CSVPlaceWriter: PlaceWriter {
    private let file: OutputFile

    static let columns = [
        "key", "name", "label", "street", "city", "region", "postcode", "country", "status", "latitude", "longitude",
        "precision", "provider",
    ]

    init(path: String) throws {
        file = try OutputFile(path: path)
        try write(Self.columns)
    }

    func write(_ place: ContactPlace) throws {
        let address = place.address
        try write([
            place.sourceKey, place.name, place.label, address.street, address.city, address.region, address.postcode,
            address.country, place.status.rawValue, place.coordinate.map { "\($0.latitude)" } ?? "",
            place.coordinate.map { "\($0.longitude)" } ?? "", place.precision?.rawValue ?? "", place.provider ?? "",
        ])
    }

    func finish() throws {
        try file.commit()
    }

    /// Rows end with a plain line feed: the RFC says CRLF, but every reader takes LF, and `grep`, `diff`
    /// and `awk` take nothing else. A cell that a spreadsheet would calculate is left as it is, for what
    /// goes out must be what came in.
    private func write(_ fields: [String]) throws {
        try file.write(fields.map(Self.quoted).joined(separator: ",") + "\n")
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes =
            field.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == 10 || $0 == 13 }
            || field.utf8.first == UInt8(ascii: " ") || field.utf8.last == UInt8(ascii: " ")
        return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }
}
