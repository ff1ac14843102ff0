import Foundation
import HTTP
import HTTPTesting
import JSON
import SinkTesting
import Testing

@testable import Sinks

struct WebhookTests {
    @Test func `a message contains the changes in the JSON of the API`() async throws {
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        try await upload(
            [.sample(), .sample("2", accuracy: nil), .sample("3", isRemoved: true)], to: receiver.url,
            at: 1_800_000_009.5)
        let request = try #require(receiver.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/hook?token=secret")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["webhook-id"] == "7-1")
        #expect(request.headers["webhook-timestamp"] == "1800000009")
        #expect(
            String(decoding: request.body, as: UTF8.self) == """
                {"type":"locations.changed","timestamp":"2027-01-15T08:00:09.500Z","data":{"locations":[\
                {"id":"1","user":"ann-secret","lat":60.125,"lng":24.5,"accuracy":8.0,"timestamp":"2027-01-15T08:00:00.250Z",\
                "wait_time":90.0,"uploaded":true},\
                {"id":"2","user":"ann-secret","lat":60.125,"lng":24.5,"accuracy":null,"timestamp":"2027-01-15T08:00:00.250Z",\
                "wait_time":90.0,"uploaded":true}],\
                "removed":[{"id":"3","user":"ann-secret","timestamp":"2027-01-15T08:00:00.250Z"}]}}
                """)
    }

    /// Recorded from the reference implementation: the Python package `standardwebhooks` 1.1.0.
    @Test(arguments: [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "v1,HEIT+NH1V+7wRGZk1b5JxBMnwd+UdsUCTJ8MuCFOKL8="),
        (
            "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==",
            "v1,FSBwtswZDJ5eEDSys/ZKxBWf/S1QRB3p60s1dNiTfzc="
        ),
    ])
    func `a signature follows Standard Webhooks`(secret: String, expected: String) throws {
        let signature = try WebhookSecret(secret).signature(
            of: Array(body.utf8), id: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", timestamp: 1_674_087_231)
        #expect(signature == expected)
    }

    private let body = """
        {"type":"locations.changed","timestamp":"2026-11-22T15:00:00.000Z","data":{"locations":[{"id":"1","user":"Ünal"}],\
        "removed":[]}}
        """

    @Test func `a secret without the prefix signs with its own bytes`() throws {
        let signature = try WebhookSecret("twenty-four-bytes-or-more").signature(
            of: Array(body.utf8), id: "7-1", timestamp: 1_795_359_600)
        #expect(signature == "v1,vEMbn2R4uv4TtHIqI/xXSiVWYjIrT/f+Ww9usq2Uv7M=")
    }

    @Test func `while a secret is replaced, both sign`() throws {
        let (old, new) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "twenty-four-bytes-or-more")
        func signature(_ secret: String) throws -> String {
            try WebhookSecret(secret).signature(of: Array(body.utf8), id: "1", timestamp: 1)
        }
        #expect(try signature("\(new) \(old)\n") == "\(signature(new)) \(signature(old))")
    }

    @Test func `the header has the signature of exactly the bytes sent`() async throws {
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        try await upload([.sample("ä\n\u{1}")], to: receiver.url)
        let request = try #require(receiver.requests.first)
        let timestamp = try #require(Int(request.headers["webhook-timestamp"] ?? ""))
        let expected = try WebhookSecret(secret).signature(of: request.body, id: "7-1", timestamp: timestamp)
        #expect(request.headers["webhook-signature"] == expected)
    }

    @Test(arguments: [
        ("", "needs a secret"), (" \n", "needs a secret"), ("short-secret", "shorter than 24 bytes"),
        ("whsec_secret!", "in base 64"), ("whsec_c2VjcmV0", "in base 64"),
        ("whsec_" + String(repeating: "QUFB", count: 22), "in base 64"),
        ("twenty-four-bytes-or-more hush", "shorter"),
    ])
    func `a text that is not a secret is refused and not quoted`(text: String, reason: String) {
        let error = #expect(throws: SinkMistake.self) { try WebhookSecret(text) }
        #expect(error?.description.contains(reason) == true)
        for word in text.split(separator: " ") where word.count > 3 {
            #expect(error?.description.contains(word.trimmingCharacters(in: .whitespacesAndNewlines)) == false)
        }
    }

    @Test(arguments: [
        (200, "", Meaning?.none), (201, "", nil), (204, "", nil), (429, "9", .busy(9)), (429, "", .busy(60)),
        (503, "9", .busy(9)), (503, "", .unavailable), (500, "", .unavailable), (502, "9", .unavailable),
        (504, "", .unavailable), (301, "", .unavailable), (304, "", .unavailable), (307, "", .unavailable),
        (308, "", .unavailable), (408, "", .unavailable), (425, "", .unavailable), (404, "", .unavailable),
        (405, "", .unavailable), (400, "", .refused), (413, "", .refused), (415, "", .refused), (422, "", .refused),
        (401, "", .denied), (403, "", .denied), (410, "", .denied),
    ])
    func `each status has its meaning`(status: Int, retryAfter: String, meaning: Meaning?) async throws {
        let headers = (retryAfter.isEmpty ? [] : [("Retry-After", retryAfter)]) + [("Location", "/secret")]
        let server = try ScriptedServer { _ in .status(status, headers) }
        defer { server.stop() }
        var error: SinkError?
        do { try await upload([.sample()], to: server.url + "/?secret") } catch let caught as SinkError {
            error = caught
        }
        #expect(error.map(Meaning.init) == meaning)
        if let error { expectDiscretion(error) }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [SinkMood.hangUp, .silent]) func `silence and a closed connection are outages`(mood: SinkMood)
        async throws
    {
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        receiver.play([mood])
        let error = try await #require(throws: SinkError.self) {
            try await upload([.sample()], to: receiver.url, within: .milliseconds(200))
        }
        #expect(Meaning(error) == .unavailable)
        expectDiscretion(error)
    }

    @Test func `no redirect is followed`() async throws {
        let stranger = try ScriptedServer { _ in .status(200) }
        let server = try ScriptedServer { _ in .redirect(to: stranger.url, status: 308) }
        defer { for server in [server, stranger] { server.stop() } }
        let error = await #expect(throws: SinkError.self) { try await upload([.sample()], to: server.url) }
        #expect(error.map(Meaning.init) == .unavailable)
        #expect(stranger.connections == 0)
    }

    @Test func `a private address is denied without a call`() async throws {
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        let url = receiver.url.replacing("127.0.0.1", with: "localhost")
        let error = try await #require(throws: SinkError.self) {
            try await upload([.sample()], to: url, permittingPrivate: false)
        }
        #expect(Meaning(error) == .denied)
        expectDiscretion(error)
        #expect(receiver.connections == 0)
    }

    private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func upload(
        _ locations: [LocationToUpload], to url: String, at now: Double = 1_800_000_000,
        within limit: Duration = .seconds(20), permittingPrivate isPermitted: Bool = true
    ) async throws {
        try await withClient {
            $0.totalLimit = limit
            $0.permitsPrivateAddresses = isPermitted
        } _: { client in
            let sink = WebhookSink(
                url: try #require(HTTPURL(url)), secret: try WebhookSecret(secret), http: client, now: { now })
            try await sink.upload(Parcel(id: "7-1", locations: locations, changedAt: now))
        }
    }
}
