@testable import Terminal

struct AddCommand: Command {
    static let name = "add"
    static let summary = "Read books from a file."
    static let discussion = """
        Each line of the file is one book. A book that is on the shelf already is left as it is, so the
        same file can be read again.

          shelf add books.csv
        """

    @Argument("FILE", "The books; - reads standard input.", completion: .files) var file: String
    @Argument("TAG", "Put on each of them.") var tags: [String] = []
    @Option("--owner", "NAME", "Whose books they are.") var owner = "me"
    @Option("-o", "--output", "FILE", "Where a report of the lines that could not be read goes.", completion: .files)
    var outputs: [String] = []
    @Option("--limit", "N", "At most this many.", in: 1...1000) var limit = 100
    @Option("--since", "Only books printed from this year on.") var since: Int?
    @Flag("-v", "--verbose", "Name each book.") var verbose
    @Flag("-n", "--dry-run", "Only say what would be added.") var dryRun

    func run() async throws {}
}

struct MoodOptions: ParameterGroup {
    @Option("--mood", "What the reader feels like.") var mood = "any"
    @Flag("--aloud", "Read it to them.") var isAloud
}

struct ReadCommand: Command {
    static let name = "read"
    static let summary = "Read a book."

    @Argument("BOOK", "Which.") var book: String
    let options = MoodOptions()

    func run() async throws {}
}

struct ListCommand: Command {
    static let name = "list"
    static let summary = "Show the books."

    enum Format: String, CaseIterable, OptionValue { case table, csv, geojson }

    @Option("--format", "How they are written.") var format = Format.table
    @Option("--wait", "How long another reader may keep us.", in: Duration.zero...Duration.seconds(60))
    var wait = Duration.milliseconds(1_500)
    @Option("--weight", "KG", "The lightest book shown.") var weight: Double?
    @Argument("SHELF", "Only this one.", in: 1...) var number: Int?

    func run() async throws {}
}

struct InspectCommand: Command {
    static let name = "inspect"
    static let summary = "Print what is stored."
    static let isHidden = true

    func run() async throws { throw ExitCode(7) }
}

struct RemindCommand: Command {
    static let name = "remind"
    static let summary = "Write to those whose loan's time is over."

    @Option("--from", "NAME", "Who signs it [in full].") var sender: String

    func run() async throws { throw UsageError("--from has to be a member") }
}

struct ReturnCommand: Command {
    static let name = "return"
    static let summary = "End a loan."

    struct Missing: Error, CustomStringConvertible { let description = "no such loan: 17" }

    func run() async throws { throw Missing() }
}
