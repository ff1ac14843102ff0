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
    @Option("--mapping", "FILE", "A file that assigns the columns of a CSV file to fields.", completion: .files)
    var mapping: String?
    @Option("--columns", "NAMES", "The columns of a CSV file without a header: name,street,city,-,country.")
    var columns: String?
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
        format == nil && encoding == .automatic && mapping == nil && columns == nil && country == nil
    }

    /// The source with this name. Throws errors about its options.
    func source(_ path: String) throws -> Source {
        if report == "-" { throw UsageError("--report names a file") }
        guard path.hasPrefix("https://") || path.hasPrefix("http://") else { return try fileSource(path) }
        guard let url = HTTPURL(path), !path.contains("?") else {
            throw UsageError("the address of a server is like https://monica.example.org, without name, password or ?")
        }
        guard format ?? .monica == .monica, encoding == .automatic, mapping == nil, columns == nil else {
            throw UsageError("a server is always Monica; --from, --encoding, --mapping and --columns are for files")
        }
        return Source(place: .server(url), format: .monica, options: try readingOptions)
    }

    private func fileSource(_ path: String) throws -> Source {
        let format = try format ?? SourceFormat(path: path)
        if mapping != nil, columns != nil {
            throw UsageError("--mapping is for a file with a header, --columns for one without")
        }
        if columns != nil, format != .csv { throw UsageError("--columns is for CSV, and this is \(format.rawValue)") }
        if mapping != nil, format != .csv { throw UsageError("--mapping is for CSV, and this is \(format.rawValue)") }
        if encoding != .automatic, format != .csv, format != .vCard {
            throw UsageError("--encoding is for CSV and vCards; \(format.rawValue) is always UTF-8")
        }
        return Source(place: .file(path), format: format, options: try readingOptions)
    }

    private var readingOptions: ReadingOptions {
        get throws {
            var options = ReadingOptions()
            options.country = country?.name ?? ""
            options.encoding = encoding
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
