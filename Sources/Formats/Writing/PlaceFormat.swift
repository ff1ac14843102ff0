/// The kinds of file that places are written to.
package enum PlaceFormat: String, Sendable, CaseIterable {
    case csv
    case tsv
    case geoJSON = "geojson"
    case kml
    case ndjson
    case vCard = "vcard"

    /// The kind that the name ends in. Standard output, `-`, is CSV.
    package init(path: String) throws {
        let name = path == "-" ? ".csv" : path.lowercased()
        guard let ending = Self.endings.first(where: { name.hasSuffix($0.name) }) else {
            throw FileError(file: path, problem: "the name must end in \(Self.endingsText)")
        }
        self = ending.format
    }

    /// Opens `path` to be written. `attribution` names whose data the places are, where the format has room for it; `encoding`
    /// is for tables, all else is UTF-8.
    package func writer(
        to path: String, attribution: [String], encoding: FileEncoding = .utf8,
        adding added: AddedColumns = .usual
    ) throws -> any PlaceWriter {
        let file = try OutputFile(path: path)
        return switch self {
        case .csv, .tsv: try CSVPlaceWriter(to: file, encoding: encoding, isTabbed: self == .tsv, adding: added)
        case .geoJSON: try GeoJSONPlaceWriter(to: file, attribution: attribution, adding: added)
        case .kml: try KMLPlaceWriter(to: file, attribution: attribution, adding: added)
        case .ndjson: NDJSONPlaceWriter(to: file, adding: added)
        case .vCard: VCardPlaceWriter(to: file, adding: added)
        }
    }

    private static let endings: [(name: String, format: PlaceFormat)] = [
        (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".geojson", .geoJSON), (".json", .geoJSON), (".kml", .kml),
        (".ndjson", .ndjson),
        (".jsonl", .ndjson), (".vcf", .vCard),
    ]

    /// `.csv, .geojson or .json`
    package static var endingsText: String {
        let names = endings.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
    }
}
