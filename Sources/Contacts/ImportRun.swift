package import Formats
package import Postgres
import Queue

/// Reads a source to its end and stores its contacts.
///
/// Reading and hashing continue while up to two batches are being stored. So memory does not grow with the source, and
/// a slow database slows the reading.
package struct ImportRun: Sendable {
    private let writer = ContactWriter()
    private let rules: ImportRules
    private let database: any DatabaseAccess
    private let account: Int

    /// Contacts stored in one transaction. With a quarter as many the server takes an eighth more time.
    var batchSize = 4_000

    /// A source with at most this many addresses goes before larger ones.
    static let smallSource = 1_000

    package init(_ rules: ImportRules, database: any DatabaseAccess, account: Int) {
        (self.rules, self.database, self.account) = (rules, database, account)
    }

    /// The progress of an import.
    package struct Progress: Sendable {
        /// Contacts that are stored, by this run or an earlier one.
        package var contacts = 0
        /// The results of this run.
        package var counts = SyncCounts()
        package var refused = 0
        package var bytesRead = 0
        package var totalSize: Int?
    }

    /// Stores all contacts of `source`. `onRefusal` receives each contact, or part of one, that was left out; a
    /// continued import reports all of them again. `onProgress` is called whenever a batch is stored.
    package func run(
        _ source: inout some ContactSource, onRefusal: (ContactEntry) throws -> Void = { _ in },
        onProgress: (Progress) -> Void = { _ in }
    ) async throws -> ImportSummary {
        let work = try await database.run(within: nil) { [writer, rules, account] in
            try writer.begin(rules, account: account, on: $0)
        }
        var progress = Progress()
        progress.contacts = work.stored.reduce(0) { $0 + $1.count }
        try await read(&source, for: work, &progress, onRefusal, onProgress)
        return try await database.run(within: nil) { [refused = progress.refused] in
            try work.finish(refused: refused, on: $0)
        }
    }

    private func read(
        _ source: inout some ContactSource, for work: OpenImport, _ progress: inout Progress,
        _ onRefusal: (ContactEntry) throws -> Void, _ onProgress: (Progress) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (batch: ImportBatch, counts: SyncCounts).self) { group in
            var cutter = BatchCutter(size: batchSize, skipping: work.stored)
            /// By their places in the source.
            var underWay: [Int: HashedFriends] = [:]
            func waitForOne() async throws {
                guard let done = try await group.next() else { return }
                underWay[done.batch.first] = nil
                progress.contacts += done.batch.contacts
                progress.counts += done.counts
                (progress.bytesRead, progress.totalSize) = (source.bytesRead, source.totalSize)
                onProgress(progress)
            }
            func store(_ batch: ImportBatch) async throws {
                // At most two batches, and friends that occur twice must be stored in the order of the source.
                while underWay.count >= 2 || underWay.values.contains(where: batch.friends.sharesFriends) {
                    try await waitForOne()
                }
                underWay[batch.first] = batch.friends
                group.addTask { [database] in (batch, try await work.store(batch, in: database)) }
            }
            while let entry = try await source.next() {
                switch entry {
                case .contact(_, let friend):
                    if let batch = cutter.add(friend) { try await store(batch) }
                case .refused:
                    progress.refused += 1
                    try onRefusal(entry)
                case .noted:
                    try onRefusal(entry)
                }
            }
            if var batch = cutter.rest() {
                if batch.first == 0, batch.friends.addressCount <= Self.smallSource { batch.priority = .soon }
                try await store(batch)
            }
            while !underWay.isEmpty { try await waitForOne() }
        }
    }
}

extension OpenImport {
    /// Stores a batch. Retries after a deadlock with another program and after a lost connection: a restart of the
    /// server, or a pause of this process, does not end an import.
    fileprivate func store(_ batch: ImportBatch, in database: any DatabaseAccess) async throws -> SyncCounts {
        try await Database.retrying(atMost: 4) { try await database.run(within: nil) { try store(batch, on: $0) } }
    }
}
