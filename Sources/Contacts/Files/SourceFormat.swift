/// The kinds of file that contacts are read from.
package enum SourceFormat: Sendable, CaseIterable {
    case csv
    case vCard
    case geoJSON
    case ndjson
    case monica

    /// The kind that the name ends in; where it does not tell, and for standard input, `-`, what the first bytes look like.
    package init(path: String) throws {
        let name = path.lowercased()
        if [".csv", ".tsv", ".txt"].contains(where: name.hasSuffix) {
            self = .csv
        } else if [".vcf", ".vcard"].contains(where: name.hasSuffix) {
            self = .vCard
        } else if name.hasSuffix(".geojson") {
            self = .geoJSON
        } else if [".ndjson", ".jsonl"].contains(where: name.hasSuffix) {
            self = .ndjson
        } else {
            self = Self(beginning: try InputFile.beginning(of: path))
            if self == .csv, name.hasSuffix(".json") {
                throw FileError(file: path, problem: "is neither GeoJSON nor NDJSON nor an export of Monica")
            }
        }
    }

    /// CSV is what has no sign of its own.
    init(beginning: [UInt8]) {
        // UTF-16 has a zero beside each of these letters.
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

    /// Opens `path` to be read.
    package func reader(path: String, options: ReadingOptions) throws -> any ContactReader {
        switch self {
        case .csv: try ContactsCSV(path: path, options: options)
        case .vCard: try ContactsVCard(path: path, options: options)
        case .geoJSON: try ContactsGeoJSON(path: path, options: options)
        case .ndjson: try ContactsNDJSON(path: path, options: options)
        case .monica: try ContactsMonica(path: path, options: options)
        }
    }
}
