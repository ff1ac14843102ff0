package import Formats
package import Postgres

/// Imports the contacts of a source into an account.
package struct SourceImport: Sendable {
    private let source: Source
    private let account: String
    /// The feed. A later import with the same name updates its contacts.
    private let feed: String
    package var isComplete = false
    package var mayBeEmpty = false
    package var removesDespiteRefusals = false
    /// The path for a table of refused rows.
    package var report: String?

    package struct Outcome: Sendable {
        package let summary: ImportSummary
        package let refusals: Refusals

        package var counts: SyncCounts { summary.counts }

        package init(summary: ImportSummary, refusals: Refusals) {
            (self.summary, self.refusals) = (summary, refusals)
        }
    }

    package init(_ source: Source, into account: String, feed: String) {
        (self.source, self.account, self.feed) = (source, account, feed)
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
        var work = ImportRun(database: database, account: account)
        (work.feed, work.fingerprint, work.isComplete) = (feed, source.fingerprint, isComplete)
        (work.mayBeEmpty, work.removesDespiteRefusals) = (mayBeEmpty, removesDespiteRefusals)
        let summary = try await work.run(&contacts) {
            try refusals.add($0)
        } onProgress: {
            onProgress($0)
        }
        return Outcome(summary: summary, refusals: try refusals.finish())
    }
}
