import Cluster
import Operations
import Postgres
import Terminal

struct GeocodeCommand: Command {
    static let name = "geocode"
    static let summary = "Geocode a CSV file of contacts: import, wait, export."
    static let discussion = """
        Uses the cluster of DATABASE_URL, or the one that is up in this folder; with neither, it runs a private one \
        for as long as it takes. What was answered before is not asked again: interrupted and started anew, the \
        command goes on where it was.
        """

    @Argument("FILE", "The CSV file of contacts.", completion: .files) var file: String
    @Option(
        "-o", "--output", "FILE", "Where the places go: a name that ends in .csv or .geojson.",
        completion: .files)
    var outputs: [String] = []
    @Option("--account", "NAME", "Whose contacts these are; by default they are kept under the file's name.")
    var account: String?
    @Option("--workers", "N", "Worker processes of a private cluster.", in: 1...64) var workers = 2
    @Flag("--temporary", "Use a private cluster that leaves nothing behind.") var isTemporary

    func run() async throws {
        let settings = try Settings.current()
        let fileName = file.split(separator: "/").last.map(String.init) ?? file
        let work = GeocodeWork(file: file, outputs: outputs, account: account ?? fileName)
        try work.check()
        let ownsCluster = isTemporary || (settings.databaseURL == nil && settings.folder.runningURL == nil)
        if !ownsCluster {
            let app = try await Application.forCommand()
            let report = try await work.run(in: app)
            await app.database.close()
            return try report.show(file: file)
        }
        let report = Locked<GeocodeReport?>(nil)
        let screen = Screen.errors
        if screen.isTerminal { screen.write("Starting a private PostgreSQL …") }
        defer { if screen.isTerminal { screen.write("\r\u{1B}[K") } }
        let cluster = try await PrivateCluster.open(settings, workers: workers, isTemporary: isTemporary)
        try await cluster.run(Foreground(work: work, app: cluster.app, report: report), quietly: true)
        guard let report = report.withLock({ $0 }) else { throw ExitCode(130) }
        try report.show(file: file)
    }
}

/// The main job as a service: when it ends, the cluster around it stops.
private struct Foreground: Service {
    let name = "geocode"
    let work: GeocodeWork
    let app: Application
    let report: Locked<GeocodeReport?>

    func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        let done = try await work.run(in: app)
        report.withLock { $0 = done }
    }
}
