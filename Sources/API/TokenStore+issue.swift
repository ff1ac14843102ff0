import Postgres
import Queue

/// What may be done to tokens over the API: never more than the one who does it may do. docs/operations/access.md has the rules.
///
/// The session has the role `waypost_admin`, which sees the tokens of the account that it has entered, and no secret's hash.
extension TokenStore {
    /// Why a token isn't made.
    enum Refusal: Error {
        /// The creator's own token is not good any more.
        case creatorIsGone
        /// The token would be good for what the creator's is not.
        case beyondCreator
    }

    /// Makes a token for the caller's own account. It is good for no more than the caller's own token, and for no longer.
    ///
    /// The caller was let in by what was known of their token a moment ago: so it is looked at again, and locked, or one that was
    /// just revoked could leave another behind.
    func issue(
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
            WHERE id = \(creator) AND account = \(caller.account) AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now())
            FOR SHARE
            """
        ).first
        guard let row else { throw Refusal.creatorIsGone }
        let own = try row.read("scopes", as: [String].self).compactMap(AccessScope.init(rawValue:))
        guard scopes.isSubset(of: own) else { throw Refusal.beyondCreator }
        let longest: Duration? = try row.readIfPresent("good_for")
        let lifetime = expires.map { min($0, longest ?? $0) } ?? longest
        return try create(
            account: caller.account, name: name, scopes: scopes, user: user, expires: lifetime, by: caller.author,
            on: database)
    }
}
