import Geocoding
import JSON

/// One table of address data, a CSV file or GeoJSON.
struct PointTable {
    private enum Rows {
        case columns(CSVReader, PointColumns)
        /// A feature on each line.
        case lines(PointBytes)
        /// A collection of features.
        case collection(JSONElements)
    }

    /// How the table is read, in one line.
    let reading: String
    private var rows: Rows
    private var options: PointReading
    private var last: AddressPoint?

    init(_ bytes: PointBytes, _ options: PointFile.Options) throws {
        do {
            if let rows = try Self.features(in: bytes, options) {
                self.rows = rows
                self.options = try PointReading(countryCode: options.country?.code ?? "", system: options.system)
                reading = "GeoJSON with the names of OpenStreetMap or OpenAddresses"
                return
            }
            let input = TextInput(name: bytes.name, size: nil, encoding: options.encoding, read: bytes.read)
            var reader = CSVReader(input)
            guard case .fields(_, let header) = try reader.next() else {
                throw Problem("has no header that can be read")
            }
            try options.layout?.check(header, of: bytes.name)
            guard let layout = options.layout ?? PointLayout(header: header) else {
                throw Problem(
                    "has none of the known headers; name its columns, for example: --columns "
                        + "number=housenumber,street=road,city=town,postcode=zip,longitude=lon,latitude=lat")
            }
            let columns = try PointColumns(layout, header: header)
            let code = options.country?.code ?? layout.country
            guard columns.hasCountry || !code.isEmpty else {
                throw Problem("has no column for the country; name it, for example: --country FR")
            }
            self.options = try PointReading(
                countryCode: code, system: options.system.isEmpty ? layout.system : options.system)
            rows = .columns(reader, columns)
            reading = layout.description
        } catch let problem as Problem {
            throw FileError(file: bytes.name, problem: problem.text)
        }
    }

    /// Nil if the bytes are not JSON.
    private static func features(in bytes: PointBytes, _ options: PointFile.Options) throws -> Rows? {
        let beginning = try bytes.beginning(64 << 10)
        let text = beginning.drop { [0xEF, 0xBB, 0xBF, 0x1E, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard text.first == UInt8(ascii: "{"), options.layout == nil else { return nil }
        let line = text.prefix { !$0.isLineEnd }
        if let value = try? JSONValue(parsing: Array(line)), value.object?["type"] == .text("Feature") {
            return .lines(bytes)
        }
        return .collection(
            JSONElements(at: [["features", "*"]], largest: NDJSONLines.longest, read: bytes.read))
    }

    /// Why a table can't be read.
    struct Problem: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Gives the points to `body` and counts them.
    mutating func forEach(_ report: inout PointFileReport, _ body: (AddressPoint) throws -> Void) throws {
        switch rows {
        case .columns(var reader, var columns):
            while let row = try reader.nextFields({ columns.point($0, $1, &options) }) {
                switch row {
                case .fields(.success(let point)): try give(point, &report, body)
                case .fields(.failure(let omission)): report.count(omission)
                case .refused: report.count(.malformed)
                }
            }
        case .lines(let bytes):
            var lines = NDJSONLines()
            var isAtEnd = false
            while !isAtEnd {
                let piece = try bytes.piece()
                if let piece { lines.feed(piece) } else { lines.end() }
                isAtEnd = piece == nil
                while let line = lines.next() {
                    guard case .whole(_, let text) = line else {
                        report.count(.malformed)
                        continue
                    }
                    // A sequence begins each text with a separator: https://www.rfc-editor.org/rfc/rfc8142
                    try give(text.first == 0x1E ? Array(text.dropFirst()) : text, &report, body)
                }
            }
        case .collection(var elements):
            while let element = try elements.next() { try give(element.bytes ?? [], &report, body) }
        }
    }

    private mutating func give(
        _ feature: [UInt8], _ report: inout PointFileReport, _ body: (AddressPoint) throws -> Void
    ) throws {
        let points: [AddressPoint]
        do throws(PointOmission) { points = try PointFeature(feature).points(&options) } catch {
            return report.count(error)
        }
        for point in points { try give(point, &report, body) }
    }

    /// A house with flats has a row for each of them in some tables.
    private mutating func give(
        _ point: AddressPoint, _ report: inout PointFileReport, _ body: (AddressPoint) throws -> Void
    ) throws {
        if let last, last.number == point.number, last.street == point.street, last.city == point.city,
            last.postcode == point.postcode
        {
            return report.count(.repeated)
        }
        last = point
        report.countPoint()
        try body(point)
    }
}
