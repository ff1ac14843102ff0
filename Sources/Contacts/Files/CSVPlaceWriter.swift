import Geocodes
import Geocoding

/// Writes every address as a row of a table, located or not: https://www.rfc-editor.org/rfc/rfc4180
package struct CSVPlaceWriter: PlaceWriter {
    private let file: OutputFile

    package init(to file: OutputFile) throws {
        self.file = file
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
        file
    }

    private func writeRow(_ fields: [String]) throws {
        var row: [UInt8] = []
        for (column, field) in fields.enumerated() {
            if column > 0 { row.append(UInt8(ascii: ",")) }
            CSVText.append(field, to: &row)
        }
        // The RFC ends lines with CR LF. Spreadsheets take both, and grep, sort and diff only this.
        row.append(.lineFeed)
        try file.write(row)
    }
}
