import Contacts
import Formats
import Postgres
import Questions
import Terminal

/// Forecasts the geocoding of a source. Writes nothing to the database.
struct ForecastWork: Sendable {
    let source: Source
    let account: String
    /// Nil for a forecast without workers.
    var wishes: Wishes?

    func run(in app: Application) async throws -> ForecastReport {
        let app = try await app.withPoints()
        guard case .file(let path) = source.place else { throw UsageError("--dry-run is for a file") }
        try source.showReading()
        var reader = try source.open(path)
        let contents = try await read(&reader, in: app)
        guard let wishes else { return ForecastReport(contents: contents, work: nil) }
        let survey = try await app.database.run { [contacts = app.contacts, registry = app.registry, account] in
            let chain = try contacts.chain(ofAccount: account, on: $0)
            return try Survey.read(along: chain, workers: registry, on: $0)
        }
        if Screen.errors.isTerminal { Screen.errors.write("Simulating …") }
        defer { if Screen.errors.isTerminal { Screen.errors.clearLine() } }
        do {
            let work = try survey.plan(
                contents.load, terms: app.terms, inWorker: app.inWorker, wishes: wishes,
                callsAtOnce: app.settings.callsAtOnce)
            return ForecastReport(contents: contents, work: work)
        } catch {
            throw UsageError(
                "the chain of this account has no lane called \"\(error.name)\"; it has "
                    + error.known.joined(separator: ", "))
        }
    }

    private func read(_ reader: inout some ContactReader, in app: Application) async throws -> DryRun.Outcome {
        var bar = ProgressBar("Reading", total: reader.totalSize, unit: .bytes)
        defer { bar.erase() }
        return try await DryRun(account: account, terms: app.terms)
            .run(over: &reader, on: app.database) { bar.update(done: $0, label: "") }
    }
}
