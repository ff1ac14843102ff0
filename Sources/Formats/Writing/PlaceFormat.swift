/// The file formats for places. A new one needs a writer, and a line of ``allCases``.
package struct PlaceFormat: RawRepresentable, CaseIterable, Hashable, Sendable {
    package let rawValue: String
    /// The endings of its file names.
    private let endings: [String]
    private let open: @Sendable (OutputFile, Content) throws -> any PlaceWriter
    /// Opens a file for the rows of any table; nil if the format is not a table.
    private var table: (@Sendable (OutputFile, Content) throws -> any TableWriter)?

    /// In the order of the help.
    package static let allCases = [csv, tsv, xlsx, ods, geoJSON, kml, ndjson, vCard, html]

    package static let csv = Self("csv", [".csv"], table: { try textTable(to: $0, $1) })
    package static let tsv = Self("tsv", [".tsv", ".tab"], table: { try textTable(to: $0, $1, isTabbed: true) })
    package static let xlsx = Self(
        "xlsx", [".xlsx"], table: { file, _ in try SheetTableWriter(to: file, isExcel: true) })
    package static let ods = Self("ods", [".ods"], table: { file, _ in try SheetTableWriter(to: file, isExcel: false) })
    package static let geoJSON = Self("geojson", [".geojson", ".json"]) {
        try GeoJSONPlaceWriter(to: $0, attribution: $1.attribution, adding: $1.added)
    }
    package static let kml = Self("kml", [".kml"]) {
        try KMLPlaceWriter(to: $0, attribution: $1.attribution, adding: $1.added)
    }
    package static let ndjson = Self("ndjson", [".ndjson", ".jsonl"]) { NDJSONPlaceWriter(to: $0, adding: $1.added) }
    package static let vCard = Self("vcard", [".vcf"]) { VCardPlaceWriter(to: $0, adding: $1.added) }

    package static let html = Self("html", [".html", ".htm"]) {
        try HTMLPlaceWriter(to: $0, attribution: $1.attribution, adding: $1.added)
    }

    /// The arguments of a writer in addition to its file. Each writer uses those that its format supports.
    private struct Content {
        let attribution: [String]
        let encoding: FileEncoding
        let isSafe: Bool
        let decimal: DecimalMark
        let added: AddedColumns
    }

    /// True for a table with columns.
    var isTable: Bool { table != nil }

    /// A writer of rows; nil if the format is not a table.
    func table(to file: OutputFile, encoding: FileEncoding, decimal: DecimalMark) throws -> (any TableWriter)? {
        try table?(
            file, Content(attribution: [], encoding: encoding, isSafe: false, decimal: decimal, added: .usual))
    }

    private static func textTable(
        to file: OutputFile, _ content: Content, isTabbed: Bool = false
    ) throws -> any TableWriter {
        try CSVTableWriter(
            to: file, encoding: content.encoding, isTabbed: isTabbed, isSafe: content.isSafe, decimal: content.decimal)
    }

    private init(
        _ name: String, _ endings: [String],
        table: @escaping @Sendable (OutputFile, Content) throws -> any TableWriter
    ) {
        self.init(name, endings) { try TablePlaceWriter(table($0, $1), adding: $1.added) }
        self.table = table
    }

    private init(
        _ name: String, _ endings: [String],
        _ open: @escaping @Sendable (OutputFile, Content) throws -> any PlaceWriter
    ) {
        (rawValue, self.endings, self.open) = (name, endings, open)
    }

    /// Nil if no format has this name.
    package init?(rawValue name: String) {
        guard let format = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = format
    }

    /// The format that fits the ending of the name. Standard output, `-`, is CSV.
    package init(path: String) throws {
        let name = path == "-" ? ".csv" : path.lowercased()
        guard let format = Self.allCases.first(where: { $0.endings.contains(where: name.hasSuffix) }) else {
            throw FileError(file: path, problem: "the name must end in \(Self.endingsText)")
        }
        self = format
    }

    /// Opens `path` for writing. `attribution` names the origin of the places, if the format supports it. `encoding`
    /// `isSafe` and `decimal`, see ``CSVTableWriter``, are for tables; other formats are UTF-8.
    package func writer(
        to path: String, attribution: [String], encoding: FileEncoding = .utf8,
        isSafe: Bool = false, decimal: DecimalMark = .point, adding added: AddedColumns = .usual
    ) throws -> any PlaceWriter {
        try open(
            OutputFile(path: path),
            Content(attribution: attribution, encoding: encoding, isSafe: isSafe, decimal: decimal, added: added))
    }

    /// `.csv, .geojson or .json`
    package static var endingsText: String {
        let names = allCases.flatMap(\.endings)
        return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
    }
}

/// Writes addresses with their places to a file, one after the other.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws

    /// Ends the file and returns it, ready for ``OutputFile/commit()``. If the writer or the file is dropped instead,
    /// nothing is left on the disk.
    mutating func finish() throws -> OutputFile
}

/// Copies a source unchanged, with the places of its contacts added.
///
/// The places come from the database, for about a thousand contacts at a time:
///
///     while let keys = try copy.read(limit: 1_000) { try copy.write(await places(of: keys)) }
///     try copy.finish().commit()
package protocol SourceCopy {
    /// Reads up to `limit` contacts and returns their source keys; nil at the end.
    mutating func read(limit: Int) throws -> [String]?

    /// Writes the contacts that were read last. Each key has its addresses in the order of the source.
    mutating func write(_ places: [String: [ContactPlace]]) throws

    /// Ends the file and returns it, ready for ``OutputFile/commit()``. If the copy or the file is dropped instead,
    /// nothing is left on the disk.
    mutating func finish() throws -> OutputFile
}
