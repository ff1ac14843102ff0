package import Postgres

/// The sign-ins of users at the services behind sinks.
///
/// The store has no state: create one where it is needed.
package struct SignInStore: Sendable {
    package init() {}

    /// The context for which the tokens of a sign-in are sealed.
    package static func context(sink: Int, user: String?) -> String {
        user.map { "sign-in at sink \(sink) of \($0)" } ?? "sign-in at sink \(sink)"
    }
}

/// A stored sign-in.
package struct StoredSignIn: Sendable {
    package let id: Int
    /// The number of the present tokens: a report about older tokens changes nothing.
    package let number: Int
    /// The tokens, encrypted.
    package let sealed: [UInt8]
    package let context: String
    /// The token for calls expires within a minute.
    package let isEnding: Bool
    package let isRefused: Bool
}

extension SignInStore {
    /// Stores a user's tokens, which are sealed for ``context(sink:user:)``. Without a user, they are for all users of
    /// the sink without tokens of their own. `endsAt` is in seconds since 1970. Returns false if the user has no
    /// tracker. Run it in a transaction.
    package func store(
        _ sealed: [UInt8], endsAt: Double, sink: Int, user: String?, account: Int, on database: isolated Connection
    ) throws -> Bool {
        // crosses rooms: a user's own sign-in contains the id of the user's tracker.
        let kept = try database.query(
            """
            INSERT INTO sign_ins AS s (account, sink, tracker, sealed, ends_at)
            SELECT \(account)::integer, \(sink)::integer, tracker, \(Bytes(sealed)), to_timestamp(\(endsAt))
            FROM (
                SELECT id AS tracker FROM trackers WHERE account = \(account) AND user_id = \(user)
                UNION ALL
                SELECT NULL WHERE \(user)::text IS NULL
            ) AS whose
            ON CONFLICT (sink, tracker) DO UPDATE
            SET sealed = excluded.sealed, ends_at = excluded.ends_at, number = s.number + 1, may_renew = true,
                refusal = NULL, renewed_by = NULL
            """
        ).affected
        if kept > 0 { try UploadStore().queue(user: user, account: account, on: database) }
        return kept > 0
    }

    /// Deletes a user's own tokens. Returns false if there are none.
    package func forget(sink: Int, user: String?, account: Int, on database: isolated Connection) throws -> Bool {
        // crosses rooms: a user's own sign-in contains the id of the user's tracker.
        try database.query(
            """
            DELETE FROM sign_ins
            WHERE sink = \(sink)::integer
              AND tracker IS NOT DISTINCT FROM (SELECT id FROM trackers WHERE account = \(account) AND user_id = \(user))
            """
        ).affected > 0
    }

    /// Returns the sign-in with this id; nil if it was deleted.
    package func signIn(_ id: Int, on database: isolated Connection) throws -> StoredSignIn? {
        try signIns([id], on: database)[id]
    }

    func signIns(_ ids: [Int], on database: isolated Connection) throws -> [Int: StoredSignIn] {
        guard !ids.isEmpty else { return [:] }
        // crosses rooms: only the tracker has the user's name.
        let found = try database.query(
            """
            SELECT sign_ins.id, number, sealed, sign_ins.sink, user_id, ends_at <= now() + interval '1 minute' AS is_ending,
                   refusal IS NOT NULL AS is_refused
            FROM sign_ins
            LEFT JOIN trackers ON trackers.id = tracker
            WHERE sign_ins.id = ANY (\(ids)::integer[])
            """
        ).map { row in
            StoredSignIn(
                id: try row.read("id"), number: try row.read("number"),
                sealed: try row.read("sealed", as: Bytes.self).bytes,
                context: Self.context(sink: try row.read("sink"), user: try row.readIfPresent("user_id")),
                isEnding: try row.read("is_ending"), isRefused: try row.read("is_refused"))
        }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Reserves the renewal of a sign-in's token. Returns false if another process does it, or has done it. For
    /// `patience` no other process renews it.
    package func beginRenewal(
        of signIn: StoredSignIn, patience: Duration, on database: isolated Connection
    ) throws -> Bool {
        try database.query(
            """
            UPDATE sign_ins
            SET renewed_by = clock_timestamp() + \(patience)::interval
            WHERE id = \(signIn.id)::integer AND number = \(signIn.number)::integer
              AND (renewed_by IS NULL OR renewed_by < clock_timestamp())
            """
        ).affected > 0
    }

    /// Stores the renewed tokens, unless the user has signed in again meanwhile.
    package func endRenewal(
        of signIn: StoredSignIn, with sealed: [UInt8], endsAt: Double, on database: isolated Connection
    ) throws {
        try change(
            signIn,
            """
            sealed = \(Bytes(sealed)), ends_at = to_timestamp(\(endsAt)), number = number + 1, may_renew = false,
            renewed_by = NULL
            """, on: database)
    }

    private func change(_ signIn: StoredSignIn, _ change: SQL, on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE sign_ins SET \(part: change)
            WHERE id = \(signIn.id)::integer AND number = \(signIn.number)::integer
            """)
    }

    /// Notes that the renewal failed, and may be retried.
    package func giveUpRenewal(of signIn: StoredSignIn, on database: isolated Connection) throws {
        try change(signIn, "renewed_by = NULL", on: database)
    }

    /// Notes that the service has accepted these tokens.
    package func trust(_ signIns: [StoredSignIn], on database: isolated Connection) throws {
        guard !signIns.isEmpty else { return }
        try database.query(
            """
            UPDATE sign_ins SET may_renew = true
            FROM unnest(\(signIns.map(\.id))::integer[], \(signIns.map(\.number))::integer[]) AS good (id, number)
            WHERE sign_ins.id = good.id AND sign_ins.number = good.number AND NOT may_renew
            """)
    }

    /// Notes that the service does not accept the token, so that it is renewed. A renewed token that was never accepted
    /// is not renewed again: then the user must sign in again. So a service that refuses every token is called only
    /// once for a new one.
    package func doubt(_ signIn: StoredSignIn, because reason: String, on database: isolated Connection) throws {
        try change(
            signIn,
            """
            ends_at = CASE WHEN may_renew THEN '-infinity' ELSE ends_at END,
            refusal = CASE WHEN may_renew THEN NULL ELSE \(reason) END
            """, on: database)
    }

    /// Notes that the user must sign in again: nothing is uploaded until then.
    package func refuse(_ signIn: StoredSignIn, because reason: String, on database: isolated Connection) throws {
        try change(signIn, "refusal = \(reason), renewed_by = NULL", on: database)
    }
}
