package import HTTP
package import Postgres

/// Stores the responses to requests with an idempotency key for a day.
///
/// Both steps belong in the transaction of the request's own change, so that the response is stored exactly if the
/// change was made. https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
package struct IdempotencyStore: Sendable {
    /// For larger bodies only the status is stored.
    package static let largestBody = 1 << 20

    let account: Int

    package init(account: Int) {
        self.account = account
    }

    /// Returns whether the text is a valid key: 1 to 255 printable ASCII letters.
    package static func isKey(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The next step for a request.
    package enum Start: Sendable, Equatable {
        /// It is new: carry it out, then call ``finish(_:requestHash:_:on:)``.
        case new
        /// It was carried out before, with this response.
        case replay(KeptAnswer)
        /// A different request used this key: 409.
        case conflict
        /// A request with this key is being carried out at the moment: 409.
        case inProgress
    }

    /// Looks up a key, and locks it until the transaction ends.
    package func begin(
        _ key: String, requestHash: [UInt8], on database: isolated Connection
    ) throws -> Start {
        // An advisory lock, not the row that `finish` inserts: a second request gets its error at once and doesn't wait
        // for the first one. Two keys with the same hash only delay each other.
        let name = "\(account) \(key)"
        let isOurs: Bool = try database.query(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(\(name), 4915)) AS is_ours")[0].read("is_ours")
        guard isOurs else { return .inProgress }
        // A separate statement: its snapshot is newer than the lock, so it sees the row of the previous request.
        let row = try database.query(
            """
            SELECT request_hash, status, headers, body
            FROM idempotency_keys
            WHERE account = \(account) AND key = \(key) AND created_at > now() - interval '1 day'
            """
        ).first
        guard let row else {
            try prune(on: database)
            return .new
        }
        guard try row.read("request_hash", as: Bytes.self).bytes == requestHash else { return .conflict }
        return .replay(try KeptAnswer(row))
    }

    /// Stores the response to a request that ``begin(_:requestHash:on:)`` reported as new.
    package func finish(
        _ key: String, requestHash: [UInt8], _ answer: KeptAnswer, on database: isolated Connection
    ) throws {
        let body = answer.body.flatMap { $0.count <= Self.largestBody ? Bytes($0) : nil }
        let kept = try database.query(
            """
            INSERT INTO idempotency_keys AS old (account, key, request_hash, status, headers, body)
            VALUES (\(account), \(key), \(Bytes(requestHash)), \(answer.status),
                    \(answer.headers.fields.flatMap { [$0.name, $0.value] }), \(body))
            ON CONFLICT (account, key) DO UPDATE
            SET request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
                body = excluded.body, created_at = excluded.created_at
            WHERE old.created_at <= now() - interval '1 day'
            """)
        precondition(kept.affected == 1, "an answer was kept without asking whether there is one")
    }

    /// Each new key deletes a few expired ones, so no other cleanup is needed.
    private func prune(on database: isolated Connection) throws {
        try database.query(
            """
            DELETE FROM idempotency_keys
            WHERE ctid = ANY (ARRAY(
                SELECT ctid
                FROM idempotency_keys
                WHERE account = \(account) AND created_at <= now() - interval '1 day'
                ORDER BY created_at
                LIMIT 10
                FOR UPDATE SKIP LOCKED))
            """)
    }
}

/// A stored response to a request.
package struct KeptAnswer: Sendable, Equatable {
    package let status: Int
    package let headers: HTTPHeaders
    /// Nil if it was too large to store.
    package let body: [UInt8]?

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8]?) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    fileprivate init(_ row: Row) throws {
        status = try row.read("status")
        let words: [String] = try row.read("headers")
        var headers = HTTPHeaders()
        for place in stride(from: 0, to: words.count - 1, by: 2) { headers.append(words[place], words[place + 1]) }
        self.headers = headers
        body = try row.readIfPresent("body", as: Bytes.self)?.bytes
    }
}
