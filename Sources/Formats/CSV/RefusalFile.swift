/// Writes a table of refusals: the line, whether the whole contact was left out (`refused`) or a part of it (`noted`),
/// and the reason.
///
/// It contains line numbers but no data of a contact, so it may be given to others.
struct RefusalFile {
    private let file: OutputFile

    /// Creates the table, which will be at `path` after ``finish()``.
    init(path: String) throws {
        file = try OutputFile(path: path)
        try write(["line", "what", "reason"])
    }

    func write(_ entry: ContactEntry) throws {
        switch entry {
        case .contact: break
        case .refused(let line, let reason): try write(["\(line)", "refused", reason])
        case .noted(let line, let reason): try write(["\(line)", "noted", reason])
        }
    }

    /// Moves the file to its path. It has a heading even if nothing was refused.
    func finish() throws {
        try file.commit()
    }

    private func write(_ fields: [String]) throws {
        var row: [UInt8] = []
        for (column, field) in fields.enumerated() {
            if column > 0 { row.append(UInt8(ascii: ",")) }
            CSVText.append(field, to: &row)
        }
        try file.write(row + [.lineFeed])
    }
}
