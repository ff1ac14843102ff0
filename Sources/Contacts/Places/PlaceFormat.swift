/// The forms in which places can be written.
package enum PlaceFormat: String, Sendable, CaseIterable {
    case csv
    case geojson

    /// The form that a file's name asks for by its ending.
    package init(path: String) throws {
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
        guard let format = ending.flatMap({ $0 == "json" ? .geojson : PlaceFormat(rawValue: $0) }) else {
            throw FileError(file: path, problem: "can't tell the form from the name; end it in .csv, .geojson or .json")
        }
        self = format
    }

    /// `attribution` names the sources of the places, where the form has room for it.
    package func writer(to path: String, attribution: [String]) throws -> any PlaceWriter {
        switch self {
        case .csv: try CSVPlaceWriter(path: path)
        case .geojson: try GeoJSONPlaceWriter(path: path, attribution: attribution)
        }
    }
}

/// Writes places one after the other. The file appears when the writer has finished.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws
    mutating func finish() throws
}
