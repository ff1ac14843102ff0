import Contacts
import Formats
import Geocoding
import Terminal

/// Estimates the cost of geocoding a source. Writes nothing to the database.
struct DryRunWork: Sendable {
    let source: Source
    let account: String

    func run(in app: Application) async throws -> DryRunReport {
        guard case .file(let path) = source.place else { throw UsageError("--dry-run is for a file") }
        var reader = try source.open(path)
        return try await run(over: &reader, in: app)
    }

    private func run(over reader: inout some ContactReader, in app: Application) async throws -> DryRunReport {
        var bar = ProgressBar("Reading", total: reader.totalSize, unit: .bytes)
        defer { bar.erase() }
        let outcome = try await DryRun(account: account, terms: app.terms)
            .run(over: &reader, on: app.database) { bar.update(done: $0, label: "") }
        return DryRunReport(outcome: outcome)
    }
}
