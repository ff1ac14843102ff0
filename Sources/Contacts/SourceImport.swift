package import Formats
package import Postgres

/// Imports the contacts of a source into an account.
package struct SourceImport: Sendable {
    private let source: Source
    private let account: String
    private let rules: ImportRules
    /// The path for a table of refused rows.
    private let report: String?

    package struct Outcome: Sendable {
        package let summary: ImportSummary
        package let refusals: Refusals

        package var counts: SyncCounts { summary.counts }

        package init(summary: ImportSummary, refusals: Refusals) {
            (self.summary, self.refusals) = (summary, refusals)
        }
    }

    package init(_ source: Source, into account: String, under rules: ImportRules, report: String? = nil) {
        (self.source, self.account, self.rules, self.report) = (source, account, rules, report)
    }

    /// `server` is needed if the source is one. `onProgress` is called whenever a batch is stored; a server's progress
    /// is counted in contacts.
    package func run(
        on database: Database, server: MonicaServer? = nil,
        onProgress: (ImportRun.Progress) -> Void = { _ in }
    ) async throws -> Outcome {
        switch source.place {
        case .file(let path):
            var reader = try source.open(path)
            return try await run(over: &reader, on: database, onProgress)
        case .server:
            guard let server else { preconditionFailure("a source that is a server is given with its client") }
            var contacts = MonicaContacts(server.pages(options: source.options))
            return try await run(over: &contacts, on: database, onProgress)
        }
    }

    private func run(
        over contacts: inout some ContactSource, on database: Database, _ onProgress: (ImportRun.Progress) -> Void
    ) async throws -> Outcome {
        var refusals = try Refusals.Log(of: source.name, report: report)
        let account = try await database.run { [account] in try ContactStore().openAccount(named: account, on: $0) }
        var rules = rules
        rules.fingerprint = source.fingerprint
        let summary = try await ImportRun(rules, database: database, account: account)
            .run(&contacts, onRefusal: { try refusals.add($0) }, onProgress: onProgress)
        return Outcome(summary: summary, refusals: try refusals.finish())
    }
}
