import Access
import HTTP
import Monitoring
import Postgres
import Processes

extension APIServer {
    /// `GET /metrics`
    func metrics(_ request: APIRequest) async throws -> ServerResponse {
        let text = await backend.scrape()
        return ServerResponse(
            status: 200, headers: ["Content-Type": Metrics.contentType], body: .bytes(Array(text.utf8)))
    }
}

/// Remembers recent callers of the metrics. So the metrics stay readable while the database is unreachable and no token
/// can be checked.
final class ScrapeMemory: Sendable {
    private static let most = 16
    private static let lifetime: Duration = .seconds(3_600)

    private let known = Locked<[[UInt8]: (caller: Caller, until: ContinuousClock.Instant)]>([:])

    /// Returns the result of `ask`. While the database is unreachable, returns the last result for the same `shown`.
    func recall(
        _ shown: String, watch: DatabaseWatch<some Sendable>, _ ask: @escaping @Sendable () async throws -> Caller?
    ) async throws -> Caller? {
        let key = Digest.sha256(Array(shown.utf8))
        do {
            let caller = try await watch.whileThere(ask)
            known.withLock { known in
                known[key] = nil
                known = known.filter { $0.value.until > .now }
                if let caller, known.count < Self.most { known[key] = (caller, .now + Self.lifetime) }
            }
            return caller
        } catch {
            let isAway = watch.isAway || (error as? DatabaseError)?.isConnectionLost == true
            guard isAway, let found = known.withLock({ $0[key] }), found.until > .now else { throw error }
            return found.caller
        }
    }
}
