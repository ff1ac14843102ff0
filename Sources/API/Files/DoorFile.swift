import Formats
import Gateway
import HTTP
import JSON

/// A CSV file that was sent to a door. Each row is a request.
struct DoorFile: Sendable {
    /// The distinct requests.
    let requests: [GatewayRequest]

    private let rows: CSVRows
    /// The request of each row.
    private let requestOfRow: [Int]
    private let added: [String]
    private let name: String

    /// `items` are the parameters and the fields of the form.
    init(
        _ form: FileForm, _ items: [(name: String, value: String)], for file: Door.FileEndpoint, _ asked: GatewayRequest
    ) throws {
        func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
        rows = try Self.rows(form.bytes, encoding: values("encoding").last, delimiter: values("delimiter").last)
        let header = rows.header
        func place(_ column: String) throws -> Int {
            guard let place = header.firstIndex(of: column) else {
                throw RequestError.malformed("A column that the form names is not in the file.")
            }
            return place
        }
        let chosen = try values("columns").map(place)
        let line = chosen.isEmpty ? Array(header.indices) : chosen
        let parameters = try file.parameters.compactMap { parameter -> (String, Int)? in
            if let column = values(parameter.name).last { return (parameter.name, try place(column)) }
            guard let usual = parameter.columns.compactMap({ header.firstIndex(of: $0) }).first else {
                guard parameter.columns.isEmpty else {
                    throw RequestError.malformed(
                        "The file has no column \(parameter.columns.joined(separator: " or ")).")
                }
                return nil
            }
            return (parameter.name, usual)
        }
        var (requests, numbers): ([GatewayRequest], [[String]: Int]) = ([], [:])
        requestOfRow = rows.fields.map { fields in
            func field(_ place: Int) -> String { place < fields.count ? fields[place] : "" }
            var items = parameters.map { (name: $0.0, value: field($0.1)) }
            if let name = file.line {
                items.append((name, line.map(field).filter { !$0.isEmpty }.joined(separator: " ")))
            }
            let key = items.map(\.value)
            if let known = numbers[key] { return known }
            numbers[key] = requests.count
            let request = ServerRequest(.get, path: file.rows, query: items, headers: asked.headers)
            requests.append(GatewayRequest(request, path: file.rows))
            return requests.count - 1
        }
        self.requests = requests
        let wanted = values("result_columns")
        added = wanted.isEmpty ? file.added : file.added.filter(wanted.contains)
        let own = FileSettings.safe(form.name)
        name = own.lastIndex(of: ".").map { String(own[..<$0]) } ?? own
    }

    private static func rows(_ bytes: [UInt8], encoding: String?, delimiter: String?) throws -> CSVRows {
        guard let known = encoding.map({ TextEncoding(pythonName: $0) }) ?? .automatic else {
            throw RequestError.malformed("The encoding is not known here.")
        }
        let byte = delimiter?.utf8.first
        guard
            delimiter.map({ $0.utf8.count == 1 && !"\"\r\n".contains($0) && $0.utf8.allSatisfy { $0 < 0x80 } }) ?? true
        else {
            throw RequestError.malformed("The delimiter is not one character of ASCII.")
        }
        let rows: CSVRows
        do { rows = try CSVRows(bytes, encoding: known, delimiter: byte, mostRows: mostRows) } catch let error
            as UnreadableRow
        {
            throw RequestError.malformed("Line \(error.line) of the file can't be read: \(error.reason).")
        }
        guard !rows.header.isEmpty else { throw RequestError.malformed("The file is empty.") }
        return rows
    }

    private static let mostRows = 100_000

    /// The values of the added columns, from a reply; blank if nothing was found.
    func cells(of reply: [UInt8]) -> [String] {
        let features = (try? JSONValue(parsing: reply))?.object?["features"]?.list ?? []
        let found = features.prefix(2).map { $0.object ?? [:] }
        let coordinates = found.first?["geometry"]?.object?["coordinates"]?.list ?? []
        return added.map { column in
            let member = column.hasPrefix("result_") ? String(column.dropFirst(7)) : column
            let value: JSONValue? =
                switch member {
                case "longitude": coordinates.first
                case "latitude": coordinates.dropFirst().first
                case "score_next": found.dropFirst().first?["properties"]?.object?["score"]
                default: found.first?["properties"]?.object?[member]
                }
            return value?.text ?? value?.number.map { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" }
                ?? ""
        }
    }

    /// The file with columns added. `cells` returns those of a request, by its position.
    func response(_ cells: (Int) -> [String]?) -> ServerResponse {
        let blank = Array(repeating: "", count: added.count)
        let bytes = rows.bytes(adding: added) { cells(requestOfRow[$0]) ?? blank }
        var response = ServerResponse(
            status: 200, headers: ["Content-Type": "text/csv; charset=\(rows.encodingName)"], body: .bytes(bytes))
        response.headers.nameAttachment((name.isEmpty ? "places" : name) + ".geocoded.csv")
        return response
    }
}

extension TextEncoding {
    /// The encoding by its name in Python, such as `utf-8-sig`, `latin_1`, `cp1252` or `iso8859-15`.
    fileprivate init?(pythonName name: String) {
        var name = name.lowercased().replacing("_", with: "-")
        if name == "utf-8-sig" { name = "utf-8" }
        if name == "latin-1" { name = "latin1" }
        if name.hasPrefix("cp125") { name = "windows-" + name.dropFirst(2) }
        if name.hasPrefix("iso8859") { name = "iso-" + name.dropFirst(3) }
        self.init(rawValue: name)
    }
}
