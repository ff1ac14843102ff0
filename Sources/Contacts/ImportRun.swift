package import Formats
package import Postgres
import Queue

/// Reads a source to its end and stores its contacts.
///
/// Reading and hashing continue while up to two batches are being stored. So memory does not grow with the source, and
/// a slow database slows the reading.
package struct ImportRun: Sendable {
    private let writer = ContactWriter()
    package var database: any DatabaseAccess
    package var account: Int
    /// The feed: the source's name when it is imported again. A friend belongs to the feed that brought them last. With
    /// an empty name the friend belongs to none.
    package var feed = ""
    /// The source's identity, see ``SourceFingerprint``. With nil an interrupted import starts again from the
    /// beginning.
    package var fingerprint: String?
    /// True if the source has all contacts of the feed: then the others are soft-deleted.
    package var isComplete = false
    /// True if contacts missing from a complete source are soft-deleted even though some of its contacts were refused.
    package var removesDespiteRefusals = false
    /// True if a complete source may have no contact at all.
    package var mayBeEmpty = false

    /// Contacts stored in one transaction. With a quarter as many the server takes an eighth more time.
    var batchSize = 4_000

    /// A source with at most this many addresses goes before larger ones.
    static let smallSource = 1_000

    package init(database: any DatabaseAccess, account: Int) {
        self.database = database
        self.account = account
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
        let feed = try await database.run(within: nil) { [self] database in
            try writer.begin(
                feed: self.feed, account: account, fingerprint: fingerprint, isComplete: isComplete, on: database)
        }
        var progress = Progress()
        progress.contacts = feed.stored.reduce(0) { $0 + $1.count }
        try await store(source: &source, in: feed, &progress, onRefusal, onProgress)
        return try await database.run(within: nil) { [self, refused = progress.refused] database in
            try feed.finish(
                refused: refused, despiteRefusals: removesDespiteRefusals, mayBeEmpty: mayBeEmpty, on: database)
        }
    }

    private func store(
        source: inout some ContactSource, in feed: Feed, _ progress: inout Progress,
        _ onRefusal: (ContactEntry) throws -> Void, _ onProgress: (Progress) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (first: Int, contacts: Int, counts: SyncCounts).self) { group in
            var cutter = BatchCutter(size: batchSize, skipping: feed.stored)
            /// By their places in the source.
            var underWay: [Int: HashedFriends] = [:]
            func waitForOne() async throws {
                guard let done = try await group.next() else { return }
                underWay[done.first] = nil
                progress.contacts += done.contacts
                progress.counts += done.counts
                (progress.bytesRead, progress.totalSize) = (source.bytesRead, source.totalSize)
                onProgress(progress)
            }
            func store(_ batch: BatchCutter.Batch, isWhole: Bool = false) async throws {
                let hashed = HashedFriends(batch.friends)
                let addresses = batch.friends.reduce(0) { $0 + $1.addresses.count }
                let priority: Priority = isWhole && addresses <= Self.smallSource ? .soon : .usual
                // At most two batches, and friends that occur twice must be stored in the order of the source.
                while underWay.count >= 2 || underWay.values.contains(where: hashed.sharesFriends) {
                    try await waitForOne()
                }
                underWay[batch.first] = hashed
                group.addTask { [database] in
                    (
                        batch.first, batch.friends.count,
                        try await database.store(
                            hashed, of: feed, first: batch.first, contacts: batch.friends.count, priority: priority)
                    )
                }
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
            if let batch = cutter.rest() { try await store(batch, isWhole: batch.first == 0) }
            while !underWay.isEmpty { try await waitForOne() }
        }
    }
}

extension DatabaseAccess {
    /// Stores a batch. Retries after a deadlock with another program and after a lost connection: a restart of the
    /// server, or a pause of this process, does not end an import.
    fileprivate func store(
        _ batch: HashedFriends, of feed: Feed, first: Int, contacts: Int, priority: Priority
    ) async throws -> SyncCounts {
        try await Database.retrying(atMost: 4) {
            try await run(within: nil) {
                try feed.store(batch, first: first, contacts: contacts, priority: priority, on: $0)
            }
        }
    }
}
