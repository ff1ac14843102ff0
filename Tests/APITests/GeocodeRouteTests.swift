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
        try await client.send(.post, "/v1/geocode", #"{"address":"12 Main St, Peoria, IL 61602, USA"}"#).expect(202)
        let parts = #"{"street":"12 Main St","city":"Peoria","region":"IL","postcode":"61602","country":"USA"}"#
        _ = try await client.send(.post, "/v1/geocode", parts)
        // A separate member overrides the line.
        _ = try await client.send(.post, "/v1/geocode", #"{"address":"12 Main St, Peoria, IL 61602","country":"USA"}"#)
        let count: Int = try await Database.test.query("SELECT count(*) AS n FROM geocodes")[0].read("n")
        #expect(count == 1)
        try await client.refuse(
            .post, "/v1/geocode", with: 422,
            [
                #"{"address":"1 Main St, Reno","city":"Reno"}"#, #"{"address":7}"#, #"{"address":"  "}"#,
                #"{"addresses":[]}"#, #"{"addresses":"Reno"}"#, #"{"addresses":["Reno"],"city":"Reno"}"#,
            ])
    }

    @Test func `a list is answered in order, each question once, and a repeated list without waiting`() async throws {
        let client = try await APIClient.test()
        let body =
            #"{"addresses":["1 Main St, Reno, NV, USA",{"city":"Helsinki","country":"FI"},"1 Main St, Reno, NV, USA"]}"#
        let first = try await client.send(.post, "/v1/geocode", body).expect(202)
        #expect(first.headers["Retry-After"] == "5")
        #expect(try first.at("waiting") == .number(3))
        try await Database.test.run { db throws in
            #expect(try db.query("SELECT FROM geocodes").count == 2)
            try db.locateAll()
            try db.query("UPDATE geocodes SET latitude = 60.17 WHERE city = 'Helsinki'")
        }
        let second = try await client.send(.post, "/v1/geocode", body).expect(200, has: ["waiting": 0])
        let latitudes = try (0..<3).map { try second.at("data", "\($0)", "place", "latitude") }
        #expect(latitudes == [.number(39.5), .number(60.17), .number(39.5)])
    }

    @Test func `a list of 10,000 addresses is asked, and one of 10,001 is refused`() async throws {
        let client = try await APIClient.test()
        let list = (0..<10_000).map { #"{"street":"\#($0) Main St","city":"Reno","country":"US"}"# }
        let body = #"{"addresses":[\#(list.joined(separator: ","))]}"#
        try await client.send(.post, "/v1/geocode", body).expect(202, has: ["waiting": 10_000])
        let jobs: Int = try await Database.test.query("SELECT count(*) AS n FROM jobs")[0].read("n")
        #expect(jobs == 20)
        let more = #"{"addresses":[\#((list + ["\"Reno\""]).joined(separator: ","))]}"#
        #expect(try await client.send(.post, "/v1/geocode", more).status == 422)
    }

    @Test func `a mistake in a list is reported with its index`() async throws {
        let client = try await APIClient.test()
        try await client.send(.post, "/v1/geocode", #"{"addresses":["Reno, USA",{"city":7},5]}"#).expect(
            422, has: ["errors.0.field": "addresses[1].city", "errors.1.field": "addresses[2]"])
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
        try await client.send(.post, "/v1/geocode", body, headers: ["Accept-Language": language]).expect(has: [
            "place.country": .text(name), "place.country_code": "US",
        ])
    }

    @Test func `a client without the scope admin sees why a question waits`() async throws {
        var client = try await APIClient.test()
        client.token = "other"
        try await client.send(.post, "/v1/geocode", #"{"city":"Reno","country":"US"}"#).expect(has: [
            "waits_for.lane": "gazetteer", "waits_for.why": "no worker",
        ])
        try await Database.test.query("UPDATE lanes SET paused_at = now()")
        try await client.send(.post, "/v1/geocode", #"{"city":"Reno","country":"US"}"#).expect(has: [
            "waits_for.why": "paused"
        ])
    }
}
