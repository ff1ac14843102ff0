import Contacts
import DatabaseTesting
import Formats
import Geocoding
import Postgres
import Testing

@Suite(.database)
struct ChangeTests {
    private let writer = ContactWriter()
    private let main = LabelledAddress(
        label: "home", address: Address(street: "1 Main St", city: "Reno", country: "US"))
    private let elm = LabelledAddress(label: "work", address: Address(street: "2 Elm St", city: "Reno", country: "US"))

    private func accounts(on db: isolated Connection) throws -> (Int, other: Int) {
        (
            try ContactStore().openAccount(named: "default", on: db),
            try ContactStore().openAccount(named: "other", on: db)
        )
    }

    private func add(_ addresses: LabelledAddress..., account: Int, on db: isolated Connection) throws -> Int {
        let friend = Friend(sourceKey: "", name: "Aino", addresses: addresses)
        return try #require(try FriendEditor().addFriend(friend, account: account, on: db))
    }

    private func address(of friend: Int, on db: isolated Connection) throws -> Int {
        try rows("SELECT id FROM addresses WHERE friend = \(friend) ORDER BY position", on: db)[0].read("id")
    }

    private func streets(on db: isolated Connection) throws -> [String] {
        try rows("SELECT street FROM addresses ORDER BY friend, position", on: db).map { try $0.read("street") }
    }

    private func priorities(on db: isolated Connection) throws -> [Int] {
        try rows("SELECT priority FROM jobs ORDER BY priority", on: db).map { try $0.read("priority") }
    }

    private func asked(on db: isolated Connection) throws -> Int {
        try rows("SELECT unnest(subjects) FROM jobs", on: db).count
    }

    @Test func `a friend with a key is added once, and one without a key each time`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            let friend = Friend(sourceKey: "a", name: "Aino", addresses: [main])
            let id = try #require(try FriendEditor().addFriend(friend, account: account, on: db))
            #expect(try FriendEditor().addFriend(friend, account: account, on: db) == nil)
            #expect(try add(account: account, on: db) != add(account: account, on: db))
            #expect(try FriendEditor().remove([id], account: account, on: db) == 1)
            #expect(try FriendEditor().addFriend(friend, account: account, on: db) == id)
            #expect(try asked(on: db) == 1)
        }
    }

    @Test func `a new address is placed last, and each new or changed address is asked`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            let friend = try add(main, account: account, on: db)
            let id = try #require(try FriendEditor().addAddress(elm, to: friend, account: account, on: db))
            #expect(try streets(on: db) == ["1 Main St", "2 Elm St"])
            #expect(try asked(on: db) == 2)
            var oak = elm
            oak.address.street = "3 Oak St"
            #expect(try FriendEditor().changeAddress(id, to: oak, account: account, on: db))
            #expect(try streets(on: db) == ["1 Main St", "3 Oak St"])
            #expect(try asked(on: db) == 3)
            #expect(try FriendEditor().removeAddress(id, account: account, on: db))
            #expect(try FriendEditor().removeAddress(id, account: account, on: db) == false)
            #expect(try streets(on: db) == ["1 Main St"])
        }
    }

    @Test func `a position given later is a pin`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            let id = try address(of: add(main, account: account, on: db), on: db)
            var pinned = main
            pinned.position = Coordinate(latitude: 1, longitude: 2)
            #expect(try FriendEditor().changeAddress(id, to: pinned, account: account, on: db))
            let places = try ContactStore().places(PlaceFilter(account: "default"), limit: 1, on: db)
            #expect(places.map(\.coordinate) == [pinned.position])
        }
    }

    @Test func `another account can change nothing`() async throws {
        try await Database.test.run { db throws in
            let (account, other) = try accounts(on: db)
            let friend = try add(main, account: account, on: db)
            let id = try address(of: friend, on: db)
            #expect(try FriendEditor().rename(friend, name: "Eve", account: other, on: db) == false)
            #expect(try FriendEditor().addAddress(elm, to: friend, account: other, on: db) == nil)
            #expect(try FriendEditor().changeAddress(id, to: elm, account: other, on: db) == false)
            #expect(try FriendEditor().removeAddress(id, account: other, on: db) == false)
            #expect(try FriendEditor().hurry(friend: friend, account: other, on: db) == nil)
            #expect(try FriendEditor().retry(friend: friend, account: other, on: db) == nil)
            #expect(try FriendEditor().remove([friend], account: other, on: db) == 0)
            #expect(try streets(on: db) == ["1 Main St"])
        }
    }

    @Test func `a deleted friend can't be changed`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            let friend = try add(main, account: account, on: db)
            let id = try address(of: friend, on: db)
            #expect(try FriendEditor().remove([friend], account: account, on: db) == 1)
            #expect(try FriendEditor().remove([friend], account: account, on: db) == 0)
            #expect(try FriendEditor().rename(friend, name: "Eve", account: account, on: db) == false)
            #expect(try FriendEditor().addAddress(elm, to: friend, account: account, on: db) == nil)
            #expect(try FriendEditor().changeAddress(id, to: elm, account: account, on: db) == false)
            #expect(try FriendEditor().removeAddress(id, account: account, on: db) == false)
            #expect(try FriendEditor().hurry(friend: friend, account: account, on: db) == nil)
        }
    }

    @Test func `hurrying a friend puts its addresses first, also one without a job`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            _ = try add(main, account: account, on: db)
            let friend = try add(elm, account: account, on: db)
            try db.query("UPDATE geocodes SET job = NULL WHERE street = '2 Elm St'")
            try db.query("DELETE FROM jobs WHERE id NOT IN (SELECT job FROM geocodes WHERE job IS NOT NULL)")
            #expect(try FriendEditor().hurry(friend: friend, account: account, on: db) == 1)
            #expect(try priorities(on: db) == [1, 3])
            let job: SQL = "SELECT FROM jobs JOIN geocodes ON job = jobs.id WHERE priority = 3 AND street = '2 Elm St'"
            #expect(try rows(job, on: db).count == 1)
            #expect(try FriendEditor().hurry(friend: friend, account: account, on: db) == 1)
            #expect(try priorities(on: db) == [1, 3])
        }
    }

    @Test(arguments: ["failed", "not_found", "forgotten"])
    func `retrying a friend asks its failed addresses again, with the highest priority`(
        status: String
    ) async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            let friend = try add(main, account: account, on: db)
            try db.query("DELETE FROM jobs")
            try db.query("UPDATE geocodes SET status = \(status)::geocode_status, job = NULL, reason = 'none'")
            #expect(try FriendEditor().retry(friend: friend, account: account, on: db) == 1)
            #expect(try priorities(on: db) == [3])
            #expect(try rows("SELECT FROM geocodes WHERE status = 'waiting' AND job IS NOT NULL", on: db).count == 1)
            #expect(try FriendEditor().retry(friend: friend, account: account, on: db) == 0)
        }
    }

    @Test func `purging long-deleted friends deletes their pins and no others`() async throws {
        try await Database.test.run { db throws in
            let (account, _) = try accounts(on: db)
            var (mine, shared) = (main, elm)
            mine.position = Coordinate(latitude: 1, longitude: 2)
            shared.position = mine.position
            let friend = try add(mine, shared, account: account, on: db)
            let recent = try add(account: account, on: db)
            let stays = try add(shared, account: account, on: db)
            #expect(try FriendEditor().remove([friend, recent], account: account, on: db) == 2)
            try db.query("UPDATE friends SET deleted_at = now() - interval '2 days' WHERE id = \(friend)")
            #expect(try AddressSweep().purgeDeleted(olderThan: .seconds(86_400), limit: 10, on: db) == 1)
            let left: [Int] = try rows("SELECT id FROM friends ORDER BY id", on: db).map { try $0.read("id") }
            #expect(left == [recent, stays])
            #expect(try rows("SELECT FROM geocodes", on: db).count == 1)
        }
    }
}
