/// Writes a table of what a source's contacts were refused for: the line, whether all of the contact was left out
/// (`refused`) or a part of it (`noted`), and why.
///
/// It names lines and nothing that stands in them, so it may be passed on.
package struct RefusalFile {
    private let file: OutputFile

    /// Opens a file to become `path`.
    package init(path: String) throws {
        file = try OutputFile(path: path)
        try write(["line", "what", "reason"])
    }

    package func write(_ entry: ContactEntry) throws {
        switch entry {
        case .contact: break
        case .refused(let line, let reason): try write(["\(line)", "refused", reason])
        case .noted(let line, let reason): try write(["\(line)", "noted", reason])
        }
    }

    /// Puts the file in its place, where there is always one then: it has a heading even when nothing was refused.
    package func finish() throws {
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
