import Geocodes
import Geocoding

/// Writes every address as a row of a table, located or not: https://www.rfc-editor.org/rfc/rfc4180
package struct CSVPlaceWriter: PlaceWriter {
    private let output: EncodedOutput
    private let delimiter: UInt8

    /// With tabs between its fields, where it `isTabbed`.
    package init(to file: OutputFile, encoding: FileEncoding = .utf8, isTabbed: Bool = false) throws {
        output = try EncodedOutput(file, encoding)
        delimiter = UInt8(ascii: isTabbed ? "\t" : ",")
        try writeRow([
            "key", "name", "label", "street", "city", "region", "postcode", "country", "status", "latitude",
            "longitude", "precision", "confidence", "provider", "first_name", "last_name", "nickname",
        ])
    }

    package mutating func write(_ place: ContactPlace) throws {
        let address = place.address
        try writeRow([
            place.sourceKey, place.name, place.label, address.street, address.city, address.region, address.postcode,
            address.country, place.status.rawValue, place.coordinate.map { "\($0.latitude)" } ?? "",
            place.coordinate.map { "\($0.longitude)" } ?? "", place.precision?.rawValue ?? "",
            place.confidenceText ?? "", place.provider ?? "", place.firstName, place.lastName, place.nickname,
        ])
    }

    package mutating func finish() throws -> OutputFile {
        output.file
    }

    private func writeRow(_ fields: [String]) throws {
        var row: [UInt8] = []
        for (column, field) in fields.enumerated() {
            if column > 0 { row.append(delimiter) }
            CSVText.append(field, delimiter: delimiter, to: &row)
        }
        // The RFC ends lines with CR LF. Spreadsheets take both, and grep, sort and diff only this.
        row.append(.lineFeed)
        try output.write(row)
    }
}
