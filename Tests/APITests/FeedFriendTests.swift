import DatabaseTesting
import HTTP
import JSON
import Postgres
import Testing

@testable import API

/// A friend addressed by feed and key, at the socket.
@Suite(.database)
struct FeedFriendTests {
    private let path = "/v1/feeds/crm/friends/17"
    private let ada =
        #"{"name":"Ada","addresses":[{"label":"home","street":"1 Main St","city":"Reno","country":"US"}]}"#

    @Test func `a friend is created, replaced, read and removed by feed and key`() async throws {
        try await APIClient.serving { client in
            #expect(try await client.get(path).status == 404)
            let created = try await client.send(.put, path, ada).expect(201)
            #expect(created.headers["Location"] == path)
            let address = try created.at("addresses", "0", "id")
            #expect(address != nil)

            let same = try await client.send(.put, path, ada).expect(200)
            #expect(same.bytes == created.bytes)
            #expect(same.headers["Location"] == nil)
            let replaced = try await client.send(.put, path, ada.replacing("Ada", with: "Ada B.")).expect(has: [
                "name": "Ada B."
            ])
            #expect(try replaced.at("addresses", "0", "id") == address, "an address that stays keeps its row")

            let found = try await client.get(path)
            #expect(found.bytes == replaced.bytes)
            #expect(found.headers["ETag"] == replaced.headers["ETag"])
            #expect(try found.at("feed") == .text("crm"))
            #expect(try await client.get("/v1/feeds/cards/friends/17").status == 404)

            #expect(try await client.send(.delete, path).status == 204)
            #expect(try await client.get(path).status == 404)
            #expect(try await client.send(.delete, path).status == 404)
            let back = try await client.send(.put, path, ada).expect(201)
            #expect(try back.at("id") == created.at("id"), "soft-deleted, and restored")
        }
    }

    @Test(arguments: [
        ("crm", "a%2Fb", "a/b"), ("crm", "%2F", "/"), ("a%2Fb", "id:1", "id:1"), ("crm", "..%2F..", "../.."),
        ("crm", "%D0%90%20%C3%A4%3F%23%25%26+%22", "А ä?#%&+\""), ("crm", "a%252Fb", "a%2Fb"),
    ])
    func `a key may contain any character, percent-encoded`(feed: String, key: String, text: String) async throws {
        try await APIClient.serving { client in
            let path = "/v1/feeds/\(feed)/friends/\(key)"
            let created = try await client.send(.put, path, ada).expect(201, has: ["key": .text(text)])
            let location = try #require(created.headers["Location"])
            #expect(try await client.get(location).bytes == created.bytes)
            #expect(try await client.send(.delete, path).status == 204)
        }
    }

    @Test func `an encoded slash is part of a name and does not split the path`() async throws {
        try await APIClient.serving { (client) async throws -> Void in
            for target in ["/v1%2Ffriends", "/v1/friends%2F1", "/v1/feeds/crm%2Ffriends/1", "/v1/lanes%2F..%2Fqueue"] {
                #expect(try await client.get(target).status == 404, "\(target)")
            }
        }
    }

    @Test func `a friend that a feed would leave out is refused, and nothing is stored`() async throws {
        let client = try await APIClient.test()
        try await client.refuse(
            .put, path, with: 422,
            [
                #"{"addresses":[]}"#, #"{"name":""}"#, #"{"name":"Ada","addresses":[{"region":"Nevada"}]}"#,
                #"{"name":7.5e300}"#,
                #"{"name":"Ada","key":"18"}"#, #"{"name":"Ada","addresses":{}}"#,
                #"{"name":"Ada","addresses":[{"city":"Reno","latitude":91,"longitude":0}]}"#,
            ])
        #expect(try await client.send(.put, "/v1/feeds/crm/friends/%20a", ada).status == 422)
        #expect(try await client.send(.put, path, ada, type: "text/plain").status == 415)
        #expect(try await client.get("/v1/friends").at("data") == .list([]))
        let long = String(repeating: "k", count: 501)
        #expect(try await client.get("/v1/feeds/crm/friends/\(long)").status == 404)
    }

    @Test func `friends of another account get 404`() async throws {
        var client = try await APIClient.test()
        #expect(try await client.send(.put, path, ada).status == 201)
        client.token = "other"
        #expect(try await client.get(path).status == 404)
        #expect(try await client.send(.delete, path).status == 404)
        #expect(try await client.send(.put, path, ada).status == 201)
    }

    @Test func `a PUT with If-None-Match neither replaces a friend nor takes one from another feed`() async throws {
        let client = try await APIClient.test()
        let new: HTTPHeaders = ["If-None-Match": "*"]
        #expect(try await client.send(.put, path, ada, headers: ["If-Match": "*"]).status == 412)
        #expect(try await client.send(.put, path, ada, headers: new).status == 201)
        #expect(try await client.send(.put, path, ada, headers: new).status == 412)
        let elsewhere = "/v1/feeds/cards/friends/17"
        #expect(try await client.send(.put, elsewhere, ada, headers: new).status == 412)
        #expect(try await client.send(.put, elsewhere, ada).status == 201, "as an import of that feed would")
        #expect(try await client.get(path).status == 404)
    }

    @Test func `one of several concurrent creations of a friend wins`() async throws {
        try await APIClient.serving { client in
            let statuses = try await meeting(at: "LOCK TABLE friends IN SHARE MODE", 3) { [path, ada] writer in
                try await client.send(
                    .put, path, ada.replacing("Ada", with: "Ada \(writer)"), headers: ["If-None-Match": "*"]
                ).status
            }
            #expect(statuses.sorted() == [201, 412, 412])
        }
    }

    @Test func `one of several replacements with the same ETag wins`() async throws {
        try await APIClient.serving { client in
            let tag = try #require(try await client.send(.put, path, ada).headers["ETag"])
            let statuses = try await meeting(at: "SELECT FROM friends FOR UPDATE", 3) { [path, ada] writer in
                try await client.send(
                    .put, path, ada.replacing("Main", with: "\(writer)"), headers: ["If-Match": tag]
                ).status
            }
            #expect(statuses.sorted() == [200, 412, 412])
        }
    }
}
