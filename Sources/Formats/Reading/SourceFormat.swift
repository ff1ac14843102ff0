/// The file formats that contacts are read from.
package enum SourceFormat: String, Sendable, CaseIterable {
    case csv, xlsx, ods
    case vCard = "vcard"
    case geoJSON = "geojson"
    case ndjson
    case monica

    /// Detects the format from the end of the name, or else from the first bytes. For standard input, `-`, only from
    /// the bytes.
    package init(path: String) throws {
        if let format = Self.ending(path)?.format {
            self = format
        } else {
            self = Self(beginning: try InputFile.beginning(of: path))
            if self == .csv, Self.isNamed(path) {
                throw FileError(file: path, problem: "is neither GeoJSON nor NDJSON nor an export of Monica")
            }
        }
    }

    /// Returns whether `path` ends like a file with contacts.
    package static func isNamed(_ path: String) -> Bool { ending(path) != nil }

    /// Returns whether tabs separate the columns of a table with this name.
    static func isTabbed(_ path: String) -> Bool { [".tsv", ".tab"].contains { path.lowercased().hasSuffix($0) } }

    private static func ending(_ path: String) -> (name: String, format: SourceFormat?)? {
        let name = path.lowercased()
        return endings.first { name.hasSuffix($0.name) }
    }

    /// Several formats end in `.json`.
    private static let endings: [(name: String, format: SourceFormat?)] = [
        (".csv", .csv), (".tsv", .csv), (".tab", .csv), (".txt", .csv), (".xlsx", .xlsx), (".xlsm", .xlsx),
        (".xltx", .xlsx), (".xlsb", .xlsx), (".ods", .ods), (".vcf", .vCard), (".vcard", .vCard),
        (".geojson", .geoJSON), (".ndjson", .ndjson), (".jsonl", .ndjson), (".json", nil),
    ]

    /// True if the file is a table with columns.
    package var isTable: Bool { self == .csv || isWorkbook }
    package var isWorkbook: Bool { self == .xlsx || self == .ods }

    /// The format is CSV if the bytes fit no other one.
    init(beginning: [UInt8]) {
        if beginning.starts(with: Packing.zip) {
            // The first entry of an OpenDocument file is its type, not compressed.
            let isOpenDocument = beginning.dropFirst(30).starts(with: "mimetypeapplication/vnd.oasis.opendocument".utf8)
            self = isOpenDocument ? .ods : .xlsx
            return
        }
        // UTF-16 has a zero next to each of these letters.
        let text = String(decoding: beginning.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self).trimmed.uppercased()
        self =
            switch JSONSource.kind(beginning: beginning) {
            case .geoJSON: .geoJSON
            case .ndjson: .ndjson
            case .monica: .monica
            case nil:
                text.hasPrefix("BEGIN:VCARD") ? .vCard : .csv
            }
    }

    /// Opens `path` for reading.
    package func reader(path: String, options: ReadingOptions) throws -> any ContactReader {
        switch self {
        case .csv: try ContactsCSV(path: path, options: options)
        case .xlsx, .ods: try ContactsTable(workbook: path, format: self, options: options)
        case .vCard: try ContactsVCard(path: path, options: options)
        case .geoJSON: try ContactsGeoJSON(path: path, options: options)
        case .ndjson: try ContactsNDJSON(path: path, options: options)
        case .monica: try ContactsMonica(path: path, options: options)
        }
    }
}
