#if canImport(Darwin)
    import Foundation
#else
    import FoundationEssentials
#endif

/// A request to a cluster, for the HTTP client of an app.
public struct ClusterRequest: Hashable, Sendable {
    public let method: String
    public let url: String
    public let headers: [String: String]
    public let body: [UInt8]?
}

/// The reply to a ``ClusterRequest``.
public struct ClusterReply: Hashable, Sendable {
    public let status: Int
    public let headers: [String: String]
    public let body: [UInt8]

    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    var retryAfter: Duration? {
        let text = headers.first { $0.key.lowercased() == "retry-after" }?.value
        return text.flatMap { Int($0) }.map { .seconds(min(max(1, $0), 366 * 86_400)) }
    }
}

/// A question to a cluster, in the form of the API.
enum ClusterQuestion {
    case geocode(Address)
    case reverse(Coordinate)

    func request(to server: String, token: String) throws -> ClusterRequest {
        var headers = ["Authorization": "Bearer \(token)", "Accept": "application/json"]
        switch self {
        case .geocode(let address):
            headers["Content-Type"] = "application/json"
            return ClusterRequest(
                method: "POST", url: "\(server)/v1/geocode", headers: headers,
                body: Array(try JSONEncoder().encode(address)))
        case .reverse(let place):
            let (latitude, longitude) = (place.latitude.sevenDecimals, place.longitude.sevenDecimals)
            return ClusterRequest(
                method: "GET", url: "\(server)/v1/reverse?latitude=\(latitude)&longitude=\(longitude)",
                headers: headers, body: nil)
        }
    }
}
