/// One event of a stream that browsers know as `EventSource`:
/// https://html.spec.whatwg.org/multipage/server-sent-events.html
package struct ServerSentEvent: Hashable, Sendable {
    /// What kind it is; nil for "message".
    package var name: String?
    /// What the client sends as `Last-Event-ID` when it comes back.
    package var id: String?
    /// Any number of lines.
    package var data: String?
    /// How long the client waits before it comes back.
    package var retry: Duration?
    /// What no client shows: a sign of life.
    package var comment: String?

    package init(_ data: String? = nil, name: String? = nil, id: String? = nil) {
        self.data = data
        self.name = name
        self.id = id
    }

    /// Keeps the connection from looking dead, for us and for whoever stands between.
    package static let heartbeat: Self = {
        var event = Self()
        event.comment = ""
        return event
    }()

    /// As it goes out, with the empty line that ends it.
    package var bytes: [UInt8] {
        var text = ""
        func add(_ field: String, _ value: String) {
            // A line break would begin a field of its own, and no text of ours may do that.
            for line in value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                text += line.isEmpty ? "\(field):\n" : "\(field): \(line)\n"
            }
        }
        if let comment { add("", comment) }
        if let name { add("event", Self.oneLine(name)) }
        if let id { add("id", Self.oneLine(id)) }
        if let retry { add("retry", "\(Int(retry / .milliseconds(1)))") }
        if let data { add("data", data) }
        return Array((text + "\n").utf8)
    }

    private static func oneLine(_ text: String) -> String {
        String(text.filter { !$0.isNewline && $0 != "\0" })
    }
}

extension ServerResponse {
    /// Sends the events as they come, for as long as they come. A server that stops ends it.
    package static func events<Events: AsyncSequence & Sendable>(_ events: Events) -> Self
    where Events.Element == ServerSentEvent, Events.AsyncIterator: SendableMetatype {
        var response = Self(
            status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream { writer in
                for try await event in events { try await writer.write(event.bytes) }
            })
        response.isEndless = true
        return response
    }
}
