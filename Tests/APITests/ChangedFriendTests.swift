import DatabaseTesting
import HTTP
import JSON
import Postgres
import Testing

@testable import API
@testable import Contacts

/// The changes that a client reads to mirror an account.
@Suite(.database)
struct ChangedFriendTests {
    /// A client's copy: the friends that it has received, by id.
    private struct Mirror {
        var friends: [Int: JSONValue] = [:]
        var cursor = "0"
        /// The id of a friend, each time that the friend was listed.
        var told: [Int] = []

        /// Waits until every committed change may be listed, then reads all pages.
        mutating func follow(_ client: APIClient, limit: Int = 100) async throws {
            try await ChangedFriendTests.settle()
            try await hurry(client, limit: limit)
        }

        mutating func hurry(_ client: APIClient, limit: Int = 100) async throws {
            while try await step(client, limit: limit) {}
        }

        /// Reads one page. Returns true if there are more.
        mutating func step(_ client: APIClient, limit: Int) async throws -> Bool {
            let answer = try await client.get("/v1/friends?updated_since=\(cursor)&limit=\(limit)")
            // The account has too many requests running, so try again.
            if answer.status == 429 { return true }
            try #require(answer.status == 200, "\(answer.text)")
            for friend in try answer.at("data")?.list ?? [] {
                let id = Int(friend.object?["id"]?.number ?? 0)
                friends[id] = friend
                told.append(id)
            }
            for friend in try answer.at("removed")?.list ?? [] {
                let id = Int(friend.object?["id"]?.number ?? 0)
                friends[id] = nil
                told.append(id)
            }
            cursor = try #require(try answer.at("next_since")?.text)
            return try answer.at("has_more") == .bool(true)
        }
    }

    private func put(_ client: APIClient, _ key: String, _ name: String = "Ada", city: String = "Reno") async throws
        -> Int
    {
        let answer = try await client.send(
            .put, "/v1/feeds/crm/friends/\(key)",
            #"{"name":"\#(name)","addresses":[{"city":"\#(city)"},{"city":"Ely"}]}"#)
        return try Int(answer.at("id")?.number ?? 0)
    }

    /// Waits until all transactions open now have ended, including those of other tests. Transaction ids are shared by
    /// the whole server, and the server only lists changes older than every open transaction.
    private static func settle() async throws {
        try await Database.test.run { db in
            let number: Int = try db.query("SELECT pg_current_xact_id()::text::bigint AS number")[0].read("number")
            while try db.query(
                """
                SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint <= \(number) AS waits, pg_sleep(0.01)
                """)[0].read("waits", as: Bool.self)
            {}
        }
    }

    private func all(_ client: APIClient) async throws -> [Int: JSONValue] {
        let list = try await client.get("/v1/friends?limit=1000").at("data")?.list ?? []
        return Dictionary(list.map { (Int($0.object?["id"]?.number ?? 0), $0) }) { $1 }
    }

    @Test func `each change of a friend, an address or a place is listed once`() async throws {
        let client = try await APIClient.test()
        var mirror = Mirror()
        let (a, b, c) = (try await put(client, "a"), try await put(client, "b"), try await put(client, "c"))
        func hears(_ expected: [Int]) async throws {
            mirror.told = []
            try await mirror.follow(client)
            #expect(mirror.told.sorted() == expected)
            #expect(try await mirror.friends == all(client))
        }
        try await hears([a, b, c])
        try await hears([])
        _ = try await put(client, "a", "Eve")
        try await hears([a])
        _ = try await put(client, "b", city: "Turku")
        try await hears([b])
        try await Database.test.run { try $0.locateAll() }
        try await hears([a, b, c])
        let address: Int = try await Database.test.query("SELECT id FROM addresses WHERE friend = \(b) LIMIT 1")[0]
            .read("id")
        #expect(try await client.send(.delete, "/api/addresses/\(address)").status == 200)
        try await hears([b])
        #expect(try await client.send(.put, "/api/contacts/\(c)", #"{"first_name":"Bob"}"#).status == 200)
        try await hears([c])
        #expect(try await client.send(.delete, "/v1/friends/\(c)").status == 204)
        try await hears([c])
        // The change of another program.
        try await Database.test.run { db in
            try db.query("UPDATE friends SET nickname = 'E', updated_at = now() WHERE id = \(a)")
            try db.query("UPDATE addresses SET label = 'x' WHERE friend = \(c)")
        }
        try await hears([a])
        _ = try await put(client, "c")
        try await hears([c])
    }

    @Test func `a change that began early and was committed late is not missed`() async throws {
        let client = try await APIClient.test()
        let (isWritten, mayEnd) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let account: Int = try await Database.test.query("SELECT id FROM accounts WHERE name = 'default'")[0].read("id")
        async let early: Void = Database.test.transaction { db in
            try db.query("INSERT INTO friends (account, source_key, name) VALUES (\(account), 'early', 'Early')")
            isWritten.arriveAndWait()
            mayEnd.arriveAndWait()
        }
        await isWritten.arrive()
        let late = try await put(client, "late")
        var mirror = Mirror()
        try await mirror.hurry(client)
        let before = mirror.told
        await mayEnd.arrive()
        try await early
        try await mirror.follow(client)
        #expect(mirror.told.count == 2)
        #expect(Set(mirror.told).count == 2)
        #expect(before.isEmpty, "a change is told once all that began before it have ended")
        #expect(mirror.friends[late] != nil)
        #expect(try await mirror.friends == all(client))
    }

    @Test func `pages miss and repeat no friend while friends change between them`() async throws {
        let client = try await APIClient.test()
        var ids: [Int] = []
        for number in 0..<7 { ids.append(try await put(client, "\(number)")) }
        var mirror = Mirror()
        var changes = 0
        try await Self.settle()
        while try await mirror.step(client, limit: 2) {
            if changes < 3 {
                // One friend that was already listed, and one that was not.
                _ = try await put(client, "0", "Ada \(changes)")
                _ = try await put(client, "6", "Eve \(changes)")
            }
            changes += 1
        }
        try await mirror.follow(client)
        #expect(try await mirror.friends == all(client))
        for id in ids[1..<6] { #expect(mirror.told.count { $0 == id } == 1) }
        #expect(mirror.told.count { $0 == ids[6] } == 1, "who changes before being told is told once")
        #expect(mirror.told.count { $0 == ids[0] } == 2)
    }

    @Test func `after concurrent writes, the copy equals the server's friends`() async throws {
        let client = try await APIClient.test()
        var mirror = Mirror()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in 0..<12 {
                        let key = "\((writer * 5 + number * 7) % 9)"
                        if number % 4 == 3 {
                            _ = try await client.send(.delete, "/v1/feeds/crm/friends/\(key)")
                        } else {
                            _ = try await put(client, key, "Ada \(writer) \(number)", city: "Town \(number)")
                        }
                    }
                }
            }
            for _ in 0..<10 { _ = try await mirror.step(client, limit: 3) }
            try await group.waitForAll()
        }
        try await mirror.follow(client, limit: 3)
        #expect(try await mirror.friends == all(client))
    }

    @Test func `a copy older than a purged removal gets 410 and starts again`() async throws {
        let client = try await APIClient.test()
        let (gone, stays) = (try await put(client, "a"), try await put(client, "b"))
        var (quick, slow) = (Mirror(), Mirror())
        try await quick.follow(client)
        try await slow.follow(client)
        _ = try await client.send(.delete, "/v1/friends/\(gone)")
        try await quick.follow(client)
        try await Database.test.run { _ = try AddressSweep().purgeDeleted(olderThan: .zero, limit: 10, on: $0) }
        #expect(try await client.get("/v1/friends?updated_since=\(slow.cursor)").status == 410)
        try await quick.follow(client)
        #expect(Array(quick.friends.keys) == [stays])
        slow = Mirror()
        try await slow.follow(client, limit: 1)
        #expect(Array(slow.friends.keys) == [stays])
        // Another program deletes a friend that both copies contain.
        try await Database.test.query("DELETE FROM friends WHERE id = \(stays)")
        #expect(try await client.get("/v1/friends?updated_since=\(quick.cursor)").status == 410)
    }

    @Test func `after a restore, every cursor from before gets 410, and a later one is accepted`() async throws {
        let client = try await APIClient.test()
        _ = try await put(client, "a")
        var mirror = Mirror()
        try await mirror.follow(client)
        try await Database.test.query("SELECT begin_after_restore()")
        // The numbers of transactions have come farther than the cursor.
        _ = try await put(client, "b")
        #expect(try await client.get("/v1/friends?updated_since=\(mirror.cursor)").status == 410)
        mirror = Mirror()
        try await mirror.follow(client)
        _ = try await put(client, "c")
        #expect(try await client.get("/v1/friends?updated_since=\(mirror.cursor)").status == 200)
        #expect(mirror.friends.count == 2)
    }

    @Test func `after a dump was restored into a server with smaller numbers, clients begin again`() async throws {
        let client = try await APIClient.test()
        _ = try await put(client, "a")
        try await Database.test.run { db throws in
            for table in ["friends", "addresses"] {
                try db.run(script: "UPDATE \(table) SET changed_in = 9000000000")
            }
            _ = try db.query("SELECT begin_after_restore()")
        }
        var mirror = Mirror()
        try await mirror.follow(client)
        _ = try await put(client, "b")
        try await mirror.follow(client)
        #expect(mirror.friends.count == 2)
    }

    @Test func `a cursor of another server, a time, or a filter is refused`() async throws {
        let client = try await APIClient.test()
        _ = try await put(client, "a")
        #expect(try await client.get("/v1/friends?updated_since=abc.0.5.1").status == 410)
        for query in ["2026-11-22T10:00:00Z", "", "1", "a.b", "0.0.0.0.0", "-1.0.0.0", "0&feed=crm", "0&after=1"] {
            #expect(try await client.get("/v1/friends?updated_since=\(query)").status == 400, "\(query)")
        }
    }

    @Test func `changes of another account are not listed`() async throws {
        var client = try await APIClient.test()
        _ = try await put(client, "a")
        client.token = "other"
        var mirror = Mirror()
        try await mirror.follow(client)
        #expect(mirror.told.isEmpty)
    }
}
