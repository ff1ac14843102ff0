import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing

@testable import API

@Suite(.database)
struct MonicaTests {
    private func ada(_ client: APIClient) async throws -> Int {
        let answer = try await client.send(
            .post, "/api/contacts", #"{"first_name":"Ada","last_name":"Lovelace","nickname":null,"gender_id":1}"#
        ).expect(201)
        return try #require(Int(exactly: answer.at("data", "id")?.number ?? 0))
    }

    @Test func `a contact is created, read, changed and removed as in Monica`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)

        let read = try await client.get("/api/contacts/\(id)").expect(
            200,
            has: [
                "data.object": "contact", "data.complete_name": "Ada Lovelace", "data.nickname": .null,
                "data.url": "http://map.example:8080/api/contacts/\(id)",
            ])
        let created = try #require(read.at("data", "created_at")?.text)
        #expect(try #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#.wholeMatch(in: created) != nil)

        try await client.send(.put, "/api/contacts/\(id)", #"{"first_name":"Augusta"}"#).expect(has: [
            "data.complete_name": "Augusta"
        ])

        let removed = try await client.send(.delete, "/api/contacts/\(id)")
        #expect(try removed.json == .object(["deleted": .bool(true), "id": .number(Double(id))]))
        for again in [
            try await client.send(.delete, "/api/contacts/\(id)"), try await client.get("/api/contacts/\(id)"),
        ] {
            try again.expect(404, has: ["error.error_code": 31])
        }
    }

    @Test func `an address shows the place of its question, and loses it when the street changes`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        let body = #"{"contact_id":\#(id),"name":"home","street":"1 Main St","city":"Reno","country":"US"}"#
        let added = try await client.send(.post, "/api/addresses", body).expect(
            201,
            has: [
                "data.latitude": .null,
                "data.country": .object([
                    "id": .number(840), "object": .text("country"), "name": .text("United States"), "iso": .text("US"),
                ]), "data.contact.first_name": "Ada",
            ])
        let address = try #require(Int(exactly: added.at("data", "id")?.number ?? 0))

        try await Database.test.run { try $0.locateAll() }
        #expect(try await client.get("/api/addresses/\(address)").at("data", "latitude") == .number(39.5))
        try await client.get("/api/contacts/\(id)").expect(has: ["data.addresses.0.longitude": -119.8])

        try await client.send(
            .put, "/api/addresses/\(address)", #"{"street":"2 Elm St","city":"Reno","country":"US","province":"NV"}"#
        ).expect(has: ["data.latitude": .null, "data.province": "NV"])
        let jobs: SQL = "SELECT count(*) AS jobs FROM jobs"
        let before: Int = try await Database.test.query(jobs)[0].read("jobs")
        #expect(try await client.send(.put, "/api/addresses/\(address)", body).at("data", "latitude") == .number(39.5))
        #expect(try await Database.test.query(jobs)[0].read("jobs") == before)

        #expect(try await client.get("/api/contacts/\(id)/addresses").at("meta", "total") == .number(1))
        #expect(try await client.send(.delete, "/api/addresses/\(address)").at("deleted") == .bool(true))
        #expect(try await client.get("/api/addresses/\(address)").status == 404)
    }

    @Test func `an address says how exact its coordinate is`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        let body = #"{"contact_id":\#(id),"street":"1 Main St","city":"Reno","country":"US"}"#
        let added = try await client.send(.post, "/api/addresses", body).expect(has: ["data.precision": .null])
        let address = try #require(Int(exactly: added.at("data", "id")?.number ?? 0))
        try await Database.test.run { db in
            try db.locateAll()
            try db.query("UPDATE geocodes SET precision = 'city', is_weak = true, confidence = 1")
        }
        try await client.get("/api/addresses/\(address)").expect(has: [
            "data.latitude": 39.5, "data.precision": "city", "data.confidence": 0.05, "data.area_confidence": 1,
            "data.is_weak": true,
        ])
    }

    @Test func `a position in a body is the contact's own, and a provider's that comes back is not`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        func body(_ position: String) -> String { #"{"street":"1 Main St","city":"Reno","country":"US"\#(position)}"# }
        for (wrong, field) in [
            (#","latitude":91,"longitude":0"#, "latitude"), (#","latitude":39.5,"longitude":-180.1"#, "longitude"),
            (#","latitude":39.5"#, "longitude"), (#","longitude":"x","latitude":1"#, "longitude"),
            (#","latitude":0,"longitude":0"#, "latitude"), (#","latitude":1e400,"longitude":0"#, "latitude"),
        ] {
            let refused = try await client.send(.post, "/api/contacts/\(id)/addresses", body(wrong)).expect(422)
            #expect(refused.text.contains(field))
        }
        try await client.send(.post, "/api/contacts/\(id)/addresses", body(#","latitude":39.53,"longitude":-119.81"#))
            .expect(201, has: ["data.latitude": 39.53, "data.confidence": 1, "data.precision": "rooftop"])

        // Another address gets a provider's place. The client sends it back together with a new street.
        let other = try await client.send(
            .post, "/api/contacts/\(id)/addresses", #"{"street":"2 Elm St","city":"Reno","country":"US"}"#)
        let address = try #require(Int(exactly: other.at("data", "id")?.number ?? 0))
        try await Database.test.run { try $0.locateAll() }
        #expect(try await client.get("/api/addresses/\(address)").at("data", "latitude") == .number(39.5))
        try await client.send(
            .put, "/api/addresses/\(address)",
            #"{"street":"3 Elm St","city":"Reno","country":"US","latitude":39.5,"longitude":-119.8}"#
        ).expect(has: ["data.latitude": .null])
    }

    @Test func `every field that Monica documents is present, empty where unknown`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        let body = #"{"contact_id":\#(id),"street":"1 Main St","city":"Reno","country":"US"}"#
        let added = try await client.send(.post, "/api/addresses", body)
        let address = try #require(Int(exactly: added.at("data", "id")?.number ?? 0))
        #expect(try added.at("data", "url") == .text("http://map.example:8080/api/addresses/\(address)"))
        let nobody: JSONValue = .object(["is_age_based": .null, "is_year_unknown": .null, "date": .null])
        #expect(try added.at("data", "contact", "information", "birthdate") == nobody)
        #expect(try added.at("data", "contact", "gender_type") == .null)

        let contact = try await client.get("/api/contacts/\(id)")
        for name in [
            "gender", "gender_type", "description", "last_called", "last_activity_together", "stay_in_touch_frequency",
            "stay_in_touch_trigger_date",
        ] {
            #expect(try contact.at("data", name) == .null, "\(name)")
        }
        for name in ["is_starred", "is_partial", "is_dead", "is_me"] {
            #expect(try contact.at("data", name) == .bool(false), "\(name)")
        }
        for kind in ["love", "family", "friend", "work"] {
            #expect(
                try contact.at("data", "information", "relationships", kind)
                    == .object(["total": .number(0), "contacts": .list([])]))
        }
        try contact.expect(has: ["data.information.avatar.url": .null, "data.information.food_preferences": .null])
        #expect(try contact.at("data", "information", "how_you_met", "first_met_date") == nobody)
        try contact.expect(has: [
            "data.statistics.number_of_debts": 0,
            "data.addresses.0.url": "http://map.example:8080/api/addresses/\(address)",
        ])
        try await client.get("/api/contacts?query=ada").expect(has: [
            "data.0.url": "http://map.example:8080/api/contacts/\(id)", "meta.query": "ada",
            "data.0.addresses.0.contact.url": "http://map.example:8080/api/contacts/\(id)",
        ])
    }

    @Test func `a page has its position and links with the request's parameters`() async throws {
        let client = try await APIClient.test()
        for _ in 0..<5 { _ = try await ada(client) }
        try await client.get("/api/contacts?limit=2&page=2&sort=-created_at&query=love%20lace").expect(has: [
            "meta.total": 0, "meta.from": .null,
        ])

        let second = try await client.get("/api/contacts?limit=2&page=2&sort=-created_at&query=ADA%20love").expect(
            has: [
                "meta": .object([
                    "current_page": .number(2), "from": .number(3), "last_page": .number(3),
                    "path": .text("http://map.example:8080/api/contacts"), "per_page": .number(2),
                    "query": .text("ADA love"), "to": .number(4), "total": .number(5),
                ])
            ])
        let next = "http://map.example:8080/api/contacts?limit=2&sort=-created_at&query=ADA%20love&page=3"
        #expect(try second.at("links", "next") == .text(next))
        let third = try await client.get(String(next.dropFirst("http://map.example:8080".count)))
        #expect(try third.at("data")?.list?.count == 1)
        #expect(try third.at("links", "next") == .null)

        let all = try await client.get("/api/contacts").at("data")?.list?.compactMap { try $0.at(["id"])?.number } ?? []
        let back = try await client.get("/api/contacts?sort=-created_at").at("data")?.list?.compactMap {
            try $0.at(["id"])?.number
        }
        #expect(all.count == 5)
        #expect(back == all.reversed())
    }

    @Test func `links keep https, because a client sends its token along`() async throws {
        var client = try await APIClient.test()
        _ = try await ada(client)
        client.isOverTLS = true
        try await client.get("/api/contacts?limit=1&page=2").expect(has: [
            "links.prev": "https://map.example:8080/api/contacts?limit=1&page=1"
        ])
        let url = try await client.get("/api/contacts").at("data", "0", "url")?.text
        #expect(url?.hasPrefix("https://map.example:8080/api/contacts/") == true)
    }

    @Test func `a forwarded host changes no link, and an unknown host appears in none`() async throws {
        var client = try await APIClient.test()
        try await client.get("/api/contacts", headers: ["X-Forwarded-Host": "evil.example"]).expect(has: [
            "meta.path": "http://map.example:8080/api/contacts"
        ])
        client.headers = ["Host": "evil\"<b>"]
        #expect(try await client.get("/api/contacts").at("meta", "path") == .text("/api/contacts"))
    }

    @Test(arguments: [("a_b", ["a_b"]), ("a%b", ["a%b"]), (#"a\b"#, [#"a\b"#]), ("a", ["a%b", #"a\b"#, "a_b", "axb"])])
    func `a search treats % and _ as ordinary letters`(text: String, found: [String]) async throws {
        let client = try await APIClient.test()
        for name in ["a_b", "axb", "a%b", #"a\\b"#] {
            #expect(try await client.send(.post, "/api/contacts", #"{"first_name":"\#(name)"}"#).status == 201)
        }
        let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let list = try await client.get("/api/contacts?query=\(query)").at("data")?.list
        #expect(list?.compactMap { $0.object?["first_name"]?.text }.sorted() == found)
    }

    @Test(arguments: [
        ("limit=101", 30), ("limit=0", 41), ("limit=x", 41), ("limit=-1", 41), ("limit=1e3", 41), ("limit=%D9%A7", 41),
        ("limit=", 41), ("page=0", 41), ("page=99999999999999999999", 41), ("page=1000000000000000000000000000000", 41),
        ("sort=name", 39), ("sort=--created_at", 39),
    ])
    func `an invalid page is refused with Monica's code`(query: String, code: Int) async throws {
        let answer = try await APIClient.test().get("/api/contacts?\(query)")
        try answer.expect(400, has: ["error.error_code": .number(Double(code))])
    }

    @Test func `all wrong members are reported at once`() async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        let street = String(repeating: "x", count: 2_001)
        try await client.send(
            .post, "/api/addresses", #"{"contact_id":"\#(id)","street":"\#(street)","city":7,"province":"\u0000"}"#
        ).expect(
            422,
            has: [
                "error.error_code": 32,
                "error.message": .list([
                    .text("contact_id: must be a whole number above 0"),
                    .text("street: is longer than 2,000 characters"), .text("city: must be a text"),
                    .text("province: has the character U+0000, which can't be stored"),
                ]),
            ])
        try await client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"province":"NV"}"#).expect(422)
        try await client.send(.post, "/api/addresses", #"{"contact_id":999999,"city":"Reno"}"#).expect(404)
    }

    @Test(arguments: [
        ("北京", true), ("-", true), (" \u{A0}", false), ("\u{2003}", false), ("", false),
    ])
    func `an address in any script is accepted if it has enough parts`(city: String, isEnough: Bool) async throws {
        let client = try await APIClient.test()
        let id = try await ada(client)
        let answer = try await client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"city":"\#(city)"}"#)
        #expect(answer.status == (isEnough ? 201 : 422))
        let question = try await client.send(.post, "/v1/geocode", #"{"city":"\#(city)"}"#)
        #expect(question.status == (isEnough ? 202 : 422))
    }
}
