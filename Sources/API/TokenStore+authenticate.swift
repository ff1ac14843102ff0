package import Contacts
import Postgres

extension TokenStore {
    /// The account of this token; nil if it is none, was revoked, has expired, or the secret is wrong.
    ///
    /// What the database says of a token is believed for ``TokenCache/lifetime``, so that thousands of requests a second
    /// are not as many look-ups.
    package func authenticate(_ text: String, on database: some ImportDatabase) async throws -> Caller? {
        guard let text = TokenText(text) else { return nil }
        if let known = cache[text.id] { return known.caller(bearing: text) }
        guard let found = try await database.run(within: nil, { try holder(of: text.id, on: $0) }) else { return nil }
        guard let caller = found.holder.caller(bearing: text) else { return nil }
        cache.remember(found.holder, goodFor: found.goodFor)
        // Only a bearer who knows the secret has used it.
        if !found.wasUsedLately {
            _ = try await database.run(within: nil) { try $0.query("SELECT note_token_use(\(text.id)::integer)") }
        }
        return caller
    }

    private func holder(of id: Int, on database: isolated Connection) throws -> FoundToken? {
        try database.query(
            """
            SELECT account, account_name, hash, scopes, extract(epoch FROM good_for) AS good_for, was_used_lately
            FROM token_holder(\(id)::integer)
            """
        ).first.map { row in
            let scopes = try row.read("scopes", as: [String].self).compactMap(AccessScope.init(rawValue:))
            return try FoundToken(
                holder: TokenHolder(
                    hash: row.read("hash", as: Bytes.self).bytes,
                    caller: Caller(
                        account: row.read("account"), accountName: row.read("account_name"), token: id,
                        scopes: Set(scopes))),
                goodFor: row.readIfPresent("good_for"), wasUsedLately: row.read("was_used_lately"))
        }
    }
}

private struct FoundToken {
    let holder: TokenHolder
    let goodFor: Duration?
    let wasUsedLately: Bool
}

/// The account of a token, for a client that knows its secret.
struct TokenHolder: Sendable {
    let hash: [UInt8]
    private let caller: Caller

    init(hash: [UInt8], caller: Caller) {
        self.hash = hash
        self.caller = caller
    }

    var token: Int? { caller.token }

    func caller(bearing text: TokenText) -> Caller? {
        Digest.areEqual(hash, Digest.sha256(text.secret.utf8)) ? caller : nil
    }
}
