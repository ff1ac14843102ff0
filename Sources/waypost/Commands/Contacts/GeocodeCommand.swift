import Formats
import Geocoding
import Glibc
import Questions
import Terminal
import Towns

struct GeocodeCommand: ChangingCommand {
    static let name = "geocode"
    static let summary = "Geocode a file of contacts, or one address."
    static let discussion = """
        Uses the cluster of DATABASE_URL, or the one that runs in this folder; with neither, it runs a private one \
        until the work is done. Answered addresses are not asked again: started again after an interruption, the \
        command resumes.

          waypost geocode contacts.csv --dry-run
          waypost geocode contacts.csv -o places.geojson -o contacts-with-places.csv
          waypost geocode members.xlsx -o members-with-places.xlsx --sheet 2026
          waypost geocode contacts.csv --in-place --country FI --timeout 2h
          waypost geocode "1600 Pennsylvania Ave NW, Washington"

        An argument that exists as a file, ends like one (.csv, .tsv, .xlsx, .ods, .vcf, .geojson, .ndjson, \
        .json, also .pdf) or is - is a file; else it is an address. A table (CSV, TSV, XLSX, ODS) from a \
        table, and vCards from vCards, are copies with the places added, and keep all else; other outputs are as for export. For an address it prints the place, and \
        exits with 0 when it was located, else with 1. For a file it prints a summary, and exits with 1 when rows were \
        refused, or addresses have no answer when the wait is over. Located includes weak answers, coarser than \
        asked, such as the town of a house: the summary counts these apart.
        """

    @Argument("FILE|ADDRESS", "The file of contacts, or an address on one line.", completion: .files)
    var source: String
    @Option(
        "-o", "--output", "FILE", "The file to write; its ending sets the format, as for export.",
        completion: .files)
    var outputs: [String] = []
    @Option("--add", "COLUMNS", AddedColumns.help) var added: [AddedColumns] = []
    @Flag("--in-place", "Write the places into the file itself: CSV, a workbook or vCards.") var isInPlace
    @Option("--output-encoding", "Character encoding of CSV and TSV outputs; by default that of the file.")
    var outputEncoding: FileEncoding?
    @Option("--decimal", "Decimal mark of numbers in CSV and TSV outputs; by default that of the file.")
    var decimal: DecimalMark?
    @Option(
        "--timeout",
        "How long to wait for answers; the outputs get those that came in time. By default until none came for 20 s, "
            + "while the provider fails or is stopped.",
        in: .zero...(.seconds(31_536_000)))
    var timeout: Duration?
    @Flag("-n", "--dry-run", "Only print what a file would cost: calls, time and money.") var isDryRun
    let reading = SourceOptions()
    @Option("--account", "NAME", "The account that owns the contacts; by default one named after the file.")
    var account: String?
    @Option("--chain", "NAME", "The chain for an address; a file uses the chain of its account.")
    var chain: String?
    @Option("--workers", "N", "Worker processes of a private cluster.", in: 1...64) var workers = 2
    @Flag("--temporary", "Use a private cluster that leaves nothing behind.") var isTemporary
    @Flag("-v", "--verbose", "Print each step of an address as it happens.") var isVerbose
    @Flag("--json", "Print the place of an address, or the summary of a file, as JSON.") var json

    /// A dry run only reads, and a temporary cluster is deleted with the command.
    var changes: Bool { !isDryRun && !isTemporary }

    func run() async throws {
        if isFile { try await geocodeFile() } else { try await geocodeAddress() }
    }

    private var isFile: Bool {
        source == "-" || SourceFormat.isNamed(source) || FileName.isLikely(source) || access(source, F_OK) == 0
    }

    private func geocodeFile() async throws {
        if chain != nil || isVerbose { throw UsageError("--chain and --verbose are for an address") }
        if json, outputs.contains("-") { throw UsageError("--json and -o - both write to standard output") }
        if source != "-", access(source, F_OK) != 0 { throw FileError(file: source, problem: "no such file") }
        if isDryRun, !outputs.isEmpty || reading.report != nil || isInPlace || timeout != nil {
            throw UsageError("--dry-run writes nothing; leave --output, --in-place, --report and --timeout out")
        }
        let fileName = source.split(separator: "/").last.map(String.init) ?? source
        let account = account ?? fileName
        if isDryRun {
            let work = ForecastWork(source: try reading.source(source), account: account)
            let report = try await Application.withDatabase { try await work.run(in: $0) }
            return report.show(asJSON: json)
        }
        var outputs = outputs
        if isInPlace {
            if source == "-" { throw UsageError("--in-place is for a file, and this is standard input") }
            outputs.append(source)
        }
        if outputs.isEmpty { try checkOutputs(outputs) }
        let work = GeocodeWork(
            source: try reading.source(source), outputs: outputs, account: account, report: reading.report,
            timeLimit: timeout, isInPlace: isInPlace, added: added.all, encoding: outputEncoding,
            decimal: decimal)
        try work.check()
        try await Application.withCluster(workers: workers, isTemporary: isTemporary) { try await work.run(in: $0) }
            .show(asJSON: json)
    }

    private func geocodeAddress() async throws {
        if !outputs.isEmpty || !added.isEmpty || account != nil || isDryRun || isInPlace || !reading.isUntouched {
            throw UsageError(
                "--output, --add, --account, --dry-run, --in-place and reading options are for a file, and no file has "
                    + "this name")
        }
        guard TextLimit.text.fitted(source) != nil else { throw UsageError("the address \(TextLimit.text.refusal)") }
        let address = Gazetteer.shared.read(line: source)
        if address.isEmpty { throw UsageError("the address is empty") }
        let question = SingleQuestion(
            subject: .address(address), chain: chain ?? "default", tellsSteps: isVerbose, timeLimit: timeout)
        try await Application.withCluster(workers: workers, isTemporary: isTemporary) { try await question.run(in: $0) }
            .answer(asJSON: json)
    }
}

struct ReverseCommand: ChangingCommand {
    static let name = "reverse"
    static let summary = "Find what is at a coordinate."
    static let discussion = """
        Called before background work, within the limits of the lanes. Positions within about fifty metres share one \
        answer. Exits with 0 when something is there, and with 1 otherwise.
        """

    @Argument("LAT,LON", "The coordinate, in degrees.") var coordinate: Coordinate
    @Option("--chain", "NAME", "The chain to use.") var chain = "reverse"
    @Flag("-v", "--verbose", "Print each step as it happens.") var isVerbose
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let question = SingleQuestion(subject: .coordinate(coordinate), chain: chain, tellsSteps: isVerbose)
        try await Application.withCluster(workers: 1) { try await question.run(in: $0) }.answer(asJSON: json)
    }
}
