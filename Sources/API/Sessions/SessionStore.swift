import Postgres

/// The table `sessions`: who has signed in with a browser.
struct SessionStore: Sendable {
    /// How long one lasts, unless its token ends before. The same in the cookie.
    static let lifetime: Duration = .seconds(7 * 24 * 3_600)

    /// Begins a session of this token, and returns the secret that the browser keeps; nil if the token is not good.
    func begin(_ token: TokenText, on database: isolated Connection) throws -> String? {
        let secret = TokenText.makeSecret()
        let isGood: Bool = try database.query(
            """
            SELECT begin_session(\(token.id)::integer, \(Bytes(token.hash)), \(Bytes(hash(of: secret))),
                                 \(Self.lifetime)::interval) AS is_good
            """)[0].read("is_good")
        return isGood ? secret : nil
    }

    /// Who keeps this secret; nil if their session is over.
    func caller(keeping secret: String, on database: isolated Connection) throws -> Caller? {
        try database.query(
            """
            SELECT token, token_name, account, account_name, scopes
            FROM bearer_of_session(\(Bytes(hash(of: secret))))
            """
        ).first.map { row in
            let scopes = try row.read("scopes", as: [String].self).compactMap(AccessScope.init(rawValue:))
            return try Caller(
                account: row.read("account"), accountName: row.read("account_name"), token: row.read("token"),
                tokenName: row.read("token_name"),
                scopes: Set(scopes))
        }
    }

    func end(_ secret: String, on database: isolated Connection) throws {
        try database.query("SELECT end_session(\(Bytes(hash(of: secret))))")
    }

    private func hash(of secret: String) -> [UInt8] { Digest.sha256(secret.utf8) }
}
