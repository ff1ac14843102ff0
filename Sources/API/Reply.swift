import HTTP
import JSON
import Postgres
import Shapes

/// A response whose body is the JSON of an `Output`. The description of a route takes its schema from this type.
struct Reply<Output: JSONRepresentable>: Sendable {
    var response: ServerResponse

    init(_ output: Output, status: Int = 200, type: String = "application/json") {
        response = .json(status, type: type) { output.write(to: &$0) }
    }

    /// See ``ServerResponse/showing(_:)``.
    func showing(_ path: String) -> Self { Self(response.showing(path)) }

    fileprivate init(_ response: ServerResponse) { self.response = response }
}

extension APIServer {
    /// Runs `body` in one transaction: see ``write(_:isLong:_:)-(_,_,(Connection)->ServerResponse)``.
    func write<Output>(
        _ request: APIRequest, isLong: Bool = false, _ body: @Sendable (isolated Connection) throws -> Reply<Output>
    ) async throws -> Reply<Output> {
        Reply(try await write(request, isLong: isLong) { try body($0).response })
    }

    /// The same for a change of the cluster, with the rights of an administrator.
    func act<Output>(
        _ request: APIRequest, _ body: @Sendable (isolated Connection) throws -> Reply<Output>
    ) async throws -> Reply<Output> {
        Reply(try await act(request) { try body($0).response })
    }
}

/// The bytes of one event: https://html.spec.whatwg.org/multipage/server-sent-events.html
func event(_ name: String, _ value: some JSONRepresentable) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + JSONWriter.bytes { value.write(to: &$0) } + Array("\n\n".utf8)
}
