import Contacts
import Postgres

/// The table `sessions`: who has signed in with a browser.
struct SessionStore: Sendable {
    /// How long one lasts, unless its token ends before. The same in the cookie.
    static let lifetime: Duration = .seconds(7 * 24 * 3_600)

    /// Whose the sessions in use were a moment ago, by the hashes of their secrets: each event of each open page asks.
    private let cache: BriefCache<[UInt8], Caller>

    init(cache: BriefCache<[UInt8], Caller> = BriefCache()) {
        self.cache = cache
    }

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
    ///
    /// What the database says of a session is believed for ``BriefCache/lifetime``. One that ended here is over at once.
    func caller(keeping secret: String, on database: some ImportDatabase) async throws -> Caller? {
        let hash = hash(of: secret)
        return try await cache.value(for: hash) {
            try await database.run(within: nil) { try Self.caller(withHash: hash, on: $0) }
        }
    }

    private static func caller(withHash hash: [UInt8], on database: isolated Connection) throws -> Caller? {
        try database.query(
            """
            SELECT token, token_name, account, account_name, scopes
            FROM bearer_of_session(\(Bytes(hash)))
            """
        ).first.map { row in
            let scopes = try row.read("scopes", as: [String].self).compactMap(AccessScope.init(rawValue:))
            return try Caller(
                account: row.read("account"), accountName: row.read("account_name"), token: row.read("token"),
                tokenName: row.read("token_name"),
                scopes: Set(scopes))
        }
    }

    func end(_ secret: String, on database: some ImportDatabase) async throws {
        let hash = hash(of: secret)
        _ = try await database.run(within: nil) { try $0.query("SELECT end_session(\(Bytes(hash)))") }
        cache.forget(hash)
    }

    private func hash(of secret: String) -> [UInt8] { Digest.sha256(secret.utf8) }
}
