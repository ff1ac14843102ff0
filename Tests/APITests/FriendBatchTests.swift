import DatabaseTesting
import HTTP
import JSON
import Postgres
import Testing

@testable import API

/// Several friends in one request.
@Suite(.database)
struct FriendBatchTests {
    @Test func `a batch returns friends by id and by key, each once, and lists the missing ones`() async throws {
        try await APIClient.serving { client in
            var ids: [Int] = []
            for key in ["a", "b%2Fc", "d"] {
                let answer = try await client.send(.put, "/v1/feeds/crm/friends/\(key)", #"{"name":"Ada"}"#)
                ids.append(try Int(answer.at("id")?.number ?? 0))
            }
            _ = try await client.send(.delete, "/v1/friends/\(ids[2])")
            let answer = try await client.send(
                .post, "/v1/friends/batch",
                """
                {"ids": [\(ids[1]), 77, \(ids[2])], "keys": [{"feed": "crm", "key": "a"}, {"feed": "crm", "key": "b/c"},
                 {"feed": "cards", "key": "a"}, {"feed": "crm", "key": "d"}]}
                """)
            #expect(answer.status == 200)
            let found = try answer.at("data")?.list?.compactMap { $0.object?["id"]?.number.map { Int($0) } }
            #expect(found == [ids[1], ids[0]])
            try answer.expect(has: [
                "missing.ids": .list([.number(77), .number(Double(ids[2]))]), "missing.keys.0.feed": "cards",
                "missing.keys.1.key": "d",
            ])
            #expect(try answer.at("missing", "keys")?.list?.count == 2)
        }
    }

    @Test func `a batch may contain a thousand friends and not more`() async throws {
        let client = try await APIClient.test()
        func status(_ count: Int) async throws -> Int {
            let ids = (1...count).map(String.init).joined(separator: ",")
            return try await client.send(.post, "/v1/friends/batch", #"{"ids":[\#(ids)]}"#).status
        }
        #expect(try await status(1_000) == 200)
        #expect(try await status(1_001) == 422)
        try await client.refuse(
            .post, "/v1/friends/batch", with: 422,
            [
                #"{"ids":[0]}"#, #"{"ids":["1"]}"#, #"{"ids":1}"#, #"{"keys":["a"]}"#, #"{"keys":[{"feed":"a"}]}"#,
                #"{"keys":[{"feed":"a","key":"\u0000"}]}"#,
            ])
        #expect(try await client.send(.post, "/v1/friends/batch", "{}").at("data") == .list([]))
    }

    @Test func `friends of another account are reported as missing`() async throws {
        var client = try await APIClient.test()
        let id = try await client.send(.put, "/v1/feeds/crm/friends/a", #"{"name":"Ada"}"#).at("id")?.number ?? 0
        client.token = "other"
        try await client.send(.post, "/v1/friends/batch", #"{"ids":[\#(Int(id))],"keys":[{"feed":"crm","key":"a"}]}"#)
            .expect(has: ["data": .list([]), "missing.ids.0": .number(id)])
    }

    @Test func `a held-back removal is reported, and an empty stream removes all where permitted`() async throws {
        try await APIClient.serving { client in
            func put(_ query: String, _ body: String) async throws -> APIClient.Answer {
                try await client.send(
                    .put, "/v1/friends?feed=crm&complete=true\(query)", body,
                    headers: ["Content-Type": "application/x-ndjson"])
            }
            let ada = #"{"key":"1","name":"Ada"}"#
            try await put("", ada).expect(has: ["removal_held_back_by": nil])
            try await put("", ada.replacing("1", with: "2") + "\nnonsense\n").expect(has: [
                "removal_held_back_by": "refusals"
            ])
            try await put("", "").expect(has: ["removal_held_back_by": "emptiness", "removed": 0])
            try await put("&allow_empty=true", "").expect(has: ["removed": 2, "removal_held_back_by": nil])
            try await client.send(
                .put, "/v1/friends?feed=crm&allow_empty=true", "", headers: ["Content-Type": "application/x-ndjson"]
            ).expect(400)
        }
    }
}
