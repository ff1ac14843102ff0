import Geocoding

/// A token that ends, fetched once for all who need it at the same time.
actor SharedToken {
    struct Token: Sendable {
        let text: String
        /// In seconds since 1970.
        let end: Int
    }

    typealias Fetch = @Sendable (_ now: Int) async throws(ProviderError) -> Token

    private let now: @Sendable () -> Int
    private var current: Token?
    private var fetching: Task<Result<Token, ProviderError>, Never>?

    /// A token is replaced this many seconds before its end, so that it doesn't end on its way.
    private static let margin = 60

    /// `now` is the time in seconds since 1970.
    init(_ current: Token? = nil, now: @escaping @Sendable () -> Int) {
        self.current = current
        self.now = now
    }

    /// The token that holds now, but not `refused`, which the service didn't accept. Where there is none, the first who
    /// asks has it fetched, and the others wait for it.
    func text(besides refused: String? = nil, fetch: @escaping Fetch) async throws(ProviderError) -> String {
        if let current, current.text != refused, now() < current.end - Self.margin { return current.text }
        return try await fetched(by: fetch).get().text
    }

    /// The task is nobody's own: a caller who gives up must not take the token from the others.
    private func fetched(by fetch: @escaping Fetch) async -> Result<Token, ProviderError> {
        if let fetching { return await fetching.value }
        let task = Task {
            let result: Result<Token, ProviderError>
            do throws(ProviderError) { result = .success(try await fetch(now())) } catch { result = .failure(error) }
            if case .success(let token) = result { current = token }
            fetching = nil
            return result
        }
        fetching = task
        return await task.value
    }
}
