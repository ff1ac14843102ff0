import Formats
import Geocoding
import HTTP
import Terminal

/// Options for reading contacts, shared by all commands that read some.
struct SourceOptions: ParameterGroup {
    @Option("--from", "FORMAT", "The source's format; detected if omitted.")
    var format: SourceFormat?
    @Option("--encoding", "Character encoding of CSV or vCards; detected if omitted.")
    var encoding = TextEncoding.automatic
    @Option("--mapping", "FILE", "A file that assigns the columns of a table to fields.", completion: .files)
    var mapping: String?
    @Option("--columns", "NAMES", "The columns of a table without a header: name,street,city,-,country.")
    var columns: String?
    @Option("--sheet", "NAME", "The sheet of a workbook; the one with the most addresses if omitted.") var sheet:
        String?
    @Option("--country", "The country of contacts that have none.") var country: Country?
    @Option(
        "--report", "FILE",
        "Write a CSV file with line and reason of each contact that was refused, or read in part (noted).",
        completion: .files)
    var report: String?

    /// Returns whether none of these options was given.
    var isUntouched: Bool {
        isOnlyReport && report == nil
    }

    /// Returns whether no option but `--report` was given.
    var isOnlyReport: Bool {
        format == nil && encoding == .automatic && mapping == nil && columns == nil && sheet == nil
            && country == nil
    }

    /// The source with this name. Throws errors about its options.
    func source(_ path: String) throws -> Source {
        if report == "-" { throw UsageError("--report names a file") }
        guard path.hasPrefix("https://") || path.hasPrefix("http://") else { return try fileSource(path) }
        guard let url = HTTPURL(path), !path.contains("?") else {
            throw UsageError("the address of a server is like https://monica.example.org, without name, password or ?")
        }
        guard format ?? .monica == .monica, encoding == .automatic, mapping == nil, columns == nil, sheet == nil
        else {
            throw UsageError(
                "a server is always Monica; --from, --encoding, --mapping, --columns and --sheet are for files")
        }
        return Source(place: .server(url), format: .monica, options: try readingOptions)
    }

    private func fileSource(_ path: String) throws -> Source {
        if format == nil, [".ldif", ".ldi"].contains(where: path.lowercased().hasSuffix) {
            throw UsageError("LDIF is not read; export the contacts as vCard or CSV")
        }
        let format = try format ?? SourceFormat(path: path)
        if mapping != nil, columns != nil {
            throw UsageError("--mapping is for a file with a header, --columns for one without")
        }
        let name = format.rawValue
        if columns != nil, !format.isTable { throw UsageError("--columns is for tables, and this is \(name)") }
        if mapping != nil, !format.isTable { throw UsageError("--mapping is for tables, and this is \(name)") }
        if sheet != nil, !format.isWorkbook { throw UsageError("--sheet is for workbooks, and this is \(name)") }
        if encoding != .automatic, format != .csv, format != .vCard {
            throw UsageError("--encoding is for CSV and vCards; \(format.rawValue) is always UTF-8")
        }
        return Source(place: .file(path), format: format, options: try readingOptions)
    }

    private var readingOptions: ReadingOptions {
        get throws {
            var options = ReadingOptions()
            options.country = country?.name ?? ""
            (options.encoding, options.sheet) = (encoding, sheet)
            if let columns {
                do { options.columns = try ColumnNames(columns) } catch { throw UsageError("--columns: \(error)") }
            }
            options.mapping = try mapping.map { try ColumnMapping(path: $0) }
            return options
        }
    }
}

extension SourceFormat: OptionValue {}

extension TextEncoding: OptionValue {
    package static var placeholder: String { "ENCODING" }
}
