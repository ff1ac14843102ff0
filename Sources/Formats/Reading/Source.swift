import Glibc
package import HTTP
package import Processes

/// A source of contacts: where it is, and how to read it.
package struct Source: Sendable {
    package enum Place: Sendable {
        case file(String)
        case server(HTTPURL)
    }

    package let place: Place
    package let format: SourceFormat
    package let options: ReadingOptions

    package init(place: Place, format: SourceFormat, options: ReadingOptions) {
        (self.place, self.format, self.options) = (place, format, options)
    }

    /// The name of the source in messages.
    package var name: String {
        switch place {
        case .file("-"): "standard input"
        case .file(let path): path
        case .server(let url): url.authority
        }
    }

    /// The path of a file that can be read several times; nil for a pipe and for a server.
    package var lastingPath: String? {
        guard case .file(let path) = place, fingerprint != nil else { return nil }
        return path
    }

    /// Returns whether `path` is the source itself under another name: a link, another path, or standard input from the
    /// file.
    package func isSame(as path: String) -> Bool {
        guard case .file(let source) = place, path != "-" else { return false }
        var (one, other) = (stat(), stat())
        guard stat(path, &other) == 0, (source == "-" ? fstat(STDIN_FILENO, &one) : stat(source, &one)) == 0,
            other.st_mode & S_IFMT == S_IFREG
        else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The default name of the feed: the whole path or URL, because two files of the same name in different folders are
    /// two feeds. A pipe has no feed.
    package var feed: String {
        switch place {
        case .server(let url): return url.text
        case .file(let path):
            guard lastingPath != nil, let real = realpath(path, nil) else { return "" }
            defer { free(real) }
            return String(cString: real)
        }
    }

    /// Identifies the source and its version; nil if that is impossible.
    package var fingerprint: String? {
        guard case .file(let path) = place else { return nil }
        return SourceFingerprint.ofFile(path, options: ["\(format)", "\(options)"])
    }

    /// Opens a file from its start.
    package func open(_ path: String) throws -> any ContactReader {
        try format.reader(path: path, options: options)
    }
}

extension Source {
    /// Returns whether a file of this name is a copy of the source with its own columns: a table of a table.
    package func isCopied(to output: String) -> Bool {
        guard let target = try? PlaceFormat(path: output) else { return false }
        return format.isTable ? target.isTable : format == .vCard && target == .vCard
    }

    /// Begins a copy at `output`; nil if the source can't be copied. Without `encoding` and `decimal` a CSV file has
    /// those of its source.
    package func copy(
        to output: String, _ encoding: FileEncoding?, decimal: DecimalMark? = nil, adding added: AddedColumns
    ) throws -> (any SourceCopy)? {
        guard let target = try? PlaceFormat(path: output), isCopied(to: output) else { return nil }
        return try copy(as: target, to: OutputFile(path: output), encoding, decimal: decimal, adding: added)
    }

    /// The same in memory, in the source's own format.
    package func copy(to memory: MemoryFile, adding added: AddedColumns) throws -> (any SourceCopy)? {
        guard let target = PlaceFormat(rawValue: format.rawValue) else { return nil }
        return try copy(as: target, to: OutputFile(to: memory), nil, decimal: nil, adding: added)
    }

    private func copy(
        as target: PlaceFormat, to file: @autoclosure () throws -> OutputFile, _ encoding: FileEncoding?,
        decimal: DecimalMark?, adding added: AddedColumns
    ) throws -> (any SourceCopy)? {
        guard let path = lastingPath else { return nil }
        func copy<Reader>(_ source: ContactsTable<Reader>) throws -> (any SourceCopy)? {
            try target.table(
                to: file(), encoding: encoding ?? .utf8, decimal: decimal ?? .point
            ).map { try TableCopy(of: source, to: $0, adding: added) }
        }
        // Copying rows only needs their keys and the number of their addresses.
        var options = options
        options.readsLines = !format.isTable
        switch format {
        case .csv where target == .xlsx || target == .ods:
            return try copy(ContactsCSV(path: path, options: options))
        case .csv:
            return try CSVCopy(
                of: ContactsCSV(path: path, options: options), to: file(),
                encoding: encoding ?? .ofFile(path, readAs: options.encoding),
                isTabbed: target == .tsv, decimal: decimal, adding: added)
        case .xlsx where target != .xlsx, .ods where target != .ods:
            let source = try ContactsTable(workbook: path, format: format, options: options)
            source.reader.keepsAll = true
            return try copy(source)
        case .xlsx, .ods:
            return try SheetCopy(
                of: path, format: format, options: options, to: file(), adding: added)
        case .vCard: return try VCardCopy(of: path, to: file(), options: options, adding: added)
        case .geoJSON, .ndjson, .monica: return nil
        }
    }
}
