package import HTTPTesting
package import JSON
import Operations

/// A receiver of webhooks on 127.0.0.1, which keeps the locations that it is sent, as a receiver should: it goes by what a
/// location is named by, so that a repetition changes nothing.
package final class WebhookReceiver: Sendable {
    /// By what a location is named.
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

    /// How many messages were taken.
    package var taken: Int { state.withLock { $0.taken } }

    /// What is there now.
    package var locations: [Key: [String: JSONValue]] { state.withLock { $0.locations } }

    /// What the next messages get, one each; then all is well.
    package func play(_ moods: [SinkMood]) { state.withLock { $0.moods = Moods(moods) } }

    /// What all messages from now on get, by turns.
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
