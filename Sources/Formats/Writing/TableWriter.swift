/// Writes the rows of a table to a file, the first one as its header.
protocol TableWriter {
    mutating func write(_ values: [OutputColumn.Value]) throws

    /// Ends the file and returns it, ready for ``OutputFile/commit()``.
    mutating func finish() throws -> OutputFile
}

/// Writes each address as a row of a table, located or not.
struct TablePlaceWriter: PlaceWriter {
    private var table: any TableWriter
    private let columns: [OutputColumn]

    init(_ table: any TableWriter, adding added: AddedColumns = .usual) throws {
        self.table = table
        columns = added.columns(of: .contact, .address, .place, in: .table)
        try self.table.write(columns.map { .text($0.name) })
    }

    mutating func write(_ place: ContactPlace) throws {
        try table.write(columns.map { $0.value(place) ?? .text("") })
    }

    mutating func finish() throws -> OutputFile { try table.finish() }
}

/// The decimal mark of numbers in a text. A spreadsheet whose language writes `51,223` reads `51.223` as 51223.
package enum DecimalMark: String, CaseIterable, Sendable {
    case point, comma

    func text(of value: OutputColumn.Value) -> String {
        guard self == .comma, case .number(let number) = value else { return value.text }
        return number.replacing(".", with: ",")
    }

    /// The mark of most numbers in the rows. Without any, semicolons separate the fields where commas are decimal marks.
    init(of rows: [[String]], delimiter: UInt8) {
        var balance = 0
        for cell in rows.joined() where cell.utf8.count < 30 {
            let digits = cell.trimmed.drop { $0 == "-" || $0 == "+" }
            let parts = digits.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
                // `1,234` may be a thousand.
                parts[1].count != 3 || parts[0].count > 3
            else { continue }
            balance += digits.contains(",") ? 1 : -1
        }
        self = balance > 0 || balance == 0 && delimiter == UInt8(ascii: ";") ? .comma : .point
    }
}
