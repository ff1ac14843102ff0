import DatabaseTesting
import ExtremesTesting
import HTTP
import JSON
import Postgres
import Shapes
import Testing

@testable import API

/// Every route refuses extreme values, or does something with them: none ends the process, and none is a fault of ours.
@Suite(.database)
struct ExtremeRequestTests {
    private let client: APIClient

    init() async throws {
        client = try await APIClient.test()
        _ = try await client.send(
            .put, "/v1/feeds/crm/friends/a", #"{"name":"Ada","addresses":[{"city":"Espoo","country":"FI"}]}"#)
        _ = try await client.send(.post, "/v1/trackers/ada/start", #"{"since":"2023-11-14T00:00:00Z"}"#)
        _ = try await client.send(.post, "/v1/trackers/ada/locations", #"{"lat":60,"lng":24,"timestamp":1700000000}"#)
        try await addSink()
    }

    /// Texts that no number is.
    private static let texts = Extremes.numbers + ["nan", "inf", "\0", "a\0b", "0000-01-01T00:00:00+23:59"]

    private func target(_ pattern: String, _ other: (name: String, value: String)? = nil) -> String {
        var target = pattern
        for (name, usual) in [
            ("id", "1"), ("user", "ada"), ("feed", "crm"), ("key", "a"),
            ("name", pattern.contains("chains") ? "default" : "gazetteer"),
        ] {
            target = target.replacing("{\(name)}", with: escaped(other?.name == name ? other?.value ?? "" : usual))
        }
        return target
    }

    private func escaped(_ text: String) -> String {
        text.utf8.reduce("") { $0 + "%" + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    private func check(
        _ method: ServerRequest.Method, _ target: String, _ body: String? = nil, type: String = "application/json"
    ) async throws {
        let answer = try await client.send(method, target, body, type: type)
        #expect(answer.status < 500, "\(method.rawValue) \(target) \(body ?? ""): \(answer.text)")
    }

    @Test func `each part of a path may be extreme`() async throws {
        for route in client.server.routes where route.pattern.contains("{") {
            for name in ["id", "user", "feed", "key", "name"] where route.pattern.contains("{\(name)}") {
                for text in Self.texts { try await check(route.method, target(route.pattern, (name, text))) }
            }
        }
    }

    @Test func `each parameter may be extreme`() async throws {
        for route in client.server.routes {
            guard let type = route.input as? any QueryInput.Type else { continue }
            let required = type.query.filter(\.isRequired)
            for field in type.query {
                for text in Self.texts + Self.texts.prefix(12).map({ "\($0)-x" }) {
                    let items = try required.filter { $0.name != field.name }.map { other in
                        let json = try JSONValue(parsing: Array(other.schema.example.text.utf8))
                        return "\(other.name)=\(escaped(json.written ?? ""))"
                    }
                    let query = (items + ["\(field.name)=\(escaped(text))"]).joined(separator: "&")
                    try await check(route.method, "\(target(route.pattern))?\(query)")
                }
            }
        }
    }

    @Test func `each member of a body may be extreme`() async throws {
        for route in client.server.routes {
            guard let type = route.input as? any BodyInput.Type,
                let example = type.body?.contents.first?.schema.example.text
            else { continue }
            let names = (try JSONValue(parsing: Array(example.utf8)).object ?? [:]).keys.sorted()
            let members = names.flatMap { name in
                (Self.texts.map(quoted) + Extremes.numbers).map { #"{"\#(name)":\#($0)}"# }
            }
            for body in Extremes.variants(of: example, each: 12) + members {
                try await check(route.method, target(route.pattern), body)
            }
        }
    }

    private func quoted(_ text: String) -> String { JSONWriter.text { $0.value(text) } }

    /// Bodies that a handler reads itself.
    private static let others: [(target: String, body: String, type: String)] = [
        ("/v1/owntracks?u=ada", #"{"_type":"location","lat":60.5,"lon":24.5,"tst":1700000100,"acc":9}"#, "json"),
        (
            "/v1/overland",
            #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[24.5,60.5]},"properties":"#
                + #"{"timestamp":1700000100,"device_id":"ada","horizontal_accuracy":9}},{"geometry":{"coordinates":"#
                + #"[24.5,60.5]},"properties":{"action":"visit","device_id":"a0","arrival_date":1700000200,"#
                + #""departure_date":1700000300}}]}"#, "json"
        ),
        (
            "/v1/osmand",
            #"{"location":{"timestamp":1700000100,"coords":{"latitude":60.5,"longitude":24.5,"accuracy":9}},"#
                + #""device_id":"ada"}"#, "json"
        ),
        ("/v1/trackers/ada/locations", #"{"lat":60,"lng":24,"timestamp":1700000000,"wait_time":5,"id":"7"}"#, "json"),
        ("/v1/geocode", #"{"street":"Main St 1","city":"Reno","country":"US","latitude":1}"#, "json"),
        ("/v1/plan", #"{"key":"1","addresses":[{"city":"Reno","latitude":1,"longitude":2}]}"#, "x-ndjson"),
        (
            "/api/contacts",
            #"{"first_name":"Ada","last_name":"L","is_birthdate_known":true,"birthdate_day":1,"birthdate_month":2,"#
                + #""birthdate_year":1815,"is_deceased":false,"is_deceased_date_known":false}"#, "json"
        ),
        ("/api/addresses", #"{"contact_id":1,"street":"1 Main St","city":"Reno","latitude":1,"longitude":2}"#, "json"),
        ("/v1/trackers/ada/sign-in", signIn, "json"),
        (
            "/v1/friends?feed=x",
            #"{"key":"1","name":"Ada","addresses":[{"street":"Main St 1","city":"Reno","latitude":1.5,"longitude":2}]}"#,
            "x-ndjson"
        ),
    ]

    @Test func `each number in a phone's message, a contact and a line may be extreme`() async throws {
        for (target, body, type) in Self.others {
            let bodies =
                Extremes.variants(of: body, each: Extremes.numbers.count)
                + ["ada", "Ada", "Reno", "secret-id"].map { body.replacing($0, with: #"a\u0000b"#) }
            for body in bodies {
                try await check(
                    ["sign-in", "feed=x"].contains(where: target.hasSuffix) ? .put : .post, target, body,
                    type: "application/\(type)")
            }
        }
        for name in ["lat", "lon", "timestamp", "accuracy", "id"] {
            for text in Self.texts {
                let item = "&\(name)=\(escaped(text))"
                try await check(.get, "/v1/osmand?id=ada&lat=60&lon=24&timestamp=1700000200\(item)")
                try await check(.get, "/v1/osmand?x=1\(item)")
            }
        }
    }
}
