import Glibc
import Processes
import Terminal
import Wording

struct SupportBundleCommand: Command {
    static let name = "support-bundle"
    static let summary = "Write a file of facts about the cluster, for a person who helps."
    static let discussion = """
        The file is a tar archive: versions, settings without secrets, the findings of 'doctor', the numbers of 'stats', chains, \
        the latest changes, PostgreSQL's settings, tables and sessions, and the log. It has no data of a contact. Look \
        through it before you send it. If the database is away, the parts that need it are missing.

        The log is that of systemd's journal. Name a file if it is elsewhere:

          docker compose logs --no-color | waypost support-bundle --log -
        """

    @Option("-o", "--output", "FILE", "Where it goes, a new file; - is standard output.", completion: .files)
    var output: String?
    @Option(
        "--log", "FILE", "A log, instead of the journal; only lines of Waypost are taken. - is standard input.",
        completion: .files
    )
    var logs: [String] = []

    func run() async throws {
        let settings = try Settings.current()
        // Refuses a wrong name before the work.
        if let output, output != "-" { try NewFile.requireAbsence(of: output) }
        if output == "-", isatty(STDOUT_FILENO) == 1 {
            throw UsageError("standard output is a terminal; name a file with -o")
        }
        let bundle = await SupportBundle.collect(settings, logs: logs)
        let (path, bytes) = (output ?? "\(bundle.name).tar.gz", bundle.packed)
        try NewFile.write(bytes, to: path)
        let screen = Screen.errors
        screen.write(bundle.contents)
        if path != "-" {
            screen.writeLine("Wrote \(path), \(Readable.bytes(bytes.count)). Look through it: tar -xzf \(path)")
        }
    }
}
