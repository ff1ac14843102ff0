import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Testing

/// The account conditions of the statements, run by the owner of the tables, for whom row-level security does not
/// apply.
@Suite(.database)
struct AccountTests {
    private let contacts = ContactStore()

    @Test func `a friend can be read only in its own account`() async throws {
        try await Database.test.run { db throws in
            let ada = try contacts.openAccount(named: "ada", on: db)
            let bob = try contacts.openAccount(named: "bob", on: db)
            let home = LabelledAddress(label: "home", address: Address(street: "1 High St", city: "Ely", country: "UK"))
            let friend = Friend(sourceKey: "key", name: "Cy", addresses: [home])
            _ = try ContactWriter().store([friend], account: ada, feed: "book", on: db)
            let id: Int = try db.query("SELECT id FROM friends")[0].read("id")

            #expect(try contacts.friend(id, account: ada, on: db)?.addresses.count == 1)
            #expect(try contacts.friend(id, account: bob, on: db) == nil)
            #expect(try contacts.questions(ofFriend: id, account: ada, on: db).count == 1)
            #expect(try contacts.questions(ofFriend: id, account: bob, on: db).isEmpty)
            #expect(try contacts.friends([id], account: ada, on: db).count == 1)
            #expect(try contacts.friends([id], account: bob, on: db).isEmpty)
            #expect(try contacts.number(ofKey: "key", in: "book", account: ada, on: db) == id)
            #expect(try contacts.number(ofKey: "key", in: "book", account: bob, on: db) == nil)
            let key = FeedKey(feed: "book", key: "key")
            #expect(try contacts.numbers(of: [key], account: ada, on: db) == [id])
            #expect(try contacts.numbers(of: [key], account: bob, on: db) == [nil])
            // Names and addresses are searched by statements of their own. The index of names serves the session's account.
            try db.query("SELECT set_config('waypost.account', \(String(ada)), false)")
            for filter in [FriendFilter(), FriendFilter(name: "cy"), FriendFilter(label: "home")] {
                #expect(try contacts.friends(where: filter, account: ada, after: 0, limit: 9, on: db) == [id])
                #expect(try contacts.friends(where: filter, account: bob, after: 0, limit: 9, on: db).isEmpty)
            }
        }
    }
}
