import Contacts
import Formats
import Geocoding
import Postgres
import Terminal

struct ExportCommand: Command {
    static let name = "export"
    static let summary = "Export the places of an account's contacts to files."
    static let discussion = """
        The ending of a file name sets its format: \(PlaceFormat.endingsText). GeoJSON and KML have located addresses, \
        the others all addresses. HTML is a page with a map, which needs no network. --label, --country and --status may be repeated:

          waypost export -o germany.kml --country Germany --country Austria --min-confidence 0.8
          waypost export -o map.html
          waypost export --format ndjson --status not_found --status failed
        """

    @Option("-o", "--output", "FILE", "The file to write; - is standard output.", completion: .files)
    var outputs: [String] = []
    @Option("--format", "FORMAT", "The format of standard output; without --output, it goes there.")
    var format: PlaceFormat?
    @Option("--add", "COLUMNS", AddedColumns.help) var added: [AddedColumns] = []
    @Option("--output-encoding", "Character encoding of CSV and TSV.") var encoding = FileEncoding.utf8
    @Option("--decimal", "Decimal mark of numbers in CSV and TSV.") var decimal = DecimalMark.point
    @Flag("--safe", "In CSV and TSV, put an apostrophe before texts that a spreadsheet would take for formulas.")
    var isSafe
    @Option("--account", "NAME", "The account that owns the contacts.") var account = "default"
    @Option("--label", "LABEL", "Only addresses with this label, such as home.") var labels: [String] = []
    @Option("--country", "Only addresses in this country.") var countries: [Country] = []
    @Option("--status", "STATUS", "Only addresses with this status.") var statuses: [GeocodeStatus] = []
    @Option("--min-confidence", "SHARE", "Only places with at least this confidence.", in: 0.0...1.0)
    var minimumConfidence: Double?

    func run() async throws {
        let files = outputs.isEmpty && format != nil ? ["-"] : outputs
        if format != nil, !files.contains("-") {
            throw UsageError("--format is for standard output; the ending of a file name sets its format")
        }
        try checkOutputs(files)
        let filter = PlaceFilter(
            account: account, labels: labels, countries: countries, statuses: statuses,
            minimumConfidence: minimumConfidence)
        let app = try await Application.forCommand()
        var export = PlaceExport(filter, database: app.database)
        (export.format, export.added) = (format ?? .csv, added.all)
        (export.encoding, export.isSafe, export.decimal) = (encoding, isSafe, decimal)
        var (bar, written) = (ProgressBar("Writing", total: nil), 0)
        defer { bar.erase() }
        let places = try await export.run(to: files) { count in
            written += count
            bar.update(done: written, label: "addresses")
        }
        try places.files.commit()
        bar.erase()
        await app.close()
        Screen.errors.writeLine("Wrote \(files.joined(separator: ", ")).")
        if !places.attributions.isEmpty {
            Screen.errors.writeLine("Places: \(places.attributions.joined(separator: "; "))")
        }
    }
}

extension PlaceFormat: OptionValue {}

extension DecimalMark: OptionValue {
    package static var placeholder: String { "MARK" }
}

extension AddedColumns: OptionValue {
    static let help = "More columns of a place: all, none, or names with commas between."

    package init?(word: String) { self.init(word) }
    package var word: String { "" }
    package static var placeholder: String { "COLUMNS" }
    package static var expectation: String {
        "all, none, or some of \(choices.joined(separator: ", ")), with commas between"
    }
}

extension [AddedColumns] {
    var all: AddedColumns { reduce(.usual) { $0.with($1) } }
}

extension FileEncoding: OptionValue {
    package init?(word: String) { self.init(name: word) }
    package var word: String { name }
    package static var placeholder: String { "ENCODING" }
    package static var expectation: String { "one of \(choices.joined(separator: ", "))" }
    package static var choices: [String] { allCases.map(\.name) }
}

extension Country: OptionValue {
    package init?(word: String) { self.init(word) }
    package var word: String { code }
    package static var placeholder: String { "COUNTRY" }
    package static var expectation: String { "a country by its code or by its name in any language" }
}
