package import Postgres
import Tracking

/// Reads a history to its end and stores its positions, a part in each transaction.
///
/// A part is short, so that a live fix of the same user waits only a moment. Fixes of other users don't wait at all.
/// Reading continues while a part is being stored. Importing a history again stores nothing twice: so an interrupted
/// import is simply started again.
package struct HistoryImport: Sendable {
    private let database: Database
    private let account: Int
    private let user: String
    /// Fixes in one transaction.
    package var partSize = 4_000

    package init(into user: String, account: Int, database: Database) {
        (self.user, self.account, self.database) = (user, account, database)
    }

    /// The progress of an import.
    package struct Progress: Sendable {
        /// The fixes that are stored, or were stored before.
        package var fixes = 0
        /// By their fate.
        package var counts: [FixFate: Int] = [:]
        package var refused = 0
        package var bytesRead = 0
    }

    /// Stores all fixes of `reader`. The user must have a tracker. `onRefusal` receives each position that was left
    /// out, with the reason.
    package func run(
        _ reader: inout any HistoryReader, onRefusal: (_ line: Int, _ reason: String) throws -> Void = { _, _ in },
        onProgress: (Progress) -> Void = { _ in }
    ) async throws -> Progress {
        let now: Double = try await database.run { db in
            try db.query("SELECT extract(epoch FROM clock_timestamp()) AS now")[0].read("now")
        }
        var progress = Progress()
        try await withThrowingTaskGroup(of: (fixes: Int, counts: [FixFate: Int]).self) { group in
            func waitForPart() async throws {
                guard let done = try await group.next() else { return }
                progress.fixes += done.fixes
                progress.counts.merge(done.counts, uniquingKeysWith: +)
                progress.bytesRead = reader.bytesRead
                onProgress(progress)
            }
            while true {
                let part = try readPart(&reader, now: now) { line, reason in
                    progress.refused += 1
                    try onRefusal(line, reason)
                }
                // One at a time: two would wait for each other at the tracker's row.
                try await waitForPart()
                if part.isEmpty { break }
                group.addTask { (part.count, try await store(part)) }
            }
        }
        progress.bytesRead = reader.bytesRead
        onProgress(progress)
        return progress
    }

    /// Reads a part; it is empty at the end.
    private func readPart(
        _ reader: inout any HistoryReader, now: Double, _ onRefusal: (Int, String) throws -> Void
    ) throws -> [Fix] {
        var part: [Fix] = []
        part.reserveCapacity(partSize)
        while part.count < partSize, let entry = try reader.next() {
            switch entry {
            case .refused(let line, let reason): try onRefusal(line, reason)
            case .fix(let line, let fix):
                do throws(ReceivedFix.Unusable) { part.append(try ReceivedFix.checked(fix, now: now)) } catch {
                    try onRefusal(line, error.reason)
                }
            }
        }
        return part
    }

    /// Stores a part. Retries after a lost connection, and after a deadlock with another program.
    private func store(_ part: [Fix]) async throws -> [FixFate: Int] {
        try await Database.retrying(atMost: 4) {
            try await database.transaction {
                try TrackerStore().recordHistory(part, of: user, account: account, on: $0)
            }
        }
    }
}
