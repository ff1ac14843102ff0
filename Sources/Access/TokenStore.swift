import HTTP
package import Postgres
package import Queue

/// Removing these tokens would leave none, and a server without tokens accepts every caller.
package struct OnlyTokens: Error, CustomStringConvertible {
    package var description: String { "these are the only tokens of the API" }
}

/// The table `tokens`, with the rights of its owner: for the command line.
///
/// Only the SHA-256 of a secret is stored. A slow hash, as for passwords, would not help: it makes guessing expensive,
/// but 256 random bits can't be guessed anyway. It would only make each request expensive.
package struct TokenStore: Sendable {
    let cache: TokenCache

    package init() {
        self.init(cache: TokenCache())
    }

    init(cache: TokenCache) {
        self.cache = cache
    }

    /// Creates a token for an account, or for one of its users, and returns it with its text, which can't be read again
    /// later.
    package func create(
        account: Int, name: String, scopes: Set<AccessScope>, user: String? = nil, expires: Duration? = nil,
        manners: GeocodingManners = .usual, on database: isolated Connection
    ) throws -> (token: Token, text: String) {
        let isPlain = scopes == [.geocode]
        let (secret, manners) = (TokenText.makeSecret(isPlain: isPlain), isPlain ? manners : nil)
        let id: Int = try database.query(
            """
            INSERT INTO tokens (account, name, hash, scopes, expires_at, user_id, wait_at_most, when_late, when_left, relays)
            VALUES (\(account), \(name), \(Bytes(Digest.sha256(secret.utf8))),
                    \(scopes.words), now() + \(expires)::interval,
                    \(user), \(manners?.wait)::interval, \(manners?.late.rawValue), \(manners?.left.rawValue),
                    \(manners?.relays ?? false))
            RETURNING id
            """)[0].read("id")
        guard let token = try list(only: id, on: database).first else {
            preconditionFailure("a token that was just made is there")
        }
        return (token, TokenText(id: id, secret: secret, isPlain: isPlain).text)
    }

    /// All tokens, or those of one account: valid, expired and revoked ones.
    package func list(account: String? = nil, on database: isolated Connection) throws -> [Token] {
        try list(only: nil, account: account, on: database)
    }

    /// Revokes a token. Requests with it are refused within ``TokenCache/lifetime``. Returns its former state, or nil
    /// if there is none with this id.
    package func revoke(_ id: Int, on database: isolated Connection) throws -> Token? {
        guard let token = try list(only: id, on: database).first else { return nil }
        try database.query("UPDATE tokens SET revoked_at = now() WHERE id = \(id) AND revoked_at IS NULL")
        return token
    }

    /// Deletes the tokens of an account, with their sessions, their traffic, and the responses stored for its
    /// idempotency keys.
    /// Requests are refused within ``TokenCache/lifetime``. Throws ``OnlyTokens``. Must run in a transaction.
    package func removeAll(of account: Int, on database: isolated Connection) throws {
        // Two accounts that are removed at once must not count on each other's tokens.
        try database.query("LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE")
        try database.query("DELETE FROM idempotency_keys WHERE account = \(account)::integer")
        try database.query("DELETE FROM gateway_minutes WHERE account = \(account)::integer")
        let removed = try database.query("DELETE FROM tokens WHERE account = \(account)::integer").affected
        if removed > 0, try !hadAny(on: database) { throw OnlyTokens() }
    }

    /// Returns whether any token is valid now.
    package func hasAny(on database: isolated Connection) throws -> Bool {
        try database.query("SELECT any_token_is_good() AS is_there")[0].read("is_there")
    }

    /// Returns whether there was ever a token: since the first one, every request needs one.
    package func hadAny(on database: isolated Connection) throws -> Bool {
        try database.query("SELECT any_token_was_made() AS was_there")[0].read("was_there")
    }

    // crosses rooms: a token belongs to an account, and people identify that by its name.
    private func list(
        only id: Int?, account: String? = nil, on database: isolated Connection
    ) throws -> [Token] {
        try database.query(
            """
            SELECT tokens.id, accounts.name AS account_name, tokens.name, scopes, user_id, revoked_at IS NOT NULL AS is_revoked,
                   extract(epoch FROM clock_timestamp()) - extract(epoch FROM created_at) AS age,
                   extract(epoch FROM clock_timestamp()) - extract(epoch FROM last_used_at) AS idle,
                   extract(epoch FROM expires_at - clock_timestamp()) AS good_for
            FROM tokens
            JOIN accounts ON accounts.id = account
            WHERE (\(id)::integer IS NULL OR tokens.id = \(id)) AND (\(account)::text IS NULL OR accounts.name = \(account))
            ORDER BY tokens.id
            """
        ).map(Token.init)
    }
}

/// Changes of tokens that are also written to the audit log.
extension TokenStore {
    package func create(
        account: Int, name: String, scopes: Set<AccessScope>, user: String? = nil, expires: Duration?,
        manners: GeocodingManners = .usual, by author: Author, on database: isolated Connection
    ) throws -> (token: Token, text: String) {
        let made = try create(
            account: account, name: name, scopes: scopes, user: user, expires: expires, manners: manners, on: database)
        try AuditLog().append(
            .createToken, "\(made.token.id)",
            after: [
                "name": name, "account": made.token.account, "scopes": scopes.words.joined(separator: ", "),
                "good_for": user == nil ? "the account" : "one user",
            ], by: author, on: database)
        return made
    }

    /// See ``revoke(_:on:)``.
    package func revoke(_ id: Int, by author: Author, on database: isolated Connection) throws -> Token? {
        guard let token = try revoke(id, on: database) else { return nil }
        if token.state != .revoked { try AuditLog().append(.revokeToken, "\(id)", by: author, on: database) }
        return token
    }
}

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
        name: String, scopes: Set<AccessScope>, user: String? = nil, expires: Duration?,
        manners: GeocodingManners = .usual, by caller: Caller, on database: isolated Connection
    ) throws -> (token: Token, text: String) {
        guard let creator = caller.token else {
            guard try !hadAny(on: database) else { throw Refusal.creatorIsGone }
            return try create(
                account: caller.account, name: name, scopes: scopes, user: user, expires: expires,
                manners: manners, by: caller.author, on: database)
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
        let own = try Set(scopesOf: row)
        // A token with the scope write may ask questions as well.
        guard scopes.isSubset(of: own.contains(.write) ? own.union([.geocode]) : own) else {
            throw Refusal.beyondCreator
        }
        let longest: Duration? = try row.readIfPresent("good_for")
        let lifetime = expires.map { min($0, longest ?? $0) } ?? longest
        return try create(
            account: caller.account, name: name, scopes: scopes, user: user, expires: lifetime, manners: manners,
            by: caller.author, on: database)
    }
}
