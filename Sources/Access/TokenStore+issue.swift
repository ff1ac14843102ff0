package import Postgres
import Queue

/// Creates tokens over the API. A caller can't give more rights than it has. docs/operations/access.md has the rules.
///
/// The session has the role `waypost_admin`, which sees the tokens of the account that it has entered, but no hash of a
/// secret.
extension TokenStore {
    /// The reason why a token can't be created.
    package enum Refusal: Error {
        /// The creator's own token is no longer valid.
        case creatorIsGone
        /// The new token would have rights that the creator's token lacks.
        case beyondCreator
    }

    /// Creates a token for the caller's own account. It has at most the rights and the lifetime of the caller's own
    /// token.
    ///
    /// The caller's token was accepted from a cache, so it is checked again and locked here. Otherwise a token that was
    /// just revoked could create another one.
    package func issue(
        name: String, scopes: Set<AccessScope>, user: String? = nil, expires: Duration?, by caller: Caller,
        on database: isolated Connection
    ) throws -> (token: Token, text: String) {
        guard let creator = caller.token else {
            guard try !hadAny(on: database) else { throw Refusal.creatorIsGone }
            return try create(
                account: caller.account, name: name, scopes: scopes, user: user, expires: expires, by: caller.author,
                on: database)
        }
        let row = try database.query(
            """
            SELECT scopes, extract(epoch FROM expires_at - now()) AS good_for
            FROM tokens
            WHERE id = \(creator) AND account = \(caller.account) AND is_valid_token(revoked_at, expires_at)
            FOR SHARE
            """
        ).first
        guard let row else { throw Refusal.creatorIsGone }
        guard try scopes.isSubset(of: Set(scopesOf: row)) else { throw Refusal.beyondCreator }
        let longest: Duration? = try row.readIfPresent("good_for")
        let lifetime = expires.map { min($0, longest ?? $0) } ?? longest
        return try create(
            account: caller.account, name: name, scopes: scopes, user: user, expires: lifetime, by: caller.author,
            on: database)
    }
}
