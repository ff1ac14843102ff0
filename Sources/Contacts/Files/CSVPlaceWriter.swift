import Geocodes
import Geocoding

/// Writes every address as a row of a table, located or not: https://www.rfc-editor.org/rfc/rfc4180
package struct CSVPlaceWriter: PlaceWriter {
    private let file: OutputFile
    private let columns: [OutputColumn]

    package init(to file: OutputFile, adding added: AddedColumns = .usual) throws {
        self.file = file
        columns = added.columns(of: .contact, .address, .place, inTable: true)
        try writeRow(columns.map(\.name))
    }

    package mutating func write(_ place: ContactPlace) throws {
        try writeRow(columns.map { $0.value(place)?.text ?? "" })
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
