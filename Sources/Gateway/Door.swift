package import Geocoding
package import HTTP
import JSON

/// The shape of one service: how its requests are read, and how its replies are written.
package struct Door: Sendable {
    /// The first segments of its paths.
    package let path: [String]
    let endpoints: [Endpoint]
    var files: [FileEndpoint] = []
    let refusal: @Sendable (GatewayRefusal, GatewayRequest) -> ServerResponse

    struct Endpoint: Sendable {
        /// The path behind the door's own.
        let path: [String]
        let read: @Sendable (GatewayRequest) throws(GatewayRefusal) -> GatewayCall

        init(_ path: String, _ read: @escaping @Sendable (GatewayRequest) throws(GatewayRefusal) -> GatewayCall) {
            (self.path, self.read) = (path.split(separator: "/").map(String.init), read)
        }
    }

    /// Takes a CSV file, each row of which is a request to another endpoint.
    package struct FileEndpoint: Sendable {
        let path: [String]
        /// The path of the requests, behind the door's own.
        package let rows: [String]
        /// The parameter that has the text of the columns that the client chooses, or of all.
        package var line: String?
        /// Parameters whose value is that of a column. The client may name it, or it has one of these names.
        package let parameters: [(name: String, columns: [String])]
        /// The columns that are added.
        package let added: [String]
    }

    package static let all = [nominatim, photon, revgeod, addok, geoapify]

    /// The endpoint for a file that the request names.
    package func file(_ request: GatewayRequest) throws(GatewayRefusal) -> FileEndpoint? {
        guard let file = files.first(where: { $0.path == request.path }) else { return nil }
        guard request.method == .post else {
            throw GatewayRefusal(405, "405 Method Not Allowed", ["Allow": "POST, OPTIONS"])
        }
        return file
    }

    /// Reads a request.
    package func call(_ request: GatewayRequest) throws(GatewayRefusal) -> GatewayCall {
        guard let endpoint = endpoints.first(where: { $0.path == request.path }) else {
            throw GatewayRefusal(404, "404 Not Found")
        }
        guard request.method == .get else {
            throw GatewayRefusal(405, "405 Method Not Allowed", ["Allow": "GET, OPTIONS"])
        }
        return try endpoint.read(request)
    }

    /// Writes a refusal in the shape of the door.
    package func refuse(_ refusal: GatewayRefusal, _ request: GatewayRequest) -> ServerResponse {
        var response = self.refusal(refusal, request)
        for field in refusal.headers.fields { response.headers[field.name] = field.value }
        return response
    }

    /// A browser asks whether a page of another site may read the replies.
    package static func preflight(_ request: GatewayRequest) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
                "Access-Control-Max-Age": "86400",
                "Access-Control-Allow-Headers": request.headers["Access-Control-Request-Headers"] ?? "*",
            ])
    }
}

/// A request that was read.
package struct GatewayCall: Sendable {
    /// Nil if the reply needs no place.
    package let query: GatewayQuery?
    package let language: Language?
    package let reply: @Sendable (GatewayAnswer) -> ServerResponse
    /// The request as a Nominatim server takes it; nil at other doors.
    package var passedOn: String?
    /// The type of the server's reply.
    package var type = ""

    init(
        _ query: GatewayQuery?, in language: Language? = nil,
        _ reply: @escaping @Sendable (GatewayAnswer) -> ServerResponse
    ) {
        (self.query, self.language, self.reply) = (query, language, reply)
    }
}

extension ServerResponse {
    static func json(
        _ status: Int = 200, type: String = "application/json; charset=utf-8", _ write: (inout JSONWriter) -> Void
    ) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": type], body: .bytes(JSONWriter.bytes(write)))
    }

    static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }
}
