import DatabaseTesting
import HTTP
import JSON
import Postgres
import Testing

@testable import API
@testable import Contacts

/// The search for a part of a name: on the map, and in the list of friends.
@Suite(.database)
struct NameSearchTests {
    /// Adds `count` friends called Ada 1, Ada 2 and so on, then `Zoë Zuse`. Each has a located address. Zoë also has a
    /// waiting one.
    private func fill(_ count: Int, on client: APIClient) async throws {
        let zoe = #"{"name":"Zoë Zuse","addresses":[{"city":"Reno","country":"US"},{"city":"Elko","country":"US"}]}"#
        #expect(try await client.send(.put, "/v1/feeds/crm/friends/zoe", zoe).status < 300)
        try await Database.test.run(
            script: """
                UPDATE geocodes SET status = 'located', latitude = 39.5, longitude = -119.8, precision = 'city',
                    provider = 'gazetteer', confidence = 0.9, job = NULL, geocoded_at = now()
                WHERE city = 'Reno';
                INSERT INTO friends (account, source_key, name)
                SELECT account, 'ada ' || n, 'Ada ' || n FROM friends, generate_series(1, \(count)) AS n;
                INSERT INTO addresses (friend, position, street, city, region, postcode, country, hash)
                SELECT friends.id, 1, street, city, region, postcode, country, hash
                FROM friends, (SELECT * FROM addresses WHERE city = 'Reno') AS reno
                WHERE source_key LIKE 'ada %';
                """)
    }

    private func names(_ answer: APIClient.Answer) throws -> [String] {
        let features = try answer.at("features")?.list?.compactMap { $0.object?["properties"] }
        return try (features ?? answer.at("data")?.list ?? []).compactMap { $0.object?["name"]?.text }
    }

    @Test func `the map finds a friend who is not in the sample`() async throws {
        let client = try await APIClient.test()
        try await fill(300, on: client)
        let world = "/v1/places?bbox=-180,-90,180,90&limit=2"
        for text in ["zuse", "ZOË Z"] {
            let found = try await client.get("\(world)&query=\(text.replacing(" ", with: "%20"))")
            #expect(try names(found) == ["Zoë Zuse"], "\(text)")
            #expect(try found.at("share") == .number(1))
        }
        #expect(try names(await client.get("\(world)&query=zuse&add=all")) == ["Zoë Zuse"])
        #expect(try names(await client.get("/v1/places?bbox=0,0,10,10&query=zuse")).isEmpty)
        #expect(try names(await client.get("\(world)&query=a_a")).isEmpty)
        let other = client.with(token: "other")
        #expect(try names(await other.get("\(world)&query=zuse")).isEmpty)
    }

    @Test func `a search that matches many names returns a fair sample`() async throws {
        let client = try await APIClient.test()
        try await fill(NameSearch.most + 500, on: client)
        let found = try await client.get("/v1/places?bbox=-180,-90,180,90&limit=1000&query=ADA")
        #expect(try names(found).allSatisfy { $0.hasPrefix("Ada") })
        let share = try #require(try found.at("share")?.number)
        #expect((7_000...14_000).contains(1_000 / share), "\(share)")
        let (first, second) = try await (
            client.get("/v1/friends?query=ada&limit=2"), client.get("/v1/friends?query=da%201&limit=1&status=located")
        )
        #expect(try names(first) == ["Ada 1", "Ada 2"])
        #expect(try names(second) == ["Ada 1"])
    }

    @Test func `the list of friends is searched by page, together with other filters`() async throws {
        let client = try await APIClient.test()
        try await fill(25, on: client)
        var (seen, after) = ([String](), 0)
        repeat {
            let page = try await client.get("/v1/friends?query=ADA%201&limit=4&after=\(after)")
            seen += try names(page)
            after = try page.at("next_after")?.number.map { Int($0) } ?? 0
        } while after > 0
        #expect(seen == ([1] + (10...19)).map { "Ada \($0)" })
        #expect(try names(await client.get("/v1/friends?query=zuse&status=waiting")) == ["Zoë Zuse"])
        #expect(try names(await client.get("/v1/friends?query=zuse&status=failed")).isEmpty)
        #expect(try names(await client.get("/v1/friends?query=zuse&feed=crm")) == ["Zoë Zuse"])
        #expect(try names(await client.get("/v1/friends?query=ada&feed=crm")).isEmpty)
        #expect(try names(await client.get("/v1/friends?query=%25")).isEmpty)
    }
}
