import Contacts
import Geocodes
import Glibc
import Postgres
import Queue
import Terminal

/// The job most people come for: a file in, its places out.
struct GeocodeWork: Sendable {
    let file: String
    let outputs: [String]
    let account: String

    /// Finds what can't work before anything is started.
    func check() throws {
        try ExportWork.check(outputs)
        // A pipe can be read once only: what is wrong with it shows later.
        var status = stat()
        if file != "-", stat(file, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            _ = try ContactsCSV(path: file)
        }
    }

    func run(in app: Application) async throws -> GeocodeReport {
        let start = ContinuousClock.now
        let callsBefore = try await calls(in: app)
        let imported = try await ImportWork(app: app, file: file, account: account).run()
        let progress = try await waitForAnswers(in: app)
        let took = start.duration(to: .now)
        let attributions = try await ExportWork(app: app, filter: PlaceFilter(account: account)).run(to: outputs)
        return GeocodeReport(
            imported: imported, progress: progress, calls: try await calls(in: app) - callsBefore, took: took,
            outputs: outputs, attributions: attributions)
    }

    /// Watches until no address of the account waits any more.
    private func waitForAnswers(in app: Application) async throws -> AddressProgress {
        var bar = ProgressBar("Geocoding", total: nil)
        defer { bar.erase() }
        var lonely = 0
        while true {
            let (progress, workers) = try await app.database.run { [app, account] db in
                (try app.contacts.progress(account: account, on: db), try app.registry.workers(on: db).count)
            }
            if progress.waiting == 0 { return progress }
            bar.update(
                done: progress.total - progress.waiting, total: progress.total,
                label: "\(Readable.count(progress.located)) located")
            lonely = workers == 0 ? lonely + 1 : 0
            if lonely == 50 {
                bar.erase()
                Screen.errors.writeLine(
                    "No worker is running on this database; start one with 'waypost worker'. Waiting.")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func calls(in app: Application) async throws -> Int {
        try await app.database.run { [queue = app.queue] in try queue.lanes(on: $0).map(\.calls).reduce(0, +) }
    }
}
