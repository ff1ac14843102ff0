package import Postgres

/// The table `sessions`: browsers that are signed in.
package struct SessionStore: Sendable {
    /// How long a session lasts, unless its token ends before. The cookie has the same lifetime.
    package static let lifetime: Duration = .seconds(7 * 24 * 3_600)

    /// The callers of recently used sessions, by the hashes of their secrets: each event of each open page needs one.
    private let cache: BriefCache<[UInt8], Caller>

    package init() {
        self.init(cache: BriefCache())
    }

    init(cache: BriefCache<[UInt8], Caller>) {
        self.cache = cache
    }

    /// Begins a session of this token, and returns the secret for the browser; nil if the token is not valid.
    package func begin(_ token: TokenText, on database: isolated Connection) throws -> String? {
        let secret = TokenText.makeSecret()
        let isGood: Bool = try database.query(
            """
            SELECT begin_session(\(token.id)::integer, \(Bytes(token.hash)), \(Bytes(hash(of: secret))),
                                 \(Self.lifetime)::interval) AS is_good
            """)[0].read("is_good")
        return isGood ? secret : nil
    }

    /// The caller with this secret; nil if the session is over.
    ///
    /// The database's result is cached for ``BriefCache/lifetime``. A session that was ended by this process is over at
    /// once.
    package func caller(keeping secret: String, on database: some DatabaseAccess) async throws -> Caller? {
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
        ).first.map { try Caller($0, token: $0.read("token")) }
    }

    package func end(_ secret: String, on database: some DatabaseAccess) async throws {
        let hash = hash(of: secret)
        _ = try await database.run(within: nil) { try $0.query("SELECT end_session(\(Bytes(hash)))") }
        cache.forget(hash)
    }

    private func hash(of secret: String) -> [UInt8] { Digest.sha256(secret.utf8) }
}
