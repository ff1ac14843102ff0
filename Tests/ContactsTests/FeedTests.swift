import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Testing

@testable import Contacts

@Suite(.database)
struct FeedTests {
    private let writer = ContactWriter()

    private func friend(_ number: Int, _ street: String = "Main St") -> Friend {
        Friend(
            sourceKey: "\(number)", name: "Friend \(number)",
            addresses: [
                LabelledAddress(label: "", address: Address(street: "\(number) \(street)", city: "Reno", country: "US"))
            ])
    }

    /// A source whose reading fails at the contact `end`, as if the process had been killed.
    private struct Source: ContactReader {
        struct Cut: Error {}
        var entries: [ContactEntry]
        var end: Int?
        let name = "made up"
        let totalSize: Int? = nil
        var bytesRead = 0

        init(_ friends: [Friend], end: Int? = nil) {
            entries = friends.enumerated().map { .contact(line: $0 + 1, $1) }
            self.end = end
        }

        mutating func next() throws -> ContactEntry? {
            if bytesRead == end { throw Cut() }
            guard bytesRead < entries.count else { return nil }
            defer { bytesRead += 1 }
            return entries[bytesRead]
        }
    }

    private func importAll(
        _ source: Source, fingerprint: String? = "a", isComplete: Bool = false, mayBeEmpty: Bool = false,
        account: String = "default", feed: String = "book"
    ) async throws -> ImportSummary {
        let database = try Database.test
        let account = try await database.run { try ContactStore().openAccount(named: account, on: $0) }
        let rules = ImportRules(feed: feed, fingerprint: fingerprint, isComplete: isComplete, mayBeEmpty: mayBeEmpty)
        var run = ImportRun(rules, database: database, account: account)
        run.batchSize = 1_000
        var source = source
        return try await run.run(&source)
    }

    private func begin(
        _ fingerprint: String = "a", isComplete: Bool = true, on db: isolated Connection
    ) throws -> OpenImport {
        try writer.begin(
            ImportRules(feed: "book", fingerprint: fingerprint, isComplete: isComplete),
            account: ContactStore().openAccount(named: "default", on: db), on: db)
    }

    private func texts(_ sql: SQL) async throws -> [String] {
        try await Database.test.run { db throws in try rows(sql, on: db).map { try $0.read("v") } }
    }

    private let present: SQL = "SELECT source_key AS v FROM friends WHERE deleted_at IS NULL ORDER BY source_key"

    @Test func `a complete feed removes the friends it did not contain, and a later import restores them`()
        async throws
    {
        let everybody = (1...5).map { friend($0) }
        _ = try await importAll(Source(everybody), isComplete: true)
        let fewer = try await importAll(Source(Array(everybody.prefix(3))), isComplete: true)
        #expect(fewer.removal == .done(2))
        #expect(fewer.counts.unchanged == 3)
        #expect(try await texts(present) == ["1", "2", "3"])
        let again = try await importAll(Source(everybody), isComplete: true)
        #expect(again.counts == SyncCounts(added: 2, unchanged: 3, addresses: 5))
        #expect(again.removal == .done(0))
        #expect(try await texts(present).count == 5)
    }

    @Test func `an incomplete feed removes no friend`() async throws {
        _ = try await importAll(Source((1...5).map { friend($0) }))
        #expect(try await importAll(Source([friend(1)])).removal == .notMeant)
        #expect(try await texts(present).count == 5)
    }

    @Test func `a complete feed removes only its own friends in its own account`() async throws {
        _ = try await importAll(Source([friend(1)]), feed: "other")
        _ = try await importAll(Source([friend(1)]), account: "another")
        _ = try await importAll(Source([friend(2), friend(3)]))
        #expect(try await importAll(Source([friend(3)]), isComplete: true).removal == .done(1))
        #expect(try await texts(present) == ["1", "1", "3"])
    }

    @Test func `refused rows hold back the removal`() async throws {
        _ = try await importAll(Source([friend(1), friend(2)]))
        var source = Source([friend(1)])
        source.entries.append(.refused(line: 2, reason: "broken"))
        let summary = try await importAll(source, isComplete: true)
        #expect(summary.removal == .heldBackByRefusals)
        #expect(summary.refused == 1)
        #expect(try await texts(present) == ["1", "2"])
    }

    @Test func `a note about a part of a contact does not hold back the removal`() async throws {
        _ = try await importAll(Source([friend(1), friend(2)]))
        var source = Source([friend(1)])
        source.entries.append(.noted(line: 1, reason: "an address says nothing"))
        #expect(try await importAll(source, isComplete: true).removal == .done(1))
    }

    @Test func `an empty source removes all friends only where that is permitted`() async throws {
        _ = try await importAll(Source([friend(1)]))
        #expect(try await importAll(Source([]), isComplete: true).removal == .heldBackByEmptiness)
        #expect(try await texts(present) == ["1"])
        #expect(try await importAll(Source([]), isComplete: true, mayBeEmpty: true).removal == .done(1))
        #expect(try await texts(present) == [])
    }

    /// The rows that an import leaves, without ids that depend on the order.
    private let outcome: SQL = """
        SELECT source_key || ' ' || friends.feed || ' ' || (deleted_at IS NULL) || ' ' || addresses.street || ' '
               || (geocodes.job IS NOT NULL) AS v
        FROM friends JOIN addresses ON friend = friends.id JOIN geocodes USING (hash)
        ORDER BY 1
        """

    @Test func `an import whose connection is cut stores the batch again`() async throws {
        try await Database.test.run(
            script: """
                CREATE SEQUENCE cuts;
                CREATE FUNCTION cut_once() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    -- A rollback does not reset a sequence, so it counts the failed attempts too.
                    IF nextval('cuts') = 2 THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60); END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER cut BEFORE INSERT ON import_batches FOR EACH ROW EXECUTE FUNCTION cut_once();
                """)
        let summary = try await importAll(Source((1...3_000).map { friend($0) }), isComplete: true)
        #expect(summary.contacts == 3_000)
        #expect(summary.counts == SyncCounts(added: 3_000, addresses: 3_000, questions: 3_000))
    }

    @Test func `a batch already stored is not stored again`() async throws {
        try await Database.test.run { db throws in
            let feed = try begin(on: db)
            let batch = ImportBatch([friend(1), friend(2)])
            let first = try feed.store(batch, on: db)
            #expect(first.added == 2)
            #expect(try feed.store(batch, on: db) == first)
            #expect(try feed.finish(on: db).counts == first)
        }
    }

    @Test(arguments: [1, 999, 1_000, 1_001, 2_500, 3_999]) func `an interrupted import resumes and ends the same`(
        end: Int
    ) async throws {
        let before = (1...4_000).map { friend($0, $0 % 2 == 0 ? "Main St" : "Elm St") } + [friend(5_000)]
        let after = (1...4_000).map { friend($0) }
        _ = try await importAll(Source(before), feed: "book")
        await #expect(throws: Source.Cut.self) {
            try await importAll(Source(after, end: end), fingerprint: "b", isComplete: true)
        }
        let stored = try await texts("SELECT first || '+' || contacts AS v FROM import_batches ORDER BY first")
        let summary = try await importAll(Source(after), fingerprint: "b", isComplete: true)
        #expect(
            summary
                == ImportSummary(
                    contacts: 4_000,
                    counts: SyncCounts(changed: 2_000, unchanged: 2_000, addresses: 4_000, questions: 2_000),
                    removal: .done(1)))
        // Batches are stored in parallel, so any of them may be missing.
        #expect(Set(stored).isSubset(of: ["0+1000", "1000+1000", "2000+1000"]))
        let resumed = try await texts(outcome)
        #expect(resumed.count == 4_001)
        #expect(resumed.filter { $0.contains("Main St") }.count == 4_001)
        #expect(try await texts("SELECT import::text AS v FROM import_batches") == [])
    }

    @Test func `imports without a feed run in parallel`() async throws {
        let database = try Database.test
        let feeds = try await database.run { db throws in
            let account = try ContactStore().openAccount(named: "default", on: db)
            return try (1...2).map { _ in
                try writer.begin(ImportRules(), account: account, on: db)
            }
        }
        for (number, feed) in feeds.enumerated() {
            try await database.run { db throws in
                _ = try feed.store(ImportBatch([friend(number)]), on: db)
            }
        }
        for feed in feeds {
            #expect(try await database.run { db throws in try feed.finish(on: db) }.contacts == 1)
        }
        #expect(try await texts(present) == ["0", "1"])
        #expect(try await texts("SELECT DISTINCT feed AS v FROM friends") == [""])
    }

    @Test func `rows stored by an earlier run are not stored again`() async throws {
        let database = try Database.test
        try await database.run { db throws in
            let feed = try begin(on: db)
            _ = try feed.store(ImportBatch([friend(1), friend(2)]), on: db)
        }
        // The stored streets of the first two friends differ from the source's. Storing the friends again would change
        // them.
        let source = Source([friend(1, "Elm St"), friend(2, "Elm St"), friend(3)])
        let summary = try await importAll(source, isComplete: true)
        #expect(summary.counts == SyncCounts(added: 3, addresses: 3, questions: 3))
        #expect(
            try await texts("SELECT street AS v FROM addresses ORDER BY id") == ["1 Main St", "2 Main St", "3 Main St"])
    }

    @Test func `a complete import does not resume an incomplete one, and removes no present friend`() async throws {
        let everybody = (1...3_000).map { friend($0) }
        _ = try? await importAll(Source(everybody, end: 2_500), isComplete: false)
        // The first run did not note which friends it stored, so the second one must store all of them again.
        let summary = try await importAll(Source(everybody), isComplete: true)
        #expect(summary.removal == .done(0) && summary.contacts == 3_000)
        #expect(try await texts(present).count == 3_000)
        try await Database.test.run { db throws in
            let open = try begin(isComplete: false, on: db)
            _ = try open.store(ImportBatch([friend(1)]), on: db)
            #expect(try begin(isComplete: false, on: db).stored == [0..<1])
            #expect(try begin(isComplete: true, on: db).stored.isEmpty)
        }
    }

    @Test func `another source starts from the beginning`() async throws {
        try await Database.test.run { db throws in
            let feed = try begin("a", on: db)
            _ = try feed.store(ImportBatch([friend(1)]), on: db)
            #expect(try begin("a", on: db).stored == [0..<1])
            #expect(try begin("b", on: db).stored == [])
        }
    }

    @Test func `a failed batch is rolled back and not recorded`() async throws {
        try await Database.test.run { db throws in
            let feed = try begin(on: db)
            let bad = Friend(sourceKey: "2", name: "", addresses: [LabelledAddress(label: "", address: Address())])
            #expect(throws: DatabaseError.self) {
                try feed.store(ImportBatch([friend(1), bad]), on: db)
            }
            #expect(try rows("SELECT FROM friends", on: db).isEmpty)
            #expect(try begin(on: db).stored == [])
        }
    }

    @Test func `an import that another one replaced stores nothing more and can't finish`() async throws {
        try await Database.test.run { db throws in
            let late = try begin(on: db)
            _ = try begin(on: db)
            #expect(throws: ContactError.self) {
                try late.store(ImportBatch([friend(1)]), on: db)
            }
            #expect(throws: ContactError.self) { try late.finish(on: db) }
            #expect(try rows("SELECT FROM friends", on: db).isEmpty)
        }
    }

    @Test func `a contact repeated in a later batch is stored in the source's order`() async throws {
        let friends = (1...1_000).map { friend($0) } + (1...1_000).map { friend($0, "Elm St") }
        let summary = try await importAll(Source(friends))
        #expect(summary.counts == SyncCounts(added: 1_000, changed: 1_000, addresses: 2_000, questions: 2_000))
        #expect(try await texts("SELECT DISTINCT right(street, 6) AS v FROM addresses") == ["Elm St"])
    }

    @Test(arguments: [0, 1_000])
    func `a batch waits for each earlier one with a friend in common`(between others: Int) async throws {
        let database = try Database.test
        _ = try await importAll(Source([friend(0, "Elm St")]))
        let (locked, lock) = AsyncStream.makeStream(of: Void.self)
        let source = Source((0..<1_000 + others).map { friend($0) } + [friend(999, "Elm St")])
        async let summary = {
            for await _ in locked { break }
            return try await importAll(source, fingerprint: "b")
        }()
        try await database.run { db throws in
            try db.transaction { db in
                // The first batch waits for this lock. Meanwhile the last batch could run if it did not wait for the
                // first.
                try db.query("SELECT FROM friends WHERE source_key = '0' FOR UPDATE")
                lock.yield()
                var looks = 0
                while looks < 100 {
                    // Not pg_stat_activity, whose content stays the same within a transaction.
                    let waiting = try db.query(
                        """
                        SELECT
                        FROM pg_locks
                        WHERE NOT granted AND pid IN (
                            SELECT pid FROM pg_locks JOIN pg_database ON oid = database AND datname = current_database())
                        """)
                    if !waiting.isEmpty { looks += 1 }
                }
            }
        }
        let counts = try await summary.counts
        let addresses = 1_001 + others
        #expect(counts == SyncCounts(added: 999 + others, changed: 2, addresses: addresses, questions: addresses))
        #expect(try await texts("SELECT street AS v FROM addresses WHERE street LIKE '999 %'") == ["999 Elm St"])
    }

    @Test func `batches with a friend in common are detected`() {
        let one = HashedFriends([friend(1), friend(2)])
        #expect(one.sharesFriends(with: HashedFriends([friend(2), friend(3)])))
        #expect(!one.sharesFriends(with: HashedFriends([friend(3)])))
    }

    @Test func `the counts of an import stay in its row`() async throws {
        _ = try await importAll(Source([friend(1), friend(2)]), isComplete: true)
        #expect(
            try await texts(
                "SELECT concat_ws(' ', contacts, added, removed, finished_at IS NOT NULL) AS v FROM imports")
                == ["2 2 0 t"])
    }
}
