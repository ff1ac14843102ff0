import Formats
import Foundation
import Geocoding

/// The forms of a truth set as files, and their results.
struct QualityFiles {
    let folder: String

    func path(of form: QualityForm) -> String { "\(folder)/form-\(form.rawValue).csv" }
    func output(of form: QualityForm) -> String { "\(folder)/out-\(form.rawValue).csv" }

    /// Writes `truth.csv`, and a file for each form.
    func write(_ places: [TruthPlace], known: Set<String>, forms: [QualityForm]) throws {
        let truth = places.map { place in
            [
                place.id, "\(place.coordinate.latitude)", "\(place.coordinate.longitude)", place.country.code,
                known.contains(place.id) ? "1" : "0", place.kind.rawValue, place.name,
            ]
        }
        try write([["id", "lat", "lon", "country", "known", "kind", "name"]] + truth, to: "\(folder)/truth.csv")
        for form in forms {
            let rows = places.compactMap { place in form.row(of: place).map { [place.id] + $0 } }
            try write([form.header] + rows, to: path(of: form))
        }
    }

    private func write(_ rows: [[String]], to path: String) throws {
        let text = rows.map { $0.map(Self.field).joined(separator: ",") + "\n" }.joined()
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Rows of a file, as values by heading.
    static func rows(of path: String) throws -> [[String: String]] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        var reader = try CSVReader(path: path)
        var header: [String]?
        var rows: [[String: String]] = []
        while let record = try reader.next() {
            guard case .fields(_, let fields) = record else { continue }
            if let header {
                rows.append(Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first }))
            } else {
                header = fields
            }
        }
        return rows
    }
}
