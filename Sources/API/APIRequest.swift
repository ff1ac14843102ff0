import Access
import Geocoding
import HTTP
import JSON
import Queue

/// A request whose sender was authenticated.
struct APIRequest: Sendable {
    var http: ServerRequest
    let caller: Caller
    var body: RequestBody
    /// The client's `Idempotency-Key`, so that it may send the request twice.
    var key: (text: String, hash: [UInt8])?
    let conditions: Conditions
    /// The data must be at least as new as this position: see ``Backend/position(of:)``.
    var position: Int?

    /// The most bytes that are read of a body with one JSON value.
    static let longestBody = 256 * 1_024

    /// The body's members.
    func fields(upTo limit: Int = longestBody) async throws -> RequestReader {
        guard http.hasContentType("application/json") else {
            throw RequestError(status: 415, detail: "The body must be sent as application/json.")
        }
        return try RequestReader(await body.collect(upTo: limit))
    }

    /// The body's members, for a route that needs none: an empty body is accepted.
    func optionalFields() async throws -> RequestReader {
        let body = try await body.collect(upTo: Self.longestBody)
        return try RequestReader(body.isEmpty ? Array("{}".utf8) : body)
    }

    /// For a route whose body is a stream of contacts.
    func requireLines() throws {
        guard http.isOfLines else {
            throw RequestError(status: 415, detail: "The body must be sent as application/x-ndjson.")
        }
    }

    /// For a route without parameters. A parameter is refused, because it may be misspelt or meant for another route.
    func refuseParameters() throws {
        var query = RequestReader(query: http.query)
        try query.finish()
    }

    /// The id in the path. An impossible id is reported as not found.
    func id() throws -> Int {
        guard let id = http.parameters["id"].flatMap(Int.init(digits:)), id > 0 else { throw RequestError.notFound }
        return id
    }

    /// The name in the path. A name that nothing can have is not found later.
    var name: String { http.parameters["name"] ?? "" }

    var account: Int { caller.account }
    var author: Author { caller.author }

    /// The path of the resource, for links.
    var path: String { http.path.map { "/" + $0.percentEncoded }.joined() }
}

extension ServerRequest {
    /// Returns whether the body's declared type is this one, whatever its parameters.
    func hasContentType(_ type: String) -> Bool {
        let given = headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        return given.split(separator: " ").elementsEqual([type[...]])
    }

    /// Returns whether the body is declared as a stream of JSON values, one on each line. Generated clients often
    /// support only streams of plain bytes, so that type is accepted too.
    var isOfLines: Bool {
        ["application/x-ndjson", "application/jsonl", "application/octet-stream"].contains(where: hasContentType)
    }
}

extension ServerResponse {
    /// A response in JSON.
    static func json(
        _ status: Int = 200, type: String = "application/json", _ write: (inout JSONWriter) throws -> Void
    ) rethrows -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": type], body: .bytes(try JSONWriter.bytes(write)))
    }
}

extension APIRequest {
    /// The client's preferred language in `Accept-Language`; nil without that header:
    /// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
    var wantedLanguage: Language? {
        let listed = http.headers.values("Accept-Language").flatMap { $0.split(separator: ",") }
        let ranked = listed.enumerated().compactMap { place, item -> (tag: Substring, weight: Double, place: Int)? in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0 ? (tag[...], weight, place) : nil
        }
        return ranked.max { ($0.weight, -$0.place) < ($1.weight, -$1.place) }.map { Language($0.tag) }
    }
}
