import HTTP
package import Postgres

extension TokenStore {
    /// The caller with this token; nil if the token is unknown, revoked or expired, or its secret is wrong.
    ///
    /// The database's result is cached for ``TokenCache/lifetime``, so that thousands of requests a second don't cause
    /// as many look-ups.
    package func authenticate(_ text: String, on database: some DatabaseAccess) async throws -> Caller? {
        guard let text = TokenText(text) else { return nil }
        if let known = cache[text.id] { return known.caller(bearing: text) }
        guard let found = try await database.run(within: nil, { try bearer(of: text, on: $0) }) else { return nil }
        cache.remember(found.holder, goodFor: found.goodFor)
        if !found.wasUsedLately {
            _ = try await database.run(within: nil) {
                try $0.query("SELECT note_use_of_token(\(text.id)::integer, \(Bytes(text.hash)))")
            }
        }
        return found.holder.caller(bearing: text)
    }

    /// The caller with this token, if its look-up is cached.
    package func cached(_ text: String) -> Caller? {
        TokenText(text).flatMap { text in cache[text.id]?.caller(bearing: text) }
    }

    /// Looks up the token. The database returns it only for the correct hash of the secret.
    private func bearer(of text: TokenText, on database: isolated Connection) throws -> FoundToken? {
        try database.query(
            """
            SELECT account, account_name, token_name, scopes, user_id, extract(epoch FROM good_for) AS good_for, was_used_lately,
                   extract(epoch FROM wait_at_most) AS wait_seconds, when_late, when_left, relays
            FROM bearer_of_token(\(text.id)::integer, \(Bytes(text.hash)))
            """
        ).first.map { row in
            try FoundToken(
                holder: TokenHolder(
                    hash: text.hash,
                    caller: Caller(
                        row, token: text.id, user: row.readIfPresent("user_id"), manners: GeocodingManners(row))),
                goodFor: row.readIfPresent("good_for"), wasUsedLately: row.read("was_used_lately"))
        }
    }
}

private struct FoundToken {
    let holder: TokenHolder
    let goodFor: Duration?
    let wasUsedLately: Bool
}

/// The account of a token and the hash of its secret, to check later requests.
struct TokenHolder: Sendable {
    let hash: [UInt8]
    private let caller: Caller

    init(hash: [UInt8], caller: Caller) {
        self.hash = hash
        self.caller = caller
    }

    var token: Int? { caller.token }

    func caller(bearing text: TokenText) -> Caller? {
        Digest.areEqual(hash, text.hash) ? caller : nil
    }
}
