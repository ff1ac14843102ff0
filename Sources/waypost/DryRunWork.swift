import Contacts
import Geocoding
import Postgres
import Terminal

/// Tells what geocoding a source would take, without writing anything.
struct DryRunWork: Sendable {
    let app: Application
    let account: String

    func run(over reader: inout some ContactReader) async throws -> DryRunReport {
        let forms = Dictionary(app.providers.map { ($0.name, $0.terms.forms) }, uniquingKeysWith: { first, _ in first })
        var bar = ProgressBar("Reading", total: reader.totalSize)
        defer { bar.erase() }
        let outcome = try await DryRun(account: account, forms: forms, geocodes: app.geocodes, queue: app.queue)
            .run(over: &reader, on: app.database) { bar.update(done: $0, label: "") }
        return DryRunReport(outcome: outcome)
    }
}
