import Geocoding

/// A token that expires, fetched once for all callers that need it at the same time.
actor SharedToken {
    struct Token: Sendable {
        let text: String
        /// In seconds since 1970.
        let end: Int
    }

    typealias Fetch = @Sendable (_ now: Int) async throws(ProviderError) -> Token

    private let now: @Sendable () -> Int
    private var current: Token?
    /// True if a token was accepted since the last refusal.
    private var isTrusted = false
    private var fetching: Task<Result<Token, ProviderError>, Never>?

    /// A token is replaced this many seconds before it expires, so that it doesn't expire on its way.
    private static let margin = 60

    /// `now` is the time in seconds since 1970.
    init(_ current: Token? = nil, now: @escaping @Sendable () -> Int) {
        self.current = current
        self.now = now
    }

    /// Returns a valid token. If there is none, the first caller fetches it, and the others wait.
    func text(fetch: @escaping Fetch) async throws(ProviderError) -> String {
        if let current, now() < current.end - Self.margin { return current.text }
        return try await fetched(by: fetch).get().text
    }

    /// Notes that the service accepted the token.
    func accept(_ text: String) {
        if text == current?.text { isTrusted = true }
    }

    /// Notes that the service refused the token, which is then replaced. Returns false if a new token can't help: no
    /// token was accepted since the last refusal.
    func refuse(_ text: String) -> Bool {
        // An earlier call with the same token was refused before.
        guard text == current?.text else { return true }
        current = nil
        defer { isTrusted = false }
        return isTrusted
    }

    /// Fetches in a task of its own: a caller that is cancelled must not take the token from the others.
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
