package import Postgres
package import Queue

/// Changes of tokens that are also written to the audit log.
extension TokenStore {
    package func create(
        account: Int, name: String, scopes: Set<AccessScope>, user: String? = nil, expires: Duration?,
        by author: Author,
        on database: isolated Connection
    ) throws -> (token: Token, text: String) {
        let made = try create(account: account, name: name, scopes: scopes, user: user, expires: expires, on: database)
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
