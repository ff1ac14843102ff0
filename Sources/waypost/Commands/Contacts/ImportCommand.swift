import Contacts
import Formats
import Locations
import Postgres
import Processes
import Questions
import Shapes
import Terminal

struct ImportCommand: ChangingCommand {
    static let name = "import"
    static let summary = "Import contacts from a file or a server, or a history of positions from a file."
    static let discussion = """
        Reads CSV (also of Google Contacts and Outlook), TSV, vCard, GeoJSON, NDJSON, the export of \
        Monica, and with https://… a server of Monica (its token is in WAYPOST_MONICA_TOKEN). A bad contact is \
        refused, and named by its line; the others are imported, and the command exits with 1.

          waypost import contacts.csv
          waypost import contacts.vcf --feed phone --complete
          waypost import https://monica.example.org --account family

        A repeated import writes only differences; an interrupted import resumes. A feed is the name under \
        which a source is imported again: --complete soft-deletes contacts that are no longer in it. --undo takes \
        the last import of the source back: what it added is soft-deleted, and what it removed is back.

        A history of positions needs --tracker, which says whose it is. Reads GPX, Google's Records.json, Semantic \
        Location History and Timeline.json, and the .rec files of OwnTracks Recorder:

          waypost import Records.json --tracker ada --account app --name-stays
        """

    @Argument("SOURCE", "The file, or the server's address; - is standard input.", completion: .files)
    var source: String
    @Option("--account", "NAME", "The account that owns the contacts.") var account = "default"
    @Option("--feed", "NAME", "The source's name when it is imported again; by default the file's whole path.")
    var feed: String?
    @Flag("--complete", "The source has all contacts of the feed: soft-delete the others.") var isComplete
    @Flag("--allow-empty", "Accept a complete source without any contact.") var allowsEmpty
    @Flag("--undo", "Take the last import of this source back.") var undoes
    let reading = SourceOptions()
    @Option("--tracker", "USER", "The source is a history of this user's positions.") var tracker: String?
    @Flag("--name-stays", "Ask what is at each place of the history's tracker where the user stayed.") var namesStays
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        if let tracker { return try await importHistory(of: tracker) }
        if namesStays { throw UsageError("--name-stays is for --tracker") }
        if undoes { return try await undo() }
        if allowsEmpty, !isComplete { throw UsageError("--allow-empty is for --complete") }
        let contacts = try contactSource()
        guard let feed = TextLimit.feed.fitted(feed ?? contacts.feed) else {
            throw UsageError("the feed's name \(TextLimit.feed.refusal); give a shorter one with --feed NAME")
        }
        if isComplete, feed.isEmpty {
            throw UsageError("--complete needs --feed NAME when the source is standard input")
        }
        try refuseHistory()
        let rules = ImportRules(feed: feed, isComplete: isComplete, mayBeEmpty: allowsEmpty)
        let work = SourceImport(contacts, into: account, under: rules, report: reading.report)
        let outcome = try await Application.opened { try await work.run(contacts, in: $0) }
        if json { Screen.output.writeJSON(outcome) } else { outcome.write() }
        if !outcome.refusals.isEmpty || outcome.summary.removal == .heldBackByEmptiness { throw ExitCode(1) }
    }

    private func undo() async throws {
        guard !isComplete, !allowsEmpty, reading.isUntouched else {
            throw UsageError("with --undo only --account, --feed and --json may be given")
        }
        let feed = try feed ?? contactSource().feed
        if feed.isEmpty { throw UsageError("--undo needs --feed NAME when the source is standard input") }
        let undo = try await Application.asking { [account] app, db in
            try app.contacts.undoImport(of: feed, account: account, by: .current, on: db)
        }
        guard let undo else {
            throw UsageError("the account \(account) has no import of \(feed); --account and --feed name another one")
        }
        if json { return Screen.output.writeJSON(undo) }
        Screen.output.writeLine(
            "Took the import of \(undo.startedAt) back: \(Words.count(undo.deleted, "contact")) deleted, "
                + "\(Readable.count(undo.restored)) restored.")
        if undo.changed > 0 {
            Screen.errors.writeLine(
                "\(Words.count(undo.changed, "contact")) that it changed \(undo.changed == 1 ? "keeps its" : "keep their") "
                    + "new values: import the former file again.")
        }
        Screen.errors.writeLine("'waypost friends purge --older-than 0s' deletes the deleted ones for good.")
    }

    private func contactSource() throws -> Source {
        do { return try reading.source(source) } catch let error as FileError {
            try refuseHistory()
            throw error
        }
    }

    /// Refuses a file that begins like a history of positions, because it is not a table of contacts.
    private func refuseHistory() throws {
        guard reading.isOnlyReport, try HistoryFormat(path: source) != nil else { return }
        throw UsageError("\(source) is a history of positions; say whose with --tracker USER")
    }

    private func importHistory(of user: String) async throws {
        try checkUser(user)
        guard feed == nil, !isComplete, !allowsEmpty, reading.isOnlyReport else {
            throw UsageError("with --tracker only --account, --report, --name-stays and --json may be given")
        }
        if reading.report == "-" { throw UsageError("--report names a file") }
        let work = HistoryWork(
            path: source, format: try HistoryWork.format(of: source), user: user, account: account,
            namesStays: namesStays, report: reading.report)
        let outcome = try await Application.opened { try await work.run(in: $0) }
        if json { Screen.output.writeJSON(outcome) } else { outcome.write() }
        if !outcome.refusals.isEmpty { throw ExitCode(1) }
    }
}

extension SourceImport.Outcome {
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
        if refusals.isEmpty, counts.added + summary.removed > 0 {
            Screen.errors.writeLine("To take it back: the same command with --undo.")
        }
        refusals.write(to: .errors)
        if let sentence = summary.removal.sentence { Screen.errors.writeLine(sentence) }
    }
}

extension ImportSummary.Removal {
    /// The reason why no friend was removed although the source is complete.
    fileprivate var sentence: String? {
        switch self {
        case .notMeant, .done: nil
        case .heldBackByRefusals:
            "Nobody was removed: a refused contact may be anybody. Correct the contacts named above, and import again."
        case .heldBackByEmptiness:
            "Nobody was removed: the source has no contact at all. If that is intended, use --allow-empty."
        }
    }
}

extension ImportUndo: Shaped {
    static let shape = Shape<ImportUndo>("", "") {
        Member("started_at", example: "2026-11-28T10:15:00Z") { $0.startedAt }
        Member("deleted", example: 24) { $0.deleted }
        Member("restored", example: 0) { $0.restored }
        Member("changed", example: 0) { $0.changed }
    }
}
