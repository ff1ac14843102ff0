import Contacts
import Postgres
import Terminal

/// Reads a file of contacts into an account.
struct ImportWork: Sendable {
    let app: Application
    let file: String
    let account: String

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
        var work = ImportRun(intake: app.intake, database: app.database, account: account)
        work.feed = source.name
        work.fingerprint = SourceFingerprint.ofFile(file)
        var refusals: [Refusal] = []
        let summary = try await work.run(&source) { entry in
            if case .refused(let line, let reason) = entry { refusals.append(Refusal(line: line, reason: reason)) }
            if case .noted(let line, let reason) = entry { refusals.append(Refusal(line: line, reason: reason)) }
        } onProgress: { progress in
            bar.update(done: progress.bytesRead, label: "\(Readable.count(progress.contacts)) contacts")
        }
        return Outcome(counts: summary.counts, refusals: refusals)
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
