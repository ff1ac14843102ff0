import Contacts
import Formats
import Geocoding
import Postgres
import Queue
import Terminal

/// Geocodes a file: imports its contacts, waits for the answers, and writes the places.
struct GeocodeWork: Sendable {
    let source: Source
    let outputs: [String]
    let account: String
    let report: String?
    /// The longest wait for answers.
    var timeLimit: Duration?
    /// True if an output may replace the source.
    var isInPlace = false
    var added = AddedColumns.usual
    /// The encoding of tables. Nil means that of the source in its copies, and UTF-8 elsewhere.
    var encoding: FileEncoding?
    /// The decimal mark of tables. Nil means that of the source in its copies, and a point elsewhere.
    var decimal: DecimalMark?

    /// The feed. Only its contacts are waited for and written.
    private var feed: String { Normalization.composed(source.feed.isEmpty ? source.name : source.feed) }

    /// Refuses wrong arguments before anything is started.
    func check() throws {
        try checkOutputs(outputs)
        for output in outputs + [report].compactMap(\.self) {
            guard source.isSame(as: output) else { continue }
            if !isInPlace || output == report {
                throw UsageError("\(output) is the source itself; name another file, or use --in-place")
            }
            if !source.isCopied(to: output) || source.lastingPath == nil {
                throw UsageError("--in-place is for CSV, workbooks and vCards; in other formats it would lose content")
            }
        }
        // A pipe can be read only once, so its errors appear later.
        if let path = source.lastingPath { _ = try source.open(path) }
    }

    func run(in app: Application) async throws -> GeocodeReport {
        let start = ContinuousClock.now
        let callsBefore = try await calls(in: app)
        // The output contains only the present contacts of the file, so others are removed.
        let rules = ImportRules(feed: feed, isComplete: true, mayBeEmpty: true, removesDespiteRefusals: true)
        let imported = try await SourceImport(source, into: account, under: rules, report: report).run(source, in: app)
        let answers = try await AnswerWait(
            database: app.database, workers: app.registry, account: account, feed: feed, limit: timeLimit
        ).run()
        let took = start.duration(to: .now)
        let attributions = try await write(answers.progress, contacts: imported.summary.contacts, in: app)
        let lanes = try await app.database.run { [contacts = app.contacts, account] in
            try contacts.lanes(of: account, on: $0)
        }
        let steps = NextSteps(
            after: answers.progress, isTable: source.format.isTable, account: account,
            knowsStreets: lanes != ["gazetteer"],
            hasDefaultCountry: !source.options.country.isEmpty, cluster: app.cluster)
        return GeocodeReport(
            imported: imported, progress: answers.progress, open: answers.open, timeLimit: timeLimit,
            calls: try await calls(in: app).merging(callsBefore, uniquingKeysWith: -).filter { $0.value > 0 },
            inWorker: try await app.withPoints().inWorker, took: took, outputs: outputs, attributions: attributions,
            next: steps.sentences)
    }

    /// Writes all outputs. An output in the source's own format is a copy of the source with the places added.
    private func write(_ progress: AddressProgress, contacts: Int, in app: Application) async throws -> [String] {
        let copies = source.lastingPath == nil ? [] : outputs.filter { source.isCopied(to: $0) }
        let others = outputs.filter { !copies.contains($0) }
        var bar = ProgressBar("Writing", total: contacts * copies.count + (others.isEmpty ? 0 : progress.total))
        defer { bar.erase() }
        var (files, written): ([OutputFile], Int) = ([], 0)
        for output in copies {
            let file = try await PlaceCopy(
                database: app.database, account: account, added: added, encoding: encoding, decimal: decimal
            ).run(source, to: output) { count in
                written += count
                bar.update(done: written)
            }
            if let file { files.append(file) }
        }
        var work = PlaceExport(PlaceFilter(account: account, feed: feed), database: app.database)
        (work.added, work.encoding, work.decimal) = (added, encoding ?? .utf8, decimal ?? .point)
        let export = try await work.run(to: others) { count in
            written += count
            bar.update(done: written)
        }
        try (files + export.files).commit()
        return export.attributions
    }

    /// The calls so far, by provider.
    private func calls(in app: Application) async throws -> [String: Int] {
        try await app.database.run { [queue = app.queue] in
            Dictionary(try queue.lanes(on: $0).map { ($0.lane, $0.calls) }) { first, _ in first }
        }
    }
}

/// Refuses names of outputs that can't work, before anything is started.
func checkOutputs(_ files: [String]) throws {
    if files.isEmpty { throw UsageError("there is no output; name a file, such as -o places.geojson") }
    for file in files {
        do { _ = try PlaceFormat(path: file) } catch { throw UsageError("\(error)") }
    }
}
