import API
import Access
import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Questions
import Queue
import Testing

@Suite(.database)
struct AccountDatabaseTests {
    private let writer = ContactWriter()

    private func account(_ name: String) async throws -> Int {
        try await Database.test.run { try ContactStore().openAccount(named: name, on: $0) }
    }

    private func friend(_ key: String, _ street: String) -> Friend {
        Friend(
            sourceKey: key, name: "Friend \(key)",
            addresses: [LabelledAddress(label: "home", address: Address(street: street, city: "Reno"))])
    }

    @Test func `under the API's role, each account imports, reads and hurries its own contacts`() async throws {
        let (ada, bob) = (try await account("ada"), try await account("bob"))
        let pool = try Database.test(as: "waypost_api")
        let (hers, his) = (AccountDatabase(pool, account: ada), AccountDatabase(pool, account: bob))
        let counts = try await hers.run { try writer.store([friend("k", "1 Elm St")], account: ada, on: $0) }
        #expect(counts == SyncCounts(added: 1, addresses: 1, questions: 1))
        let again = try await his.run { try writer.store([friend("k", "1 Elm St")], account: bob, on: $0) }
        #expect(again == SyncCounts(added: 1, addresses: 1, questions: 0))
        try await Database.test.run { db throws in
            try db.query("UPDATE geocodes SET status = 'not_found', job = NULL")
            try db.query(
                "INSERT INTO chains (name, plan) SELECT 'other', plan FROM chains WHERE name = 'default' AND is_current"
            )
        }

        let contacts = ContactStore()
        #expect(
            try await hers.run {
                try contacts.friends(where: FriendFilter(), account: ada, after: 0, limit: 9, on: $0).count
            }
                == 1)
        #expect(
            try await hers.run {
                try contacts.friends(where: FriendFilter(), account: bob, after: 0, limit: 9, on: $0).count
            }
                == 0)
        #expect(try await his.run { try contacts.counts(on: $0).friends } == 1)

        let elm = Address(street: "1 Elm St", city: "Reno")
        _ = try await hers.transaction { try QuestionQueue().askNow(.address(elm), along: "other", on: $0) }
        let here = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
        _ = try await hers.transaction { try QuestionQueue().askNow(.coordinate(here), along: "default", on: $0) }
        let queue = JobQueue()
        #expect(try await hers.run { try queue.lanes(on: $0).map(\.ready) } == [3])
        await pool.close()
    }

    @Test func `work in the background leaves the account its share of the connections`() async throws {
        let share = FairShare(Shares.Limits(places: 1))
        let database = AccountDatabase(
            try Database.test, account: try await account("ada"), share: share, limit: .seconds(600))
        let (begun, released) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let background: Void = database.inBackground.run { _ in
            begun.arriveAndWait()
            released.arriveAndWait()
        }
        await begun.arrive()
        let value = try? await database.run { try $0.query("SELECT 7 AS value")[0].read("value", as: Int.self) }
        await released.arrive()
        try await background
        #expect(value == 7)
    }

    @Test func `accounts that take turns on one connection see only their own rows`() async throws {
        var ids: [Int] = []
        for number in 0..<5 {
            let id = try await account("account \(number)")
            try await Database.test.run { db throws in
                _ = try writer.store([friend("k", "\(number) Elm St")], account: id, on: db)
            }
            ids.append(id)
        }
        var options = Database.Options(size: 1)
        options.role = "waypost_api"
        let pool = Database(url: try Database.testURL, options: options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<100 {
                let id = ids[round * 7 % 5]
                group.addTask {
                    let database = AccountDatabase(pool, account: id)
                    let seen: [Int] = try await database.transaction {
                        try $0.query("SELECT account FROM friends").map { try $0.read("account") }
                    }
                    #expect(seen == [id])
                }
            }
            try await group.waitForAll()
        }
        await pool.close()
    }

    @Test func `a reopened connection has the account of its next user`() async throws {
        let ada = try await account("ada")
        var options = Database.Options(size: 1)
        options.role = "waypost_api"
        let pool = Database(url: try Database.testURL, options: options)
        let database = AccountDatabase(pool, account: ada)
        func count() async throws -> Int { try await database.run { try $0.query("SELECT FROM accounts").count } }
        #expect(try await count() == 1)
        let backend: Int = try await pool.run { try $0.query("SELECT pg_backend_pid() AS id")[0].read("id") }
        try await Database.test.query("SELECT pg_terminate_backend(\(backend)::integer, 5000)")
        #expect(try await pool.run { try $0.query("SELECT FROM accounts").count } == 0)
        #expect(try await count() == 1)
        await pool.close()
    }

    @Test func `a failed transaction neither clears the account nor passes it on`() async throws {
        struct Trouble: Error {}
        let (ada, bob) = (try await account("ada"), try await account("bob"))
        var options = Database.Options(size: 1)
        options.role = "waypost_api"
        let pool = Database(url: try Database.testURL, options: options)
        await #expect(throws: Trouble.self) {
            try await AccountDatabase(pool, account: ada).transaction { _ in throw Trouble() }
        }
        for id in [ada, bob] {
            let seen: [Int] = try await AccountDatabase(pool, account: id).run {
                try $0.query("SELECT id FROM accounts").map { try $0.read("id") }
            }
            #expect(seen == [id])
        }
        await pool.close()
    }
}
