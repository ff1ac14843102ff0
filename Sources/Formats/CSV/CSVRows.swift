/// A CSV file in memory, to be written again with columns added.
///
/// Each row keeps its bytes, and the file its delimiter, encoding, line ends and blank lines. A row with more fields
/// than the header has the rest behind the new columns.
package struct CSVRows: Sendable {
    private struct Row: Sendable {
        let fields: [String]
        let bytes, lineEnd: [UInt8]
        let blankLinesBefore: Int
    }

    package var header: [String] { rows.first?.fields ?? [] }
    /// The fields of each row below the header.
    package var fields: [[String]] { rows.dropFirst().map(\.fields) }

    /// The first is the header.
    private var rows: [Row] = []
    private var head: [UInt8] = []
    private var delimiter: UInt8
    private var encoding: FileEncoding
    private var blankLinesAtEnd = 0

    /// Reads all rows, or throws the first reason why one can't be read. A nil delimiter is detected.
    package init(
        _ bytes: [UInt8], encoding: TextEncoding, delimiter: UInt8?, mostRows: Int
    ) throws {
        var reader = CSVReader(bytes, encoding: encoding, delimiter: delimiter)
        (self.delimiter, self.encoding) = (delimiter ?? UInt8(ascii: ","), .utf8)
        var line = 1
        while let record = try reader.next() {
            guard case .fields(let start, let fields) = record else {
                if case .refused(let line, let reason) = record { throw UnreadableRow(line: line, reason: reason) }
                continue
            }
            if rows.isEmpty { head = reader.preamble.flatMap { $0 + [.lineFeed] } }
            guard rows.count <= mostRows else {
                throw UnreadableRow(line: start, reason: "there are more than \(mostRows) rows")
            }
            rows.append(
                Row(
                    fields: fields, bytes: reader.lastRecord, lineEnd: reader.lastLineEnd,
                    blankLinesBefore: rows.isEmpty && (reader.isDelimiterAnnounced || !reader.preamble.isEmpty)
                        ? 0 : start - line))
            line = reader.line
        }
        blankLinesAtEnd = reader.line - line
        self.delimiter = reader.delimiter ?? self.delimiter
        self.encoding = reader.encoding
        if reader.isDelimiterAnnounced { head += Array("sep=".utf8) + [self.delimiter] + (rows.first?.lineEnd ?? []) }
        // Such a file has no delimiter, and a comma in it is a part of an address.
        guard delimiter == nil, head.isEmpty, header.count == 1, rows.contains(where: { $0.fields.count > 1 }),
            let other = "|~^\t".utf8.first(where: { !bytes.contains($0) })
        else { return }
        self = try Self(bytes, encoding: encoding, delimiter: other, mostRows: mostRows)
    }

    /// The file with columns added. `cells` returns those of a row below the header, by its position.
    package func bytes(adding names: [String], _ cells: (Int) -> [String]) -> [UInt8] {
        var output = encoding.hasMark ? encoding.bytes(of: "\u{FEFF}".utf8) : []
        output += encoding.bytes(of: head)
        let lineEnd = rows.first?.lineEnd ?? []
        func addBlankLines(_ count: Int) { for _ in 0..<max(0, count) { output += encoding.bytes(of: lineEnd) } }
        for (number, row) in rows.enumerated() {
            addBlankLines(row.blankLinesBefore)
            let own = header.count
            var (line, added) = (row.bytes, number == 0 ? names : cells(number - 1))
            if row.fields.count > own {
                line = []
                for (index, field) in row.fields.prefix(own).enumerated() {
                    if index > 0 { line.append(delimiter) }
                    CSVText.append(field, delimiter: delimiter, to: &line)
                }
                added += row.fields.dropFirst(own)
            }
            line += Array(repeating: delimiter, count: max(0, own - row.fields.count))
            for cell in added {
                line.append(delimiter)
                CSVText.append(cell, delimiter: delimiter, to: &line)
            }
            output += encoding.bytes(of: line + row.lineEnd)
        }
        addBlankLines(blankLinesAtEnd)
        return output
    }

    /// The name of the encoding.
    package var encodingName: String { encoding.encoding.rawValue }
}

/// The reason contains nothing of the file.
package struct UnreadableRow: Error {
    package let line: Int
    package let reason: String
}
