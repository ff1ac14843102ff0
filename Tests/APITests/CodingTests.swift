import DatabaseTesting
import HTTP
import JSON
import Testing

@testable import API

/// Replies and bodies in gzip.
@Suite(.database)
struct CodingTests {
    private let gzip: HTTPHeaders = ["Accept-Encoding": "gzip"]

    private func packed(_ text: String) -> [UInt8] {
        ServerResponse(status: 200, body: .bytes(Array(text.utf8))).gzipped().bytes
    }

    private func lines(_ count: Int) -> String {
        (1...count).map {
            #"{"key":"\#($0)","name":"Ada \#($0)","addresses":[{"street":"\#($0) Main St","city":"Reno"}]}"# + "\n"
        }
        .joined()
    }

    @Test func `a long reply is compressed for a client that accepts gzip, with its own ETag`() async throws {
        let client = try await APIClient.test()
        _ = try await client.send(.put, "/v1/friends?feed=crm", lines(40), type: "application/x-ndjson")
        let targets = [
            "/v1/friends", "/api/contacts", "/v1/friends/1?add=all", "/v1/openapi.json", "/v1/places",
            "/v1/places?format=csv",
        ]
        for target in targets {
            let plain = try await client.get(target)
            let answer = try await client.get(target, headers: gzip)
            guard plain.bytes.count > 1_024 else {
                #expect(answer.bytes == plain.bytes, "\(target)")
                #expect(answer.headers["Content-Encoding"] == nil, "\(target)")
                continue
            }
            #expect(answer.headers["Content-Encoding"] == "gzip", "\(target)")
            #expect(plain.headers["Content-Encoding"] == nil, "\(target)")
            #expect([plain, answer].allSatisfy { $0.headers["Vary"] == "Accept-Encoding" }, "\(target)")
            #expect(try await answer.unpacked().bytes == plain.bytes, "\(target)")
            #expect(answer.bytes.count < plain.bytes.count / 2, "\(target)")
            if let tag = plain.headers["ETag"] {
                let own = try #require(answer.headers["ETag"])
                #expect(own != tag, "\(target)")
                let same = try await client.get(target, headers: gzip.adding("If-None-Match", own))
                #expect(same.status == 304 && same.bytes.isEmpty, "\(target)")
                #expect(
                    same.headers["Vary"] == "Accept-Encoding" && same.headers["Content-Encoding"] == nil, "\(target)")
                #expect(try await client.get(target, headers: ["If-None-Match": own]).status == 200, "\(target)")
            }
        }
    }

    @Test func `the ETag of a gzip reply permits a write until the state changes`() async throws {
        let client = try await APIClient.test()
        let addresses = (1...9).map { #"{"street":"\#($0) Main St","city":"Reno"}"# }.joined(separator: ",")
        let contact = #"{"name":"Ada","addresses":[\#(addresses)]}"#
        let made = try await client.send(.put, "/v1/feeds/crm/friends/1", contact)
        #expect(made.status < 300, "\(made.text)")
        let read = try await client.get("/v1/feeds/crm/friends/1", headers: gzip)
        let tag = try #require(read.headers["ETag"])
        #expect(tag.hasSuffix("-gzip\""))
        let changed = #"{"name":"Ada B."}"#
        let put = { try await client.send(.put, "/v1/feeds/crm/friends/1", changed, headers: ["If-Match": tag]) }
        #expect(try await put().status == 200)
        #expect(try await put().status == 412)
    }

    @Test func `a gzip body is unpacked, as one value or as a stream of lines`() async throws {
        let client = try await APIClient.test()
        let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"]
        let taken = try await client.ask(.put, "/v1/friends?feed=crm", headers: headers, body: packed(lines(2_000)))
        #expect(try taken.at("added")?.number == 2_000)
        let contact = packed(#"{"first_name":"Ada"}"#)
        let json: HTTPHeaders = ["Content-Encoding": "x-GZIP, identity", "Content-Type": "application/json"]
        #expect(try await client.ask(.post, "/api/contacts", headers: json, body: contact).status == 201)
    }

    @Test(arguments: ["/api/contacts", "/v1/friends/batch"])
    func `a body that can't be unpacked is refused with the reason`(_ path: String) async throws {
        let client = try await APIClient.test()
        func sent(_ coding: String, _ body: [UInt8]) async throws -> APIClient.Answer {
            try await client.ask(
                .post, path, headers: ["Content-Encoding": coding, "Content-Type": "application/json"], body: body)
        }
        for coding in ["br", "deflate", "gzip, gzip", "gzip, br"] {
            let answer = try await sent(coding, [1, 2, 3])
            #expect(answer.status == 415 && answer.headers["Accept-Encoding"] == "gzip", "\(coding): \(answer.text)")
        }
        #expect(try await sent("gzip", Array("{}".utf8)).status == 400)
        #expect(try await sent("gzip", packed("{}").dropLast(4)).status == 400)
        #expect(try await sent("gzip", packed(String(repeating: " ", count: 300_000))).status == 413)
    }

    @Test func `a truncated gzip stream removes no friend`() async throws {
        let client = try await APIClient.test()
        _ = try await client.send(.put, "/v1/friends?feed=crm", lines(40), type: "application/x-ndjson")
        let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"]
        let half = Array(packed(lines(30)).dropLast(10))
        try await client.ask(.put, "/v1/friends?feed=crm&complete=true", headers: headers, body: half).expect(400)
        #expect(try await client.get("/v1/friends?limit=100").at("data")?.list?.count == 40)
    }
}

extension HTTPHeaders {
    fileprivate func adding(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.append(name, value)
        return headers
    }
}
