import Access
import HTTP
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

/// Remembers recent callers of routes that need no database. So these routes work while the database is unreachable and
/// no token can be checked.
final class CallerMemory: Sendable {
    private let most: Int
    private static let lifetime: Duration = .seconds(3_600)

    private let known = Locked<[[UInt8]: (caller: Caller, until: ContinuousClock.Instant)]>([:])

    init(most: Int) {
        self.most = most
    }

    /// Returns the result of `ask`. While the database is unreachable, returns the last result for the same `shown`.
    func recall(
        _ shown: String, watch: DatabaseWatch<some Sendable>, _ ask: @escaping @Sendable () async throws -> Caller?
    ) async throws -> Caller? {
        let key = Digest.sha256(Array(shown.utf8))
        do {
            let caller = try await watch.whileThere(ask)
            known.withLock { known in
                known[key] = nil
                if known.count >= most { known = known.filter { $0.value.until > .now } }
                if let caller, known.count < most { known[key] = (caller, .now + Self.lifetime) }
            }
            return caller
        } catch {
            let isAway = watch.isAway || (error as? DatabaseError)?.isConnectionLost == true
            let isRefused = (error as? RequestError).map { $0.status < 500 } ?? false
            guard isAway, !isRefused, let found = known.withLock({ $0[key] }), found.until > .now else { throw error }
            return found.caller
        }
    }
}
