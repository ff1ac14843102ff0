import Contacts
import Geocodes
import Glibc
import Postgres
import Queue
import Terminal

/// The job most people come for: a file in, its places out.
struct GeocodeWork: Sendable {
    let source: Source
    let outputs: [String]
    let account: String
    let report: String?
    var added = AddedColumns.usual

    /// Whom the file brought, and nobody else, is waited for and written.
    private var feed: String { source.feed.isEmpty ? source.name : source.feed }

    /// Finds what can't work before anything is started.
    func check() throws {
        try ExportWork.check(outputs)
        // A pipe can be read once only: what is wrong with it shows later.
        if let path = source.lastingPath { _ = try source.open(path) }
    }

    func run(in app: Application) async throws -> GeocodeReport {
        let start = ContinuousClock.now
        let callsBefore = try await calls(in: app)
        var work = ImportWork(app: app, source: source, account: account, feed: feed, report: report)
        // What comes out shall be what is in the file now, whatever was in it before.
        (work.isComplete, work.mayBeEmpty, work.removesDespiteRefusals) = (true, true, true)
        let imported = try await work.run()
        let progress = try await waitForAnswers(in: app)
        let took = start.duration(to: .now)
        let attributions = try await write(in: app)
        return GeocodeReport(
            imported: imported, progress: progress, calls: try await calls(in: app) - callsBefore, took: took,
            outputs: outputs, attributions: attributions)
    }

    /// Watches until no address of the file waits any more.
    private func waitForAnswers(in app: Application) async throws -> AddressProgress {
        var bar: ProgressBar?
        defer { bar?.erase() }
        var watch = WorkerWatch()
        var patience = DatabasePatience()
        while true {
            let asked = ContinuousClock.now
            let progress: AddressProgress
            let workers: Int
            do {
                (progress, workers) = try await app.database.run { [app, account, feed] db in
                    (
                        try app.contacts.progress(account: account, feed: feed, on: db),
                        try app.registry.workers(on: db).count
                    )
                }
            } catch let error as DatabaseError where error.isWorthRetrying {
                let pause = try patience.pause(after: error)
                if patience.hasJustBegun {
                    bar?.erase()
                    Screen.errors.writeLine("The database is away. Waiting.")
                }
                try await Task.sleep(for: pause)
                continue
            }
            patience = DatabasePatience()
            if progress.waiting == 0 { return progress }
            let done = progress.total - progress.waiting
            if watch.isLonely(workers: workers) {
                bar?.erase()
                Screen.errors.writeLine(
                    "No worker is running on this database; start one with 'waypost worker'. Waiting.")
            }
            // What was known before would make the pace look better than it is.
            if bar == nil { bar = ProgressBar("Geocoding", total: progress.total, from: done) }
            bar?.update(done: done, total: progress.total, label: progress.words)
            // Of a million addresses it takes a second to count them: the server is there for the workers.
            try await Task.sleep(for: max(.milliseconds(100), (ContinuousClock.now - asked) * 10))
        }
    }

    /// Writes all outputs. Those in the file's own format are the file itself, with the places added.
    private func write(in app: Application) async throws -> [String] {
        let copies = source.lastingPath == nil ? [] : outputs.filter { source.isCopied(to: $0) }
        var files: [OutputFile] = []
        for output in copies {
            if let file = try await CopyWork(app: app, source: source, account: account, added: added).run(to: output) {
                files.append(file)
            }
        }
        let written = try await ExportWork(app: app, filter: PlaceFilter(account: account, feed: feed), added: added)
            .write(to: outputs.filter { !copies.contains($0) })
        try (files + written.files).commit()
        return written.attributions
    }

    private func calls(in app: Application) async throws -> Int {
        try await app.database.run { [queue = app.queue] in try queue.lanes(on: $0).map(\.calls).reduce(0, +) }
    }
}

/// How long a database that is away is waited for: longer than a restart takes, and not for ever.
private struct DatabasePatience {
    private static let limit = Duration.seconds(120)
    private var backoff = Backoff()
    private var since: ContinuousClock.Instant?
    private(set) var hasJustBegun = false

    /// How long to wait after this failure, or an end of the patience that says what becomes of the work.
    mutating func pause(after error: DatabaseError, at now: ContinuousClock.Instant = .now) throws -> Duration {
        hasJustBegun = since == nil
        let start = since ?? now
        since = start
        guard now - start < Self.limit else {
            throw DatabaseError(
                message: "was away for two minutes: \(error.message)", sqlState: error.sqlState,
                hint: "nothing is lost; when the database is back, the same command goes on where it was",
                isConnectionLost: true)
        }
        return backoff.next()
    }
}

/// Notices when nobody works.
private struct WorkerWatch {
    private var since: ContinuousClock.Instant?
    private var isTold = false

    /// True once, when there was no worker for five seconds.
    mutating func isLonely(workers: Int, at now: ContinuousClock.Instant = .now) -> Bool {
        guard workers == 0 else {
            since = nil
            return false
        }
        let start = since ?? now
        since = start
        guard !isTold, now - start >= .seconds(5) else { return false }
        isTold = true
        return true
    }
}

extension AddressProgress {
    /// `1,100 located, 12 not found`
    fileprivate var words: String {
        [(located, "located"), (needsReview, "to review"), (notFound, "not found"), (failed, "failed")]
            .filter { $0.0 > 0 }.map { "\(Readable.count($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
