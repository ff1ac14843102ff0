import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing

@testable import API
@testable import Contacts

@Suite(.database)
struct GeocodeRouteTests {
    @Test func `an address on one line is the same question as the same address in parts`() async throws {
        let client = try await APIClient.test()
        let line = try await client.send(.post, "/v1/geocode", #"{"address":"12 Main St, Peoria, IL 61602, USA"}"#)
        #expect(line.status == 202)
        let parts = #"{"street":"12 Main St","city":"Peoria","region":"IL","postcode":"61602","country":"USA"}"#
        _ = try await client.send(.post, "/v1/geocode", parts)
        // A separate member overrides the line.
        _ = try await client.send(
            .post, "/v1/geocode", #"{"address":"12 Main St, Peoria, IL 61602","country":"USA"}"#)
        let count: Int = try await Database.test.run { try $0.query("SELECT count(*) AS n FROM geocodes")[0].read("n") }
        #expect(count == 1)
        for wrong in [
            #"{"address":"1 Main St, Reno","city":"Reno"}"#, #"{"address":7}"#, #"{"address":"  "}"#,
            #"{"addresses":[]}"#, #"{"addresses":"Reno"}"#, #"{"addresses":["Reno"],"city":"Reno"}"#,
        ] {
            #expect(try await client.send(.post, "/v1/geocode", wrong).status == 422, "\(wrong)")
        }
    }

    @Test func `a list is answered in order, each question once, and a repeated list without waiting`() async throws {
        let client = try await APIClient.test()
        let body =
            #"{"addresses":["1 Main St, Reno, NV, USA",{"city":"Helsinki","country":"FI"},"1 Main St, Reno, NV, USA"]}"#
        let first = try await client.send(.post, "/v1/geocode", body)
        #expect(first.status == 202)
        #expect(first.headers["Retry-After"] == "5")
        #expect(try first.at("waiting") == .number(3))
        try await Database.test.run { db throws in
            #expect(try db.query("SELECT FROM geocodes").count == 2)
            try db.locateAll()
            try db.query("UPDATE geocodes SET latitude = 60.17 WHERE city = 'Helsinki'")
        }
        let second = try await client.send(.post, "/v1/geocode", body)
        #expect(second.status == 200)
        #expect(try second.at("waiting") == .number(0))
        let latitudes = try (0..<3).map { try second.at("data", "\($0)", "place", "latitude") }
        #expect(latitudes == [.number(39.5), .number(60.17), .number(39.5)])
    }

    @Test func `a list of 10,000 addresses is asked, and one of 10,001 is refused`() async throws {
        let client = try await APIClient.test()
        let list = (0..<10_000).map { #"{"street":"\#($0) Main St","city":"Reno","country":"US"}"# }
        let body = #"{"addresses":[\#(list.joined(separator: ","))]}"#
        let answer = try await client.send(.post, "/v1/geocode", body)
        #expect(answer.status == 202)
        #expect(try answer.at("waiting") == .number(10_000))
        let jobs: Int = try await Database.test.run { try $0.query("SELECT count(*) AS n FROM jobs")[0].read("n") }
        #expect(jobs == 20)
        let more = #"{"addresses":[\#((list + ["\"Reno\""]).joined(separator: ","))]}"#
        #expect(try await client.send(.post, "/v1/geocode", more).status == 422)
    }

    @Test func `a mistake in a list is reported with its index`() async throws {
        let client = try await APIClient.test()
        let answer = try await client.send(.post, "/v1/geocode", #"{"addresses":["Reno, USA",{"city":7},5]}"#)
        #expect(answer.status == 422)
        #expect(try answer.at("errors", "0", "field") == .text("addresses[1].city"))
        #expect(try answer.at("errors", "1", "field") == .text("addresses[2]"))
    }

    @Test(arguments: [
        ("de", "Vereinigte Staaten"), ("fr-CA, en;q=0.5", "États-Unis"), ("xx", "United States"), ("", "United States"),
        ("en;q=0.1, fi", "Yhdysvallat"),
    ])
    func `a country given as a code is named in the requested language`(
        language: String, name: String
    ) async throws {
        let client = try await APIClient.test()
        let body = #"{"city":"Reno","country":"US"}"#
        _ = try await client.send(.post, "/v1/geocode", body)
        try await Database.test.run { db throws in
            try db.locateAll()
            try db.query(#"UPDATE geocodes SET placemark = '{"locality": "Reno", "countryCode": "US"}'"#)
        }
        let answer = try await client.send(.post, "/v1/geocode", body, headers: ["Accept-Language": language])
        #expect(try answer.at("place", "country") == .text(name))
        #expect(try answer.at("place", "country_code") == .text("US"))
    }

    @Test func `a client without the scope admin sees why a question waits`() async throws {
        var client = try await APIClient.test()
        client.token = "other"
        let answer = try await client.send(.post, "/v1/geocode", #"{"city":"Reno","country":"US"}"#)
        #expect(try answer.at("waits_for", "lane") == .text("gazetteer"))
        #expect(try answer.at("waits_for", "why") == .text("no worker"))
        try await Database.test.run { try $0.query("UPDATE lanes SET paused_at = now()") }
        let paused = try await client.send(.post, "/v1/geocode", #"{"city":"Reno","country":"US"}"#)
        #expect(try paused.at("waits_for", "why") == .text("paused"))
    }
}
