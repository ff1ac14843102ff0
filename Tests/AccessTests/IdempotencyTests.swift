import Access
import DatabaseTesting
import HTTP
import Postgres
import Testing

@Suite(.database)
struct IdempotencyTests {
    private let hash = Digest.sha256("POST /v1/friends {}".utf8)
    private let answer = KeptAnswer(
        status: 201, headers: ["Location": "/v1/friends/7", "Content-Type": "application/json"], body: Array("{}".utf8))

    /// The stored replies of an account, written under the API's role.
    private func keys() async throws -> (store: IdempotencyStore, database: AccountDatabase) {
        let account: Int = try await Database.test.query("INSERT INTO accounts (name) VALUES ('ada') RETURNING id")[0]
            .read("id")
        return (IdempotencyStore(account: account), try AccountDatabase(.test(as: "waypost_api"), account: account))
    }

    private func age(_ interval: Duration) async throws {
        try await Database.test.query("UPDATE idempotency_keys SET created_at = now() - \(interval)::interval")
    }

    @Test func `a repeated request gets the stored reply, and another request with its key is refused`() async throws {
        let (store, database) = try await keys()
        try await database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k", requestHash: hash, on: db) == .new)
            try store.finish("k", requestHash: hash, answer, on: db)
        }
        try await database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k", requestHash: hash, on: db) == .replay(answer))
            #expect(try store.begin("k", requestHash: Digest.sha256("other".utf8), on: db) == .conflict)
            #expect(try store.begin("other", requestHash: hash, on: db) == .new)
        }
    }

    @Test func `a rolled-back request stores no reply`() async throws {
        struct Trouble: Error {}
        let (store, database) = try await keys()
        await #expect(throws: Trouble.self) {
            try await database.transaction { [hash, answer] db throws in
                _ = try store.begin("k", requestHash: hash, on: db)
                try store.finish("k", requestHash: hash, answer, on: db)
                throw Trouble()
            }
        }
        try await database.transaction { [hash] db throws in
            #expect(try store.begin("k", requestHash: hash, on: db) == .new)
        }
    }

    @Test func `of two concurrent requests with one key, one runs and the other is refused at once`() async throws {
        let (store, database) = try await keys()
        let (isHeld, isTold) = (Rendezvous(of: 2), Rendezvous(of: 2))
        async let first: Void = database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k", requestHash: hash, on: db) == .new)
            isHeld.arriveAndWait()
            isTold.arriveAndWait()
            try store.finish("k", requestHash: hash, answer, on: db)
        }
        try await database.transaction { [hash] db throws in
            isHeld.arriveAndWait()
            #expect(try store.begin("k", requestHash: hash, on: db) == .inProgress)
            // The same key on another path.
            #expect(try store.begin("k", requestHash: Digest.sha256("other".utf8), on: db) == .inProgress)
            #expect(try store.begin("another", requestHash: hash, on: db) == .new)
            isTold.arriveAndWait()
        }
        try await first
        try await database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k", requestHash: hash, on: db) == .replay(answer))
        }
    }

    @Test func `a key expires after a day, and each new key deletes ten expired ones`() async throws {
        let (store, database) = try await keys()
        try await database.transaction { [hash, answer] db throws in
            for number in 0..<25 { try store.finish("k\(number)", requestHash: hash, answer, on: db) }
        }
        try await age(.seconds(86_400 - 60))
        try await database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k0", requestHash: hash, on: db) == .replay(answer))
        }
        try await age(.seconds(86_400 + 60))
        try await database.transaction { [hash, answer] db throws in
            #expect(try store.begin("k24", requestHash: hash, on: db) == .new)
            #expect(try rows("SELECT FROM idempotency_keys", on: db).count == 15)
            try store.finish("k24", requestHash: hash, answer, on: db)
            #expect(try store.begin("k24", requestHash: hash, on: db) == .replay(answer))
        }
    }

    @Test func `a reply over a mebibyte is not stored, but its key is`() async throws {
        let (store, database) = try await keys()
        try await database.transaction { [hash] db throws in
            for (key, size) in [("fits", IdempotencyStore.largestBody), ("doesn't", IdempotencyStore.largestBody + 1)] {
                let large = KeptAnswer(status: 200, body: [UInt8](repeating: 120, count: size))
                try store.finish(key, requestHash: hash, large, on: db)
                let kept = KeptAnswer(status: 200, body: key == "fits" ? large.body : nil)
                #expect(try store.begin(key, requestHash: hash, on: db) == .replay(kept), "\(key)")
            }
        }
    }

    @Test func `two accounts may use the same key`() async throws {
        let (store, database) = try await keys()
        try await database.transaction { [hash, answer] db throws in
            try store.finish("k", requestHash: hash, answer, on: db)
        }
        let bob: Int = try await Database.test.query("INSERT INTO accounts (name) VALUES ('bob') RETURNING id")[0].read(
            "id")
        let his = try AccountDatabase(.test(as: "waypost_api"), account: bob)
        try await his.transaction { [hash] db throws in
            #expect(try IdempotencyStore(account: bob).begin("k", requestHash: hash, on: db) == .new)
            #expect(try store.begin("k", requestHash: hash, on: db) == .new, "though the code names another account")
        }
    }

    @Test(arguments: [("a", true), ("", false), ("a b", false), ("é", false), ("a\n", false)])
    func `a key is one word of printable characters`(_ text: String, _ isKey: Bool) {
        #expect(IdempotencyStore.isKey(text) == isKey)
        #expect(IdempotencyStore.isKey(String(repeating: "a", count: 255)))
        #expect(!IdempotencyStore.isKey(String(repeating: "a", count: 256)))
    }
}
