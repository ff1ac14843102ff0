import Contacts
import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Testing
import TrackingTesting

@testable import API
@testable import Access

/// One name in all its spellings, which Swift takes for equal and PostgreSQL does not. Each door accepts all of them for
/// the same thing. `NameCommandTests` has the command line.
@Suite(.database)
struct NameFormTests {
    private static let known = [
        ["José", "Jose\u{301}"], ["Kim", "\u{212A}im"],
        ["Ångström", "\u{212B}ngstro\u{308}m", "A\u{30A}ngstro\u{308}m"],
        ["한", "\u{1112}\u{1161}\u{11AB}"], ["\u{8C48}", "\u{F900}"], ["q\u{323}\u{307}", "q\u{307}\u{323}"],
    ]

    /// The spellings of names that are made of random letters, each with one to three marks.
    private static let generated: [[String]] = {
        var generator = Dice(seed: 41)
        let scalars = [0xC0..<0x250, 0x390..<0x460, 0x900..<0xA00, 0x1E00..<0x2000, 0x2126..<0x212C, 0xF900..<0xFA20]
            .joined().compactMap { Unicode.Scalar(UInt32($0)) }
            .filter { String($0).decomposedStringWithCanonicalMapping.unicodeScalars.count > 1 || $0.value > 0x2100 }
        let marks: [Unicode.Scalar] = ["\u{301}", "\u{308}", "\u{323}", "\u{327}", "\u{328}", "\u{31B}", "\u{316}"]
        return (0..<40).map { number in
            var (name, swapped) = ("\(number)", "\(number)")
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                guard let letter = scalars.randomElement(using: &generator) else { continue }
                let some = marks.shuffled(using: &generator).prefix(2)
                name.unicodeScalars.append(letter)
                name.unicodeScalars.append(contentsOf: some)
                swapped.unicodeScalars.append(
                    contentsOf: String(letter).decomposedStringWithCanonicalMapping.unicodeScalars)
                swapped.unicodeScalars.append(contentsOf: some.reversed())
            }
            let forms = [name, name.precomposedStringWithCanonicalMapping, name.decomposedStringWithCanonicalMapping]
            // Marks in another order are another name, unless Unicode sorts them.
            return forms + (swapped == name ? [swapped] : [])
        }
    }()

    private static let all = known + generated

    private func encoded(_ name: String) throws -> String {
        try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.urlHostAllowed)))
    }

    private func fix(_ number: Int) -> String {
        #"{"lat":60,"lng":\#(number),"timestamp":\#(1_700_000_000 + number * 3_600),"id":"e\#("\u{301}")\#(number)"}"#
    }

    @Test func `a user has one tracker, however the name is spelled`() async throws {
        let client = try await APIClient.test()
        for spellings in Self.all {
            for (number, name) in spellings.enumerated() {
                let path = "/v1/trackers/\(try encoded(name))"
                let started = try await client.send(.post, path + "/start", #"{"since":"2023-11-14T00:00:00Z"}"#)
                #expect(started.status == (number == 0 ? 201 : 200) || started.status == 200, "\(started.text)")
                #expect(try await client.send(.post, path + "/locations", fix(number)).status == 200)
                #expect(
                    try await client.get("/v1/osmand?id=\(try encoded(name))&lat=61&lon=24&timestamp=1700000001")
                        .status == 200)
                let batch = #"{"locations":[],"device_id":"\#(name)"}"#
                #expect(try await client.send(.post, "/v1/overland", batch).status == 200)
            }
            try await client.get("/v1/trackers?add=counts&limit=1000").expect(200)
        }
        let counted = try await client.get("/v1/trackers?add=counts&limit=1000").at("data")?.list ?? []
        #expect(counted.count == Self.all.count)
        for (spellings, number) in zip(Self.all, 0...) {
            let shown = try await client.get("/v1/trackers/\(try encoded(spellings[spellings.count - 1]))").expect(200)
            let user = try #require(try shown.at("user")?.text)
            #expect(Array(user.utf8) == Array(spellings[0].precomposedStringWithCanonicalMapping.utf8), "\(number)")
        }
    }

    @Test func `a token of one user is good for each spelling of the name`() async throws {
        var client = try await APIClient.test()
        for spellings in Self.known {
            client.token = "everything"
            _ = try await client.send(
                .post, "/v1/trackers/\(try encoded(spellings[0]))/start", #"{"since":"2023-11-14T00:00:00Z"}"#)
            for name in spellings {
                client.token = "everything"
                let made = try await client.send(
                    .post, "/v1/tokens", #"{"name":"p","scopes":["track","locate"],"user":"\#(name)"}"#)
                client.token = try #require(try made.at("token")?.text)
                for other in spellings {
                    #expect(try await client.get("/v1/trackers/\(try encoded(other))").status == 200)
                    let own = #"{"_type":"location","lat":60.5,"lon":24,"tst":1700002400}"#
                    try await client.send(.post, "/v1/owntracks?u=\(try encoded(other))", own).expect(200)
                }
            }
        }
    }

    /// The server may know letters of a newer Unicode than this program. Its two names are two users then.
    @Test func `a token is not good for a user whose name has other bytes`() async throws {
        let client = try await APIClient.test()
        let route = try #require(
            client.server.routes.first { $0.pattern == "/v1/trackers/{user}" && $0.method == .get })
        var request = ServerRequest(.get, path: ["v1", "trackers", "x"])
        for (name, isOpen) in [("Kim", true), ("\u{212A}im", false)] {
            request.parameters = ["user": name]
            #expect(route.isOpen(toUser: "Kim", request) == isOpen)
        }
    }

    @Test func `a friend has one key, however it is spelled, in each request and in each stream`() async throws {
        let client = try await APIClient.test()
        let ada = #""name":"Ada","addresses":[{"city":"Reno","country":"US"}]"#
        for spellings in Self.all {
            var ids: Set<Double> = []
            for (feed, key) in zip(spellings, spellings.reversed()) {
                let path = "/v1/feeds/\(try encoded(feed))/friends/\(try encoded(key))"
                ids.insert(try #require(try await client.send(.put, path, "{\(ada)}").at("id")?.number))
                let stream = #"{"key":"\#(key)",\#(ada)}"#
                let imported = try await client.send(
                    .put, "/v1/friends?feed=\(try encoded(key))", stream, type: "application/x-ndjson")
                #expect(try imported.at("unchanged") == .number(1), "\(imported.text)")
                let keys = #"{"keys":[{"feed":"\#(feed)","key":"\#(key)"}]}"#
                try await client.send(.post, "/v1/friends/batch", keys).expect(200)
            }
            #expect(ids.count == 1)
            // The second line of a stream with the same key is refused.
            let lines = spellings.prefix(2).map { #"{"key":"\#($0)",\#(ada)}"# }.joined(separator: "\n")
            try await client.send(.put, "/v1/friends?feed=twice", lines, type: "application/x-ndjson")
                .expect(has: ["refused": 1])
            let last = spellings[spellings.count - 1]
            let path = "/v1/feeds/twice/friends/\(try encoded(last))"
            #expect(try await client.send(.delete, path).status == 204)
        }
    }
}
