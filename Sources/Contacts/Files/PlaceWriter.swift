/// Writes addresses with their places, one after the other, to a file that is there once it is finished.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws

    /// Ends the file and puts it in its place. A writer that is dropped instead leaves nothing behind.
    mutating func finish() throws
}

/// The kinds of file that places are written to.
package enum PlaceFormat: Sendable, CaseIterable {
    case csv
    case geoJSON

    /// The kind that the name ends in. Standard output, `-`, is CSV.
    package init(path: String) throws {
        let name = path.lowercased()
        if path == "-" || name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".geojson") || name.hasSuffix(".json") {
            self = .geoJSON
        } else {
            throw FileError(file: path, problem: "the name must end in .csv, .geojson or .json")
        }
    }

    /// Opens `path` to be written. `attribution` names whose data the places are, where the format has room for it.
    package func writer(to path: String, attribution: [String]) throws -> any PlaceWriter {
        let file = try OutputFile(path: path)
        return switch self {
        case .csv: try CSVPlaceWriter(to: file)
        case .geoJSON: try GeoJSONPlaceWriter(to: file, attribution: attribution)
        }
    }
}
