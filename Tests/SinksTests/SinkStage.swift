import Foundation
import HTTP
import JSON
import SinkTesting
import Testing
import Tracking

@testable import Sinks

/// A sink of one kind, with its receiver.
struct SinkStage: Sendable {
    let sink: any LocationSink
    let token: String?
    /// The stored locations.
    let content: @Sendable () async throws -> Set<Kept>
    /// Sets the replies to all calls from now on, repeated in order.
    let cycle: @Sendable ([SinkMood]) -> Void
    fileprivate let end: @Sendable () -> Void

    /// A location stored in a sink.
    struct Kept: Hashable {
        let user: String
        let id: String
        let milliseconds: Int
        let lat: Double
        let lng: Double
        let accuracy: Double?
        let waitTime: Double
    }

    static func with(
        _ kind: SinkKind, within limit: Duration = .seconds(20), _ body: (Self) async throws -> Void
    ) async throws {
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.totalLimit = limit
        let stage =
            switch kind {
            case .firestore: try firestore(options)
            case .webhook: try webhook(options)
            }
        defer { stage.end() }
        try await body(stage)
        if let sender = stage.sink.sender { await sender.http.close() }
    }

    private static func firestore(_ options: HTTPClient.Options) throws -> Self {
        let server = try FirestoreServer()
        var settings = SinkSettings()
        (settings.project, settings.collection) = (server.project, "users/{user}/locations")
        (settings.server, settings.tokenServer) = (server.url, server.url)
        settings.allowsPrivateAddresses = true
        return Self(
            sink: try SinkDescription(kind: .firestore, settings: settings, secret: server.apiKey).makeSink(options),
            token: server.signIn("ann").idToken,
            content: { try Set(server.documents.values.map(Kept.init)) }, cycle: { server.cycle($0) },
            end: { server.stop() })
    }

    private static func webhook(_ options: HTTPClient.Options) throws -> Self {
        let receiver = try WebhookReceiver()
        var settings = SinkSettings()
        (settings.url, settings.allowsPrivateAddresses) = (receiver.url, true)
        let secret = SinkDescriptionTests.signing
        return Self(
            sink: try SinkDescription(kind: .webhook, settings: settings, secret: secret).makeSink(options), token: nil,
            content: { try Set(receiver.locations.values.map(Kept.init)) }, cycle: { receiver.cycle($0) },
            end: { receiver.stop() })
    }
}

extension SinkStage.Kept {
    /// The members in the JSON of webhooks.
    init(_ json: [String: JSONValue]) throws {
        user = try #require(json["user"]?.text)
        id = try #require(json["id"]?.text)
        let time = try #require(json["timestamp"]?.text)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        milliseconds = Int((try Date(time, strategy: style).timeIntervalSince1970 * 1_000).rounded())
        lat = try #require(json["lat"]?.number)
        lng = try #require(json["lng"]?.number)
        accuracy = try #require(json["accuracy"]).number
        waitTime = try #require(json["wait_time"]?.number)
    }

    init(_ fields: [String: FirestoreValue]) throws {
        func number(_ name: String) -> Double? { if case .double(let number) = fields[name] { number } else { nil } }
        func text(_ name: String) -> String? { if case .string(let text) = fields[name] { text } else { nil } }
        user = try #require(text("user"))
        id = try #require(text("id"))
        milliseconds = Int((try #require(number("timestamp")) * 1_000).rounded())
        lat = try #require(number("lat"))
        lng = try #require(number("lng"))
        accuracy = number("accuracy")
        waitTime = try #require(number("wait_time"))
    }

    init(_ location: LocationToUpload) {
        user = location.user
        id = location.id
        milliseconds = Int((location.timestamp * 1_000).rounded())
        lat = location.lat
        lng = location.lng
        accuracy = location.accuracy
        waitTime = location.waitTime
    }
}
