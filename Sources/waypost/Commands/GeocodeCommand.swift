import Geocodes
import Geocoding
import Glibc
import Terminal

struct GeocodeCommand: Command {
    static let name = "geocode"
    static let summary = "Geocode a CSV file of contacts, or one address."
    static let discussion = """
        Uses the cluster of DATABASE_URL, or the one that is up in this folder; with neither, it runs a private one \
        for as long as it takes. What was answered before is not asked again: interrupted and started anew, the \
        command goes on where it was.

          waypost geocode contacts.csv -o places.geojson
          waypost geocode "1600 Pennsylvania Ave NW, Washington"

        What names a file, ends in .csv or is - is a file. Of an address the place is printed; the command exits with \
        0 when it was located, and with 1 otherwise.
        """

    @Argument("FILE|ADDRESS", "The CSV file of contacts, or an address on one line.", completion: .files)
    var source: String
    @Option(
        "-o", "--output", "FILE", "Where the places of a file go; its name says the format, as for export.",
        completion: .files)
    var outputs: [String] = []
    @Option("--account", "NAME", "Whose contacts these are; by default they are kept under the file's name.")
    var account: String?
    @Option("--chain", "NAME", "Whom to ask about an address; a file is asked for along its account's.")
    var chain: String?
    @Option("--workers", "N", "Worker processes of a private cluster.", in: 1...64) var workers = 2
    @Flag("--temporary", "Use a private cluster that leaves nothing behind.") var isTemporary
    @Flag("-v", "--verbose", "Say each step of an address as it happens.") var isVerbose
    @Flag("--json", "Print the place of an address as JSON.") var json

    func run() async throws {
        if isFile { try await geocodeFile() } else { try await geocodeAddress() }
    }

    private var isFile: Bool {
        source == "-" || source.lowercased().hasSuffix(".csv") || access(source, F_OK) == 0
    }

    private func geocodeFile() async throws {
        if chain != nil || isVerbose || json { throw UsageError("--chain, --verbose and --json are for an address") }
        let fileName = source.split(separator: "/").last.map(String.init) ?? source
        let work = GeocodeWork(file: source, outputs: outputs, account: account ?? fileName)
        try work.check()
        try await Application.withCluster(workers: workers, isTemporary: isTemporary) { try await work.run(in: $0) }
            .show(file: source)
    }

    private func geocodeAddress() async throws {
        if !outputs.isEmpty || account != nil {
            throw UsageError("--output and --account are for a file, and there is none of this name")
        }
        let address = Address(line: source)
        if address.isEmpty { throw UsageError("an address says something") }
        let question = SingleQuestion(subject: .address(address), chain: chain ?? "default", tellsSteps: isVerbose)
        try await Application.withCluster(workers: workers, isTemporary: isTemporary) { try await question.run(in: $0) }
            .answer(asJSON: json)
    }
}
