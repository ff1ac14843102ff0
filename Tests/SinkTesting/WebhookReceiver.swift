package import HTTPTesting
package import JSON
import Processes

/// A receiver of webhooks on 127.0.0.1. It stores locations by their key, as a receiver should, so that a repetition
/// changes nothing.
package final class WebhookReceiver: Sendable {
    /// The key of a location.
    package struct Key: Hashable, Sendable {
        package let user: String
        package let timestamp: String
        package let id: String
    }

    private let scripted: ScriptedServer
    private let state: Locked<State>

    private struct State {
        var locations: [Key: [String: JSONValue]] = [:]
        var moods = Moods()
        var taken = 0
    }

    package init() throws {
        let state = Locked(State())
        self.state = state
        scripted = try ScriptedServer { request in
            let mood = state.withLock { $0.moods.next() }
            if let answer = mood.answer { return answer }
            return state.withLock { state in
                guard Self.take(request.body, &state.locations) else { return .status(400) }
                state.taken += 1
                return mood.spoiled("")
            }
        }
    }

    package func stop() { scripted.stop() }

    package var url: String { scripted.url + "/hook?token=secret" }
    package var requests: [ScriptedRequest] { scripted.requests }
    package var arrivals: AsyncStream<ScriptedRequest> { scripted.arrivals }
    package var connections: Int { scripted.connections }

    /// The number of accepted messages.
    package var taken: Int { state.withLock { $0.taken } }

    /// The stored locations.
    package var locations: [Key: [String: JSONValue]] { state.withLock { $0.locations } }

    /// The replies to the next messages, one each; later ones succeed.
    package func play(_ moods: [SinkMood]) { state.withLock { $0.moods = Moods(moods) } }

    /// The replies to all messages from now on, repeated in order.
    package func cycle(_ moods: [SinkMood]) { state.withLock { $0.moods = Moods(moods, isEndless: true) } }

    private static func take(_ body: [UInt8], _ locations: inout [Key: [String: JSONValue]]) -> Bool {
        guard let message = (try? JSONValue(parsing: body))?.object, message["type"] == .text("locations.changed"),
            let data = message["data"]?.object, let changed = data["locations"]?.list,
            let removed = data["removed"]?.list
        else { return false }
        for location in changed.compactMap(\.object) {
            guard let key = Key(location) else { return false }
            locations[key] = location
        }
        for location in removed.compactMap(\.object) {
            guard let key = Key(location) else { return false }
            locations[key] = nil
        }
        return true
    }
}

extension WebhookReceiver.Key {
    package init?(_ location: [String: JSONValue]) {
        guard let user = location["user"]?.text, let timestamp = location["timestamp"]?.text,
            let id = location["id"]?.text
        else { return nil }
        self.init(user: user, timestamp: timestamp, id: id)
    }
}
