import Contacts
import Formats
import HTTP
import Locations
import Postgres
import Processes
import Questions
import Shapes
import Terminal

/// Imports a history of positions into a user's tracker.
struct HistoryWork: Sendable {
    let path: String
    let format: HistoryFormat
    let user: String
    let account: String
    var namesStays = false
    /// The path for a table of refused rows.
    var report: String?

    struct Outcome: Sendable {
        let progress: HistoryImport.Progress
        let refusals: Refusals
        let isNewTracker: Bool
        let naming: StayNaming.Summary?
    }

    static func format(of path: String) throws -> HistoryFormat {
        guard let format = try HistoryFormat(path: path) else {
            throw FileError(
                file: path == "-" ? "standard input" : path,
                problem:
                    "is not a history of positions; those are GPX, Google's Records.json, Semantic Location History "
                    + "and Timeline.json, and the .rec files of OwnTracks Recorder")
        }
        return format
    }

    func run(in app: Application) async throws -> Outcome {
        let (account, isNew) = try await app.database.transaction { [contacts = app.contacts, account, user] db in
            let number = try contacts.openAccount(named: account, on: db)
            return (number, try TrackerStore().makeTracker(of: user, account: number, on: db))
        }
        var bar = ProgressBar("Importing", total: nil, unit: .bytes)
        defer { bar.erase() }
        let (progress, refusals) = try await HistoryImport(into: user, account: account, database: app.database)
            .run(path, format, report: report) { progress, size in
                bar.update(done: progress.bytesRead, total: size, label: Words.count(progress.fixes, "fix", "fixes"))
            }
        bar.erase()
        let naming = namesStays ? try await StayNaming.work(of: user, account: account, in: app) : nil
        return Outcome(progress: progress, refusals: refusals, isNewTracker: isNew, naming: naming)
    }
}

extension StayNaming {
    /// Asks for the places of stays, with a progress bar.
    static func work(
        of user: String?, account: Int, chain: String = "reverse", shortest: Duration = .seconds(300),
        in app: Application
    ) async throws -> Summary {
        var bar = ProgressBar("Asking", total: nil)
        defer { bar.erase() }
        return try await StayNaming(database: app.database, account: account, chain: chain, shortest: shortest)
            .run(user: user) { bar.update(done: $0.stays, label: "stays") }
    }
}

extension StayNaming.Summary {
    var sentence: String {
        "\(Words.count(stays, "stay")) in \(Words.count(places, "place")), of which \(Readable.count(asked)) had not "
            + "been asked before."
    }
}

extension HistoryWork.Outcome {
    func write() {
        let counts = progress.counts
        var parts = ["\(Words.count(counts[.taken] ?? 0, "fix", "fixes")) stored"]
        if let doubted = counts[.doubted] { parts.append("\(Readable.count(doubted)) stored and doubted") }
        if let dropped = counts[.refused(.tooFast)] { parts.append("\(Readable.count(dropped)) doubted and dropped") }
        parts.append("\(Readable.count(counts[.repeated] ?? 0)) known already")
        if !refusals.isEmpty { parts.append("\(Readable.count(refusals.count)) refused") }
        Screen.output.writeLine("\(parts.joined(separator: ", ")).")
        if isNewTracker {
            Screen.output.writeLine(
                "The user had no tracker: one was created. It is off; 'waypost trackers start' lets a phone send fixes."
            )
        }
        if let naming { Screen.output.writeLine(naming.sentence) }
        refusals.write(to: .errors)
    }
}

extension HistoryWork.Outcome: Shaped {
    static let shape = Shape<HistoryWork.Outcome>("", "") {
        Member("stored", example: 20) { $0.progress.counts[.taken] ?? 0 }
        Member("doubted", example: 0) { $0.progress.counts[.doubted] ?? 0 }
        Member("dropped", example: 0) { $0.progress.counts[.refused(.tooFast)] ?? 0 }
        Member("repeated", example: 0) { $0.progress.counts[.repeated] ?? 0 }
        Including { $0.refusals }
        Member("is_new_tracker") { $0.isNewTracker }
        Member(ifAny: "stays") { $0.naming?.stays }
        Member(ifAny: "places") { $0.naming?.places }
        Member(ifAny: "asked") { $0.naming?.asked }
    }
}

extension SourceImport {
    /// Imports with a progress bar, as one trace.
    func run(_ source: Source, in app: Application) async throws -> Outcome {
        let http = app.settings.providers.newClient()
        let server = try source.server(app.settings, http)
        try source.showReading()
        var bar = ProgressBar("Importing", total: nil, unit: server == nil ? .bytes : .count)
        defer { bar.erase() }
        let outcome = try await app.traced("import") {
            try await run(on: app.database, server: server) { progress in
                bar.update(
                    done: progress.bytesRead, total: progress.totalSize,
                    label: Words.count(progress.contacts, "contact"))
            }
        }
        await http.close()
        return outcome
    }
}

extension Source {
    /// Nil for a file.
    fileprivate func server(_ settings: Settings, _ http: HTTPClient) throws -> MonicaServer? {
        guard case .server(let url) = place else { return nil }
        guard let token = settings.monicaToken else {
            throw UsageError(
                "WAYPOST_MONICA_TOKEN is not set; create a token in Monica under Settings > API, and set it")
        }
        return MonicaServer(url: url, token: token, http: http)
    }
}

extension Source {
    /// Shows how a table is read, so that a mistake is noticed before any provider is called.
    func showReading() throws {
        for line in try TableReading.lines(of: self) { Screen.errors.writeLine(line) }
    }
}

extension Refusals {
    /// The most that are printed as text.
    private static let mostNamed = 20

    /// Writes the refused lines with their reasons, without their content.
    func write(to screen: Screen) {
        for entry in first.prefix(Self.mostNamed) {
            screen.writeLine("\(source), line \(entry.line): \(entry.reason)")
        }
        guard count > Self.mostNamed else { return }
        let rest = Readable.count(count - Self.mostNamed)
        screen.writeLine("and \(rest) more: \(report ?? "--report FILE") lists all")
    }
}
