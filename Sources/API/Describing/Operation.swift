import Access
import Formats
import HTTP
import JSON
import Shapes

/// The part of a route's description that its method, path and scope don't give.
struct Operation: Sendable {
    /// The name for programs, such as generated clients.
    let id: String
    let summary: String
    let details: String
    let query: [Field]
    let body: Body?
    let successes: [Success]
    /// Statuses of errors that ``APIRoute/refusals`` does not give.
    let refuses: [Int]
}

/// The body of a request.
struct Body: Sendable {
    /// The media types, each with the schema of its content.
    let contents: [(type: String, schema: Schema)]
    var isRequired = true

    static func json(_ schema: Schema, orForm form: Schema? = nil) -> Body {
        Body(
            contents: [("application/json", schema)] + (form.map { [("application/x-www-form-urlencoded", $0)] } ?? []))
    }

    static func json(_ model: Model) -> Body { .json(.model(model)) }

    /// Objects, one in a line.
    static func lines(_ example: String, orBytes: Bool = false, or json: Schema? = nil) -> Body {
        let lines = Schema.text.with(example: JSONText(stringLiteral: example))
        let types = ["application/x-ndjson", "application/jsonl"].map { ($0, lines) }
        let bytes = orBytes ? [("application/octet-stream", lines.with("format", "binary"))] : []
        return Body(contents: (json.map { [("application/json", $0)] } ?? []) + types + bytes)
    }

    var ifAny: Body { Body(contents: contents, isRequired: false) }

    func write(to json: inout JSONWriter) {
        json.object { json in
            if isRequired { json.member("required", true) }
            json.object("content") { json in
                for content in contents { json.content(content.type, content.schema) }
            }
        }
    }
}

/// A response to a request that was carried out.
struct Success: Sendable {
    var status: Int
    let summary: String
    var content: (type: String, schema: Schema)?
    /// The type of the body that the handler returns.
    var outputType: String?
    /// Headers besides those of every response to its method.
    var headers: [String] = []
    /// False for a response that is written while it is read, so that it has no tag.
    var isWhole = true

    static func ok(
        _ summary: String, _ schema: Schema, status: Int = 200, type: String = "application/json",
        headers: [String] = []
    ) -> Success {
        Success(status: status, summary: summary, content: (type, schema), headers: headers)
    }

    /// A response of the type that the route's handler returns: see ``APIRoute/output``.
    static func ok(
        _ summary: String, status: Int = 200, type: String = "application/json", headers: [String] = []
    ) -> Success {
        Success(status: status, summary: summary, outputType: type, headers: headers)
    }

    /// The resource after a write, with its tag and its path.
    static func stored(_ summary: String) -> Success { .ok(summary, headers: ["Content-Location", "ETag"]) }
    static func made(_ summary: String) -> Success {
        .ok(summary, status: 201, headers: ["Content-Location", "ETag", "Location"])
    }

    static let underWay = Success.ok("It is under way.", status: 202)
    static func nothing(_ summary: String) -> Success { Success(status: 204, summary: summary) }
    static func events(_ summary: String, _ example: String) -> Success {
        .ok(summary, .text.with(example: JSONText(stringLiteral: example)), type: "text/event-stream").asStream
    }

    var asStream: Success {
        var success = self
        success.isWhole = false
        return success
    }
}

extension APIRoute {
    /// The same route with its description.
    func described(
        _ id: String, _ summary: String, details: String = "", query: [Field] = [], body: Body? = nil,
        _ successes: Success..., refuses: [Int] = []
    ) -> APIRoute {
        var route = self
        route.operation = Operation(
            id: id, summary: summary, details: details, query: query, body: body, successes: successes,
            refuses: refuses)
        return route
    }

    var body: Body? { operation?.body ?? input?.body }
    private var isRead: Bool { method == .get }
    private var isRemembered: Bool { !traits.contains(.unremembered) }

    /// True if a response to GET has a tag. Streams are not compared.
    var isTagged: Bool {
        isRead && !traits.contains(.phone) && operation?.successes.allSatisfy(\.isWhole) == true
    }

    /// The statuses of the errors: those of each request, and those that follow from the route.
    var refusals: [Int] {
        guard let operation else { return [] }
        var statuses: Set = [400, 405, 408, 414, 431, 500]
        if scope != nil { statuses.formUnion([401, 403, 429]) }
        if !traits.contains(.health) { statuses.insert(503) }
        if pattern.contains("{") { statuses.insert(404) }
        if scope != nil, isTagged || !isRead { statuses.insert(412) }
        if isRemembered, !isRead { statuses.formUnion([409, 413]) }
        if let body {
            statuses.formUnion([413, 415])
            // A mistake in one line of a stream is a part of the response.
            if body.contents.contains(where: { $0.type == "application/json" }) { statuses.insert(422) }
        }
        if traits.contains(.phone) { statuses.formUnion([404, 409, 422]) }
        return statuses.union(operation.refuses).sorted()
    }

    /// The parameters of the path, the query and the headers.
    var parameters: [(place: String, field: Field)] {
        let path = pattern.split(separator: "/").filter { $0.first == "{" }.map { name in
            ("path", Field.path(String(name.dropFirst().dropLast()), in: pattern))
        }
        var headers: [Field] = []
        if isRemembered, !isRead { headers.append(.idempotencyKey) }
        if scope == nil ? isTagged : isTagged || !isRead { headers.append(.ifNoneMatch) }
        if scope != nil, isTagged || !isRead { headers.append(.ifMatch) }
        if isOfReaders { headers.append(.position) }
        let query = (input?.query ?? []) + (operation?.query ?? [])
        return path + query.map { ("query", $0) } + headers.map { ("header", $0) }
    }

    func write(to json: inout JSONWriter) {
        guard let operation else { return }
        json.object { json in
            json.member("summary", operation.summary)
            json.member("operationId", operation.id)
            json.list("tags", [tag.rawValue]) { $0.value($1) }
            let scope = scope.map { "Scope: `\($0.rawValue)`." }
            let details = [operation.details, scope ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            if !details.isEmpty { json.member("description", details) }
            if scope == nil { json.list("security", [] as [Int]) { $0.value($1) } }
            json.list("parameters", parameters) { $0.parameter($1.field, in: $1.place) }
            if let body { json.member("requestBody") { body.write(to: &$0) } }
            json.object("responses") { writeResponses(of: operation, to: &$0) }
        }
    }

    private func writeResponses(of operation: Operation, to json: inout JSONWriter) {
        for success in operation.successes {
            json.object("\(success.status)") { json in
                json.member("description", success.summary)
                if let content = success.content {
                    json.object("content") { $0.content(content.type, content.schema) }
                } else if let type = success.outputType, let schema = output?.schema {
                    json.object("content") { $0.content(type, schema) }
                }
                json.headers(success.headers + (isTagged && success.status == 200 ? ["ETag"] : []))
            }
        }
        if isTagged { json.object("304") { $0.member("description", "The client has it already.") } }
        for status in refusals {
            let name = form.refusal(status)
            json.object("\(status)") { $0.member("$ref", "#/components/responses/\(name)") }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func content(_ type: String, _ schema: Schema) {
        object(type) { json in
            json.member("schema", number: schema.json().text)
            if !schema.isReference { json.member("example", number: schema.example.text) }
        }
    }

    /// The headers of a response, if it has some.
    mutating func headers(_ names: [String]) {
        if names.isEmpty { return }
        object("headers") { json in
            for name in names.sorted() {
                json.object(name) {
                    $0.object("schema") { $0.member("type", name == "Retry-After" ? "integer" : "string") }
                }
            }
        }
    }

    fileprivate mutating func parameter(_ field: Field, in place: String) {
        object { json in
            json.member("name", field.name)
            json.member("in", place)
            if field.isRequired { json.member("required", true) }
            if !field.summary.isEmpty { json.member("description", field.summary) }
            json.member("schema", number: field.schema.json().text)
            json.member("example", number: field.schema.example.text)
        }
    }
}

extension Field {
    fileprivate static let ifMatch = Field(
        ifAny: "If-Match", .text, "The ETag that the client has read: the request is refused if it has changed.",
        example: "*")
    fileprivate static let ifNoneMatch = Field(
        ifAny: "If-None-Match", .text,
        "Reading: the ETag of the client's copy; the answer is 304 if it is current. Writing: `*` creates only.",
        example: #""5f2b8c""#)
    fileprivate static let idempotencyKey = Field(
        ifAny: "Idempotency-Key", .text(1...255).matching("^[!-~]+$"),
        "A request that is sent again with its key is carried out once.",
        example: "7c9e6679-7425-40de-944b-e07fc1f90ae7")

    fileprivate static let position = Field(
        ifAny: APIServer.positionHeader, .integer(0...Int.max),
        "The header of a response to a write: the response to this request shows that write.", example: 4_294_967_296)

    /// A parameter of the path, by its name and the kind of resource before it.
    fileprivate static func path(_ name: String, in pattern: String) -> Field {
        let segments = pattern.split(separator: "/").map(String.init)
        let owner = segments.firstIndex(of: "{\(name)}").map { segments[$0 - 1] } ?? ""
        switch (name, owner) {
        case ("user", _):
            return Field(name, .segment(200), "The account's name for the user.", example: "ada")
        case ("feed", _):
            return Field(name, .segment(500), "The feed's name, percent-encoded: a slash is `%2F`.", example: "crm")
        case ("key", _):
            return Field(
                name, .segment(500), "The friend's key in the source, percent-encoded; it is neither `.` nor `..`.",
                example: "17")
        case (_, "lanes"): return Field(name, .segment(200), example: "gazetteer")
        case (_, "chains"): return Field(name, .text(1...60).matching("^[a-z0-9_-]+$"), example: "default")
        default: return Field(name, .id, example: 1)
        }
    }
}

extension Schema {
    /// A part of a path.
    fileprivate static func segment(_ most: Int) -> Schema { text(1...most).matching("^[^\\u0000-\\u001f\\u007f]+$") }
}
