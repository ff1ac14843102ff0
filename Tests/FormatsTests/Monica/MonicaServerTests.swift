import ExtremesTesting
import Foundation
import HTTP
import HTTPTesting
import Processes
import Testing

@testable import Formats

struct MonicaServerTests {
    @Test func `all pages are read, one after the other`() async throws {
        let first = try String(contentsOfFile: monicaSample("page-1.json"), encoding: .utf8)
        let second = try String(contentsOfFile: monicaSample("page-2.json"), encoding: .utf8)
        let (server, pages) = try await read { $0.query["page"] == "1" ? .json(first) : .json(second) }

        #expect(pages.entries.map(\.count) == [1, 1])
        #expect(pages.entries.first == [.contact(line: 1, aino)])
        #expect(
            pages.entries.last == [
                .contact(line: 3, Friend(sourceKey: "monica:#3", name: "דוד", firstName: "דוד", addresses: []))
            ])
        #expect(pages.total == 3)
        #expect(server.requests.map(\.path) == ["/api/contacts", "/api/contacts"])
        #expect(server.requests.map { $0.query["limit"] } == ["100", "100"])
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer secret" })
    }

    @Test func `each number of a page may be extreme`() async throws {
        let page = try String(contentsOfFile: monicaSample("page-2.json"), encoding: .utf8)
        for variant in Extremes.variants(of: page, each: 3) {
            let answers = Answers([.json(variant), .json(#"{"data":[]}"#), .json(#"{"data":[]}"#)])
            _ = try await read { _ in answers.next() }
        }
    }

    @Test func `an empty account has one empty page`() async throws {
        let (_, pages) = try await read { _ in .json(#"{"data":[],"links":{"next":null},"meta":{"total":0}}"#) }

        #expect(pages.entries == [[]])
    }

    @Test func `a contact whose addresses are missing is refused, not emptied`() async throws {
        let (_, pages) = try await read { _ in .json(#"{"data":[{"id":1,"first_name":"Ada"}]}"#) }

        #expect(pages.entries == [[.refused(line: 1, reason: #"its "addresses" are missing"#)]])
    }

    @Test func `the address may already end in api`() async throws {
        let (server, _) = try await read(path: "/crm/api") { _ in .json(#"{"data":[]}"#) }

        #expect(server.requests.map(\.path) == ["/crm/api/contacts"])
    }

    @Test func `a busy server is called again after the time it gives`() async throws {
        let answers = Answers([
            .json("{}", status: 429, headers: [("Retry-After", "7")]), .json("{}", status: 429),
            .json("{}", status: 503),
            .json(#"{"data":[]}"#),
        ])
        let (_, pages) = try await read { _ in answers.next() }

        #expect(pages.waits == [.seconds(7), .seconds(60), .seconds(8)])
        #expect(pages.entries == [[]])
    }

    @Test func `a server that stays down is given up after five calls`() async throws {
        let (server, pages) = try await read { _ in .json("{}", status: 500) }

        #expect(pages.problem == "answered 500, 5 times; try again later")
        #expect(pages.waits == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
        #expect(server.requests.count == 5)
    }

    @Test func `a broken connection is retried`() async throws {
        let answers = Answers([.truncated("{", promising: 100), .json(#"{"data":[]}"#)])
        let (_, pages) = try await read { _ in answers.next() }

        #expect(pages.entries == [[]])
    }

    @Test(arguments: [
        (401, "refused the token; make another one in Monica under Settings > API"),
        (404, "has no Monica at this address; the API is missing there"), (418, "answered 418"),
    ]) func `a refusal is reported at once`(status: Int, problem: String) async throws {
        let (server, pages) = try await read { _ in .json("{}", status: status) }

        #expect(pages.problem == problem)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["<html>", "{}", "[]", #"{"data":{}}"#]) func `a page that is not a list is an error`(body: String)
        async throws
    {
        let (_, pages) = try await read { _ in .json(body) }

        #expect(pages.problem == "answered with something else than a list of contacts; is it a Monica server?")
    }

    @Test func `a server that demands a pause of hours is an error at once`() async throws {
        let (server, pages) = try await read { _ in .json("{}", status: 429, headers: [("Retry-After", "3600")]) }

        #expect(pages.problem == "requires a pause of more than 15 minutes; try again later")
        #expect(server.requests.count == 1)
    }

    @Test func `contacts deleted during the reading end it with an error`() async throws {
        let (_, pages) = try await read { request in
            let page = request.query["page"] ?? ""
            return .json(
                #"{"data":[{"id":\#(page),"first_name":"Ada","addresses":[]}],"meta":{"current_page":\#(page),"last_page":3,"total":\#(page == "1" ? 3 : 2)}}"#
            )
        }

        #expect(pages.problem == "contacts were deleted while they were read; run it again")
        #expect(pages.entries.count == 1)
    }

    @Test func `a contact on two pages is refused the second time`() async throws {
        let (_, pages) = try await read { request in
            let isFirst = request.query["page"] == "1"
            return .json(
                #"{"data":[{"id":1,"first_name":"Ada","addresses":[]}],"links":{"next":\#(isFirst ? #""x""# : "null")}}"#
            )
        }

        #expect(pages.entries.last == [.refused(line: 2, reason: "line 1 has the same key as line 2")])
    }
}

private struct Reading {
    var entries: [[ContactEntry]] = []
    var waits: [Duration] = []
    var problem: String?
    var total: Int?
}

/// Returns these answers one after the other.
private final class Answers: Sendable {
    private let left: Locked<[ScriptedAnswer]>

    init(_ answers: [ScriptedAnswer]) {
        left = Locked(answers)
    }

    func next() -> ScriptedAnswer { left.withLock { $0.isEmpty ? .status(500) : $0.removeFirst() } }
}

/// Reads all pages of a server with these replies, without real waits.
private func read(
    path: String = "", _ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
) async throws -> (ScriptedServer, Reading) {
    let server = try ScriptedServer(answer)
    defer { server.stop() }
    let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost/test"))
    let waits = Locked<[Duration]>([])
    let url = try #require(HTTPURL(server.url + path))
    let monica = MonicaServer(url: url, token: "secret", http: client) { pause in waits.withLock { $0.append(pause) } }
    var reading = Reading()
    var pages = monica.pages()
    do {
        while let entries = try await pages.next() { reading.entries.append(entries) }
    } catch let error as FileError {
        #expect(error.file == "127.0.0.1:\(server.port)")
        reading.problem = error.problem
    }
    reading.total = pages.total
    reading.waits = waits.withLock { $0 }
    await client.close()
    return (server, reading)
}
