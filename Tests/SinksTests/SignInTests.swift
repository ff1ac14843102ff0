import DatabaseTesting
import Postgres
import Sinks
import Testing

@Suite(.database)
struct SignInTests {
    private let store = SignInStore()

    /// A sign-in for all users of a sink, with a token that expires soon.
    private func signIn(on db: isolated Connection) throws -> StoredSignIn {
        let account: Int = try db.query("INSERT INTO accounts (name) VALUES ('app') RETURNING id")[0].read("id")
        try db.query("INSERT INTO lanes (name, kind) VALUES ('upload:test', 'upload')")
        let sink: Int = try db.query(
            """
            INSERT INTO sinks (account, name, kind, lane, signs_in)
            SELECT \(account), 'test', 'firestore', id, true FROM lanes WHERE name = 'upload:test'
            RETURNING id
            """)[0].read("id")
        #expect(try store.store([1], endsAt: 0, sink: sink, user: nil, account: account, on: db))
        return try current(on: db)
    }

    private func current(on db: isolated Connection) throws -> StoredSignIn {
        try #require(try store.signIn(db.query("SELECT id FROM sign_ins")[0].read("id"), on: db))
    }

    @Test func `a token renewed by another worker is not renewed again`() async throws {
        try await Database.test.run { db throws in
            let old = try signIn(on: db)
            #expect(try store.beginRenewal(of: old, patience: .seconds(60), on: db))
            #expect(try !store.beginRenewal(of: old, patience: .seconds(60), on: db))
            try store.endRenewal(of: old, with: [2], endsAt: 4_000_000_000, on: db)
            // This worker read the sign-in before the renewal, and is late.
            #expect(try !store.beginRenewal(of: old, patience: .seconds(60), on: db))
            #expect(try current(on: db).sealed == [2])
            #expect(try store.beginRenewal(of: current(on: db), patience: .seconds(60), on: db))
            // The first renewal fails late. The second one still runs.
            try store.giveUpRenewal(of: old, on: db)
            #expect(try !store.beginRenewal(of: current(on: db), patience: .seconds(60), on: db))
        }
    }

    @Test func `a late report about an old token changes nothing after its renewal`() async throws {
        try await Database.test.run { db throws in
            let old = try signIn(on: db)
            // Two workers renew the token: the first one took longer than the others wait.
            #expect(try store.beginRenewal(of: old, patience: .zero, on: db))
            #expect(try store.beginRenewal(of: old, patience: .seconds(60), on: db))
            try store.endRenewal(of: old, with: [2], endsAt: 4_000_000_000, on: db)
            try store.endRenewal(of: old, with: [3], endsAt: 4_000_000_000, on: db)
            try store.doubt(old, because: "late", on: db)
            try store.refuse(old, because: "late", on: db)
            let new = try current(on: db)
            #expect(new.sealed == [2] && !new.isEnding && !new.isRefused)
        }
    }
}
