#if canImport(Darwin)
    import Foundation
#else
    import FoundationEssentials
#endif

/// Calls a Waypost cluster over its API, for apps. The token needs the scope `write`.
///
/// The cluster applies the limits, retries and stores answers. A known address costs one request.
public struct ClusterProvider: GeocodingProvider {
    /// Sends a request and returns the reply, whatever its status. Throws if no reply came.
    public typealias Transport = @Sendable (ClusterRequest) async throws -> ClusterReply

    public let name = "waypost"
    /// The cluster keeps the answers for as long as their providers permit. An app asks again, so it keeps them for one
    /// session.
    public let terms = ProviderTerms(forms: [.structured], canReverse: true, steps: [.structured], storage: .session)

    private let server: String
    private let token: String
    private let patience: Duration
    private let transport: Transport
    /// Waits until the next request. Tests replace it.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// `server` is the URL of the API, such as `https://waypost.example.org`. A question that the cluster has not
    /// answered after `patience` throws ``ProviderError/busy(retryAfter:)``. The cluster continues with it, and a later
    /// call finds the answer.
    public init(
        server: String, token: String, patience: Duration = .seconds(30), transport: @escaping Transport
    ) {
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.token = token
        self.patience = patience
        self.transport = transport
    }

    public func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        var answers: [Answer] = []
        for query in queries { answers.append(try await answer(to: .geocode(query.address))) }
        return answers
    }

    public func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        var answers: [Answer] = []
        for coordinate in coordinates { answers.append(try await answer(to: .reverse(coordinate))) }
        return answers
    }

    /// Returns the present state of an address, in one request. The first request for an address enqueues its question.
    public func standing(of address: Address) async throws(ProviderError) -> GeocodeStanding {
        switch try await reply(to: .geocode(address)) {
        case .standing(let standing, _): return standing
        case .refused(let reason): throw .unavailable(reason: reason)
        }
    }

    private enum Reply {
        case standing(GeocodeStanding, retryAfter: Duration)
        case refused(reason: String)
    }

    private func answer(to question: ClusterQuestion) async throws(ProviderError) -> Answer {
        var waited = Duration.zero
        while true {
            switch try await reply(to: question) {
            case .refused(let reason): return .refused(reason: reason)
            case .standing(let standing, let retryAfter):
                if let answer = try standing.answer { return answer }
                guard waited + retryAfter <= patience else { throw .busy(retryAfter: retryAfter) }
                do { try await pause(retryAfter) } catch { throw .unavailable(reason: "the call was cancelled") }
                waited += retryAfter
            }
        }
    }

    private func reply(to question: ClusterQuestion) async throws(ProviderError) -> Reply {
        if let host = URL(string: server)?.host(), PublicNominatim.isHost(host) {
            throw .unauthorized(reason: "the cluster's URL \(PublicNominatim.refusal)")
        }
        let reply: ClusterReply
        do { reply = try await transport(question.request(to: server, token: token)) } catch {
            // Leaves out the error: it may contain the URL, which has the coordinate of a reverse question.
            throw .unavailable(reason: "no reply came from the cluster")
        }
        switch reply.status {
        case 200, 202:
            guard let standing = try? JSONDecoder().decode(GeocodeStanding.self, from: Data(reply.body)) else {
                throw .unavailable(reason: "the cluster's reply has a status that is unknown to this app")
            }
            return .standing(standing, retryAfter: reply.retryAfter ?? .seconds(1))
        case 400, 413, 422: return .refused(reason: "the cluster refused the question with status \(reply.status)")
        case 401, 403: throw .unauthorized(reason: "the cluster refused the token with status \(reply.status)")
        case 429, 503: throw .busy(retryAfter: reply.retryAfter ?? .seconds(5))
        default: throw .unavailable(reason: "the cluster replied with status \(reply.status)")
        }
    }
}

/// The state of a question: the API's reply to `POST /v1/geocode` and `GET /v1/reverse`.
public struct GeocodeStanding: Hashable, Codable, Sendable {
    public let status: GeocodeStatus
    /// The reason why it is in doubt, not found, failed, or coarser than the question.
    public let reason: String?
    public let place: FoundPlace?

    /// Nil while the question waits.
    fileprivate var answer: Answer? {
        get throws(ProviderError) {
            switch status {
            case .waiting, .forgotten: return nil
            case .failed: throw .unavailable(reason: reason ?? "the cluster's providers failed")
            case .located, .needsReview, .notFound:
                guard let place else { return .notFound }
                return .located(place.placemark, place.precision, score: place.areaConfidence ?? place.confidence)
            }
        }
    }
}
