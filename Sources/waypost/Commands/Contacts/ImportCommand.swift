import Contacts
import Formats
import Operations
import Postgres
import Sentences
import Terminal

struct ImportCommand: Command {
    static let name = "import"
    static let summary = "Import contacts from a file or a server, and enqueue their addresses."
    static let discussion = """
        Reads CSV (also of Google Contacts and Outlook), TSV, vCard, LDIF, GeoJSON, NDJSON, the export of \
        Monica, and with https://… a server of Monica (its token is in WAYPOST_MONICA_TOKEN). A bad contact is \
        refused, and named by its line; the others are imported, and the command exits with 1.

          waypost import contacts.csv
          waypost import contacts.vcf --feed phone --complete
          waypost import https://monica.example.org --account family

        A repeated import writes only differences; an interrupted import resumes. A feed is the name under \
        which a source is imported again: --complete soft-deletes contacts that are no longer in it.
        """

    @Argument("SOURCE", "The file, or the server's address; - is standard input.", completion: .files)
    var source: String
    @Option("--account", "NAME", "The account that owns the contacts.") var account = "default"
    @Option("--feed", "NAME", "The source's name when it is imported again; by default the file's whole path.")
    var feed: String?
    @Flag("--complete", "The source has all contacts of the feed: soft-delete the others.") var isComplete
    @Flag("--allow-empty", "Accept a complete source without any contact.") var allowsEmpty
    let reading = SourceOptions()
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        if allowsEmpty, !isComplete { throw UsageError("--allow-empty is for --complete") }
        let contacts = try reading.source(source)
        let feed = feed ?? contacts.feed
        if isComplete, feed.isEmpty {
            throw UsageError("--complete needs --feed NAME when the source is standard input")
        }
        guard TextLimit.feed.permits(feed) else {
            throw UsageError("the feed's name \(TextLimit.feed.refusal); give a shorter one with --feed NAME")
        }
        let app = try await Application.forCommand()
        let outcome = try await ImportWork(
            app: app, source: contacts, account: account, feed: feed, isComplete: isComplete, mayBeEmpty: allowsEmpty,
            report: reading.report
        ).run()
        await app.database.close()
        if json { try Screen.output.writeJSON(ImportJSON(outcome)) } else { outcome.write() }
        if !outcome.refusals.isEmpty || outcome.summary.removal == .heldBackByEmptiness { throw ExitCode(1) }
    }
}

extension ImportWork.Outcome {
    fileprivate func write() {
        var parts = [
            "\(Words.count(counts.added, "contact")) added", "\(Readable.count(counts.changed)) changed",
            "\(Readable.count(counts.unchanged)) unchanged",
        ]
        if case .done(let count) = summary.removal { parts.append("\(Readable.count(count)) removed") }
        if summary.refused > 0 { parts.append("\(Readable.count(summary.refused)) refused") }
        Screen.output.writeLine("\(parts.joined(separator: ", ")).")
        Screen.output.writeLine(
            "They have \(Words.count(counts.addresses, "address", "addresses")), of which "
                + "\(Readable.count(counts.questions)) had not been asked before.")
        refusals.write(to: .errors)
        if let sentence = summary.removal.sentence { Screen.errors.writeLine(sentence) }
    }
}

extension ImportSummary.Removal {
    /// Why no friend was removed although the source is complete.
    fileprivate var sentence: String? {
        switch self {
        case .notMeant, .done: nil
        case .heldBackByRefusals:
            "Nobody was removed: a refused contact may be anybody. Correct the contacts named above, and import again."
        case .heldBackByEmptiness:
            "Nobody was removed: the source has no contact at all. If that is intended, use --allow-empty."
        }
    }

    /// The same for programs.
    fileprivate var word: String? {
        switch self {
        case .notMeant, .done: nil
        case .heldBackByRefusals: "refusals"
        case .heldBackByEmptiness: "emptiness"
        }
    }
}

/// The form of `import --json`.
private struct ImportJSON: Encodable {
    struct Refusal: Encodable {
        let line: Int
        let reason: String
        let isPartial: Bool
    }

    let contacts, friends, added, changed, unchanged, removed, addresses, questions: Int
    let refused: [Refusal]
    let refusedCount: Int
    let removalHeldBackBy: String?

    init(_ outcome: ImportWork.Outcome) {
        let (summary, counts) = (outcome.summary, outcome.counts)
        (contacts, friends, removed) = (summary.contacts, counts.friends, summary.removed)
        (added, changed, unchanged) = (counts.added, counts.changed, counts.unchanged)
        (addresses, questions) = (counts.addresses, counts.questions)
        refused = outcome.refusals.first.map { Refusal(line: $0.line, reason: $0.reason, isPartial: $0.isPartial) }
        refusedCount = outcome.refusals.count
        removalHeldBackBy = summary.removal.word
    }
}
