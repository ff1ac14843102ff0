import Foundation
import HTTP
import SinkTesting
import Testing

@testable import Sinks

struct SinkDescriptionTests {
    @Test func `a description makes a sink of its kind`() throws {
        #expect(try make(.firestore, "key") { $0.project = "demo" } is FirestoreSink)
        #expect(try make(.webhook, Self.signing) { $0.url = "https://example.org/hook" } is WebhookSink)
    }

    static let signing = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func make(
        _ kind: SinkKind, _ secret: String? = nil, _ set: (inout SinkSettings) -> Void
    ) throws -> any LocationSink {
        var settings = SinkSettings()
        set(&settings)
        return try SinkDescription(kind: kind, settings: settings, secret: secret)
            .makeSink(HTTPClient.Options(userAgent: "Waypost"))
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let kind: SinkKind
        let secret: String?
        let reason: String
        let set: @Sendable (inout SinkSettings) -> Void
        var testDescription: String { reason }

        init(
            _ kind: SinkKind, _ secret: String?, _ reason: String,
            _ set: @escaping @Sendable (inout SinkSettings) -> Void
        ) {
            (self.kind, self.secret, self.reason, self.set) = (kind, secret, reason, set)
        }
    }

    @Test(arguments: [
        Mistake(.firestore, "key-secret", "needs the id of a project") { _ in },
        Mistake(.firestore, nil, "needs the project's API key") { $0.project = "demo" },
        Mistake(.firestore, "key-secret", "can't be the id of one") { $0.project = "../secret" },
        Mistake(.firestore, "key-secret", "not the path of a collection") {
            ($0.project, $0.collection) = ("demo", "a/b")
        },
        Mistake(.firestore, "key-secret", "the server must be https") {
            ($0.project, $0.server) = ("demo", "http://secret.example.org")
        },
        Mistake(.firestore, "key-secret", "the token server is not a complete URL") {
            ($0.project, $0.tokenServer) = ("demo", "secret")
        },
        Mistake(.firestore, "key-secret", "firestore has no setting url") {
            ($0.project, $0.url) = ("demo", "https://example.org/secret")
        },
        Mistake(.webhook, signing, "webhook has no setting project") {
            ($0.url, $0.project) = ("https://example.org/secret", "demo")
        },
        Mistake(.webhook, signing, "needs a URL") { _ in },
        Mistake(.webhook, nil, "needs a secret") { $0.url = "https://example.org/secret" },
        Mistake(.webhook, signing, "must be https, unless") { $0.url = "http://example.org/secret" },
        Mistake(.webhook, signing, "not a complete URL") { $0.url = "https://ann:secret@example.org/" },
        Mistake(.webhook, signing, "not a complete URL") { $0.url = "file:///secret" },
    ])
    func `missing and wrong settings are reported without their values`(mistake: Mistake) throws {
        let error = try #require(throws: SinkMistake.self) { try make(mistake.kind, mistake.secret, mistake.set) }
        #expect(error.description.contains(mistake.reason), "\(error)")
        for word in ["-secret", "/secret", "secret.", ":secret", "=secret"] {
            #expect(!error.description.contains(word))
        }
    }

    @Test func `only the server of a URL is shown`() throws {
        var settings = SinkSettings()
        settings.url = "https://hooks.example.org:8443/ann-secret?token=secret"
        let description = SinkDescription(kind: .webhook, settings: settings, secret: Self.signing)
        #expect(description.shown == "https://hooks.example.org:8443")
        let sink = try description.makeSink(HTTPClient.Options(userAgent: "Waypost"))
        var dumped = ""
        dump(description, to: &dumped)
        for text in ["\(description)", String(reflecting: description), dumped, "\(sink)", String(reflecting: sink)] {
            #expect(!text.contains("secret?") && !text.contains("ann-") && !text.contains("MfKQ"), "\(text)")
        }
    }

    @Test func `settings are stored as JSON without empty members, and unknown members are ignored`() throws {
        var settings = SinkSettings()
        (settings.project, settings.tokenServer, settings.allowsPrivateAddresses) = ("demo", "https://a.example", true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(settings)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"allows_private_addresses":true,"project":"demo","token_server":"https://a.example"}"#)
        #expect(try JSONDecoder().decode(SinkSettings.self, from: json) == settings)
    }

    @Test(arguments: [true, false]) func `a webhook may call private addresses only if its settings permit it`(
        isAllowed: Bool
    )
        async throws
    {
        let receiver = try WebhookReceiver()
        defer { receiver.stop() }
        let sink: any LocationSink
        if isAllowed {
            sink = try make(.webhook, Self.signing) { ($0.url, $0.allowsPrivateAddresses) = (receiver.url, true) }
        } else {
            let url = receiver.url.replacing("http:", with: "https:")
            sink = try make(.webhook, Self.signing) { $0.url = url }
        }
        var error: SinkError?
        do throws(SinkError) { try await sink.upload(Parcel(id: "1", locations: [.sample()])) } catch let caught {
            error = caught
        }
        #expect((error == nil) == isAllowed)
        #expect(receiver.connections == (isAllowed ? 1 : 0))
    }
}
