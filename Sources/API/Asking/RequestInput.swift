import Formats
import HTTP
import Shapes

/// The part of a request that a handler gets as a value: a query, a body, or both.
protocol RequestInput: Sendable {
    static func read(_ request: APIRequest) async throws -> Self

    /// The parameters, for the description of the API.
    static var query: [Field] { get }
    static var body: Body? { get }
}

/// A request without parameters, whose handler reads the body itself if there is one.
struct NoInput: RequestInput {
    static func read(_ request: APIRequest) async throws -> Self {
        try request.refuseParameters()
        return Self()
    }

    static var query: [Field] { [] }
    static var body: Body? { nil }
}

/// The parameters of a query. The initializer reads them, and describes them with the same calls.
protocol QueryInput: RequestInput {
    init(_ query: inout RequestReader)
}

extension QueryInput {
    static func read(_ request: APIRequest) async throws -> Self {
        var reader = RequestReader(query: request.http.query)
        let query = Self(&reader)
        try reader.finish()
        return query
    }

    static var query: [Field] { RequestReader.fields(as: .query) { Self(&$0) } }
    static var body: Body? { nil }
}

/// The members of a body. The initializer reads them, and describes them with the same calls.
protocol BodyInput: RequestInput {
    /// The name of the object in the description of the API.
    static var name: String { get }
    static var summary: String { get }
    /// True if members that were not read are ignored. Otherwise they are mistakes.
    static var allowsOthers: Bool { get }
    /// False if the body may be empty.
    static var isRequired: Bool { get }
    /// True if the body must be declared as JSON.
    static var mustBeDeclared: Bool { get }

    init(_ body: inout RequestReader)
}

extension BodyInput {
    static var name: String { "\(Self.self)" }
    static var summary: String { "" }
    static var allowsOthers: Bool { true }
    static var isRequired: Bool { true }
    static var mustBeDeclared: Bool { isRequired }

    static func read(_ request: APIRequest) async throws -> Self {
        try request.refuseParameters()
        return try await body(of: request)
    }

    fileprivate static func body(of request: APIRequest) async throws -> Self {
        var reader = try await mustBeDeclared ? request.fields() : request.optionalFields()
        let body = Self(&reader)
        if !allowsOthers { reader.refuseOthers() }
        try reader.finish()
        return body
    }

    static var query: [Field] { [] }
    static var body: Body? {
        let body = Body.json(Model(name, summary, allowsOthers: allowsOthers, reading: { Self(&$0) }))
        return isRequired ? body : body.ifAny
    }
}

/// A query and a body.
struct QueryAndBody<Query: QueryInput, Content: BodyInput>: RequestInput {
    let query: Query
    let body: Content

    static func read(_ request: APIRequest) async throws -> Self {
        try await Self(query: .read(request), body: .body(of: request))
    }

    static var query: [Field] { Query.query }
    static var body: Body? { Content.body }
}

/// The columns of addresses and places that a client wants in addition.
struct AddedQuery: QueryInput {
    let added: AddedColumns

    init(_ query: inout RequestReader) { added = query.added() }
}
