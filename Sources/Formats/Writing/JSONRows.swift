import JSON
package import Processes

/// Writes a table as one JSON list of rows. The first row has the names of the columns.
struct JSONRows: TableWriter {
    private let file: OutputFile
    private var isFirst = true

    init(to file: OutputFile) { self.file = file }

    mutating func write(_ values: [OutputColumn.Value]) throws {
        try file.write((isFirst ? "[" : ",\n").utf8)
        isFirst = false
        try file.write(
            JSONWriter.bytes { json in
                json.list(values) { json, value in
                    switch value {
                    case .text(let text): json.value(text)
                    case .number(let written):
                        // A workbook may contain anything where a number should be.
                        if let number = Double(written), number.isFinite {
                            json.value(number)
                        } else {
                            json.value(written)
                        }
                    case .truth(let isTrue): json.value(isTrue)
                    }
                }
            })
    }

    mutating func finish() throws -> OutputFile {
        try file.write((isFirst ? "[]" : "]").utf8)
        return file
    }
}

extension Source {
    /// Begins a list of the rows with their places in JSON; nil if the source is not a table.
    package func rows(to memory: MemoryFile) throws -> (any SourceCopy)? {
        guard let path = lastingPath, format.isTable else { return nil }
        let rows = JSONRows(to: try OutputFile(to: memory))
        if format == .csv {
            return try TableCopy(of: ContactsCSV(path: path, options: options), to: rows, adding: .usual)
        }
        let table = try ContactsTable(workbook: path, format: format, options: options)
        return try TableCopy(of: table, to: rows, adding: .usual)
    }

    /// Begins the same for contacts that are not in a table: a row for each address.
    package static func placeRows(to memory: MemoryFile) throws -> any PlaceWriter {
        try TablePlaceWriter(JSONRows(to: OutputFile(to: memory)))
    }
}
