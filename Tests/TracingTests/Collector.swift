import HTTPTesting
import JSON
import Testing

/// A collector of traces that accepts only what OTLP permits.
struct Collector {
    let server: ScriptedServer

    init(_ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer = { _ in .json("{}") }) throws {
        server = try ScriptedServer(answer)
    }

    var endpoint: String { "\(server.url)/v1/traces" }

    /// The received spans, once `isDone` is true for them.
    func spans(until isDone: ([ReceivedSpan]) -> Bool) async throws -> [ReceivedSpan] {
        var spans: [ReceivedSpan] = []
        for await request in server.arrivals {
            spans += try ReceivedSpan.all(in: request)
            if isDone(spans) { break }
        }
        return spans
    }
}

/// A span as received.
/// https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/opentelemetry/proto/trace/v1/trace.proto
struct ReceivedSpan {
    let trace, id, parent, state, name: String
    let kind: Int
    let flags: Int
    let start, end: Int
    let attributes: [String: JSONValue]
    let links: [(trace: String, id: String)]
    let hasFailed: Bool
    let resource: [String: JSONValue]

    func text(_ attribute: String) -> String? { attributes[attribute]?.text }

    static func all(in request: ScriptedRequest) throws -> [ReceivedSpan] {
        #expect(request.method == "POST")
        #expect(request.headers["content-type"] == "application/json")
        let json = try members(JSONValue(parsing: request.body), ["resourceSpans"])
        return try list(json["resourceSpans"]).flatMap { group in
            let group = try members(group, ["resource", "scopeSpans"])
            let resource = try attributes(members(group["resource"], ["attributes"])["attributes"])
            return try list(group["scopeSpans"]).flatMap { group in
                let group = try members(group, ["scope", "spans"])
                _ = try members(group["scope"], ["name", "version"])
                return try list(group["spans"]).map { try ReceivedSpan($0, resource) }
            }
        }
    }

    private init(_ json: JSONValue, _ resource: [String: JSONValue]) throws {
        let span = try Self.members(
            json,
            [
                "traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano",
                "endTimeUnixNano", "attributes", "links", "status",
            ])
        trace = try Self.hex(span["traceId"], digits: 32)
        id = try Self.hex(span["spanId"], digits: 16)
        parent = try span["parentSpanId"].map { try Self.hex($0, digits: 16) } ?? ""
        state = span["traceState"]?.text ?? ""
        name = try #require(span["name"]?.text)
        kind = try #require(span["kind"]?.number.map { Int($0) })
        #expect((1...5).contains(kind))
        flags = try #require(span["flags"]?.number.map { Int($0) })
        (start, end) = (try Self.moment(span["startTimeUnixNano"]), try Self.moment(span["endTimeUnixNano"]))
        #expect(start <= end, "\(name)")
        attributes = try Self.attributes(span["attributes"])
        links = try (span["links"]?.list ?? []).map { link in
            let link = try Self.members(link, ["traceId", "spanId", "traceState", "attributes", "flags"])
            return (try Self.hex(link["traceId"], digits: 32), try Self.hex(link["spanId"], digits: 16))
        }
        let status = try Self.members(span["status"], ["code", "message"])
        #expect([nil, 1, 2].contains(status["code"]?.number))
        hasFailed = status["code"]?.number == 2
        self.resource = resource
    }

    private static func members(_ json: JSONValue?, _ known: Set<String>) throws -> [String: JSONValue] {
        let object = try #require(json?.object)
        #expect(known.isSuperset(of: object.keys), "\(object.keys)")
        return object
    }

    private static func list(_ json: JSONValue?) throws -> [JSONValue] { try #require(json?.list) }

    private static func hex(_ json: JSONValue?, digits: Int) throws -> String {
        let text = try #require(json?.text)
        #expect(text.count == digits && text.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(text.contains { $0 != "0" })
        return text
    }

    /// A 64-bit number is a text in OTLP's JSON.
    private static func moment(_ json: JSONValue?) throws -> Int {
        let nanoseconds = try #require(json?.text.flatMap { Int($0) })
        #expect((1_600_000_000..<4_000_000_000).contains(nanoseconds / 1_000_000_000))
        return nanoseconds
    }

    /// The attributes, with numbers as numbers.
    private static func attributes(_ json: JSONValue?) throws -> [String: JSONValue] {
        var attributes: [String: JSONValue] = [:]
        for attribute in try list(json) {
            let attribute = try members(attribute, ["key", "value"])
            let value = try members(attribute["value"], ["stringValue", "intValue"])
            #expect(value.count == 1)
            let key = try #require(attribute["key"]?.text)
            #expect(attributes[key] == nil, "\(key) is there twice")
            if let number = value["intValue"] {
                attributes[key] = .number(try #require(number.text.flatMap { Double($0) }))
            } else {
                attributes[key] = .text(try #require(value["stringValue"]?.text))
            }
        }
        return attributes
    }
}
