import Contacts
import Postgres
import Terminal

/// Reads a file of contacts into an account.
struct ImportWork: Sendable {
    let app: Application
    let file: String
    let account: String

    /// Contacts stored in one transaction.
    private static let batchSize = 1_000

    struct Refusal: Sendable {
        let line: Int
        let reason: String
    }

    struct Outcome: Sendable {
        var counts = SyncCounts()
        var refusals: [Refusal] = []
    }

    func run() async throws -> Outcome {
        var source = try ContactsCSV(path: file)
        var bar = ProgressBar("Importing", total: source.totalSize)
        defer { bar.erase() }
        let account = try await app.database.run { [intake = app.intake, account] in
            try intake.account(named: account, on: $0)
        }
        var outcome = Outcome()
        var batch: [Friend] = []
        while let entry = try source.next() {
            switch entry {
            case .contact(_, let friend): batch.append(friend)
            case .refused(let line, let reason), .noted(let line, let reason):
                outcome.refusals.append(Refusal(line: line, reason: reason))
            }
            if batch.count == Self.batchSize {
                outcome.counts += try await store(batch, account)
                batch = []
                bar.update(done: source.bytesRead, label: "\(Readable.count(outcome.counts.friends)) contacts")
            }
        }
        outcome.counts += try await store(batch, account)
        return outcome
    }

    private func store(_ batch: [Friend], _ account: Int) async throws -> SyncCounts {
        try await app.database.run { [intake = app.intake] in try intake.store(batch, account: account, on: $0) }
    }
}

extension ImportWork.Outcome {
    /// Names the refused rows by line: what stands in them is nobody's business.
    func reportRefusals(of file: String, to screen: Screen) {
        let file = file == "-" ? "standard input" : file
        for refusal in refusals.prefix(20) { screen.writeLine("\(file), line \(refusal.line): \(refusal.reason)") }
        if refusals.count > 20 { screen.writeLine("and \(Readable.count(refusals.count - 20)) rows more") }
    }
}
