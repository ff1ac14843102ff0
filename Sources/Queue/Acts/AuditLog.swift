package import Postgres

/// The table `audit_log`: every change that a person made, with its author and time. A room that lets people change
/// something writes the act in the transaction of the change.
package struct AuditLog: Sendable {
    /// How long acts are kept if no setting says otherwise.
    package static let usualRetention: Duration = .seconds(366 * 86_400)

    package init() {}

    /// Stores an act. Call it only in the transaction of the change. The act must contain nothing of a contact. A change
    /// without an author is the program's own, and is not stored.
    package func append(
        _ verb: Act.Verb, _ target: String = "", before: [String: String] = [:], after: [String: String] = [:],
        by author: Author?, on database: isolated Connection
    ) throws {
        guard let author else { return }
        let (before, after) = (before.sorted { $0.key < $1.key }, after.sorted { $0.key < $1.key })
        try database.query(
            """
            INSERT INTO audit_log (verb, target, token, author, of_account, host, before, after)
            VALUES (\(verb.rawValue), \(target), \(author.token), \(author.name), \(author.account), \(author.host),
                    CASE WHEN \(!before.isEmpty) THEN jsonb_object(\(before.map(\.key)), \(before.map(\.value))) END,
                    CASE WHEN \(!after.isEmpty) THEN jsonb_object(\(after.map(\.key)), \(after.map(\.value))) END)
            """)
    }

    /// Returns up to `limit` acts, the latest first; with `last`, those before it.
    ///
    /// With `account`, tokens of other accounts appear with their ids instead of their names.
    package func acts(
        _ filter: ActFilter = ActFilter(), for account: String? = nil, before last: Int? = nil, limit: Int,
        on database: isolated Connection
    ) throws -> [Act] {
        try database.query(
            """
            SELECT id, extract(epoch FROM at) AS moment, verb, target, token, author, of_account, host,
                   ARRAY(SELECT key FROM jsonb_each_text(before) ORDER BY key) AS before_names,
                   ARRAY(SELECT value FROM jsonb_each_text(before) ORDER BY key) AS before_values,
                   ARRAY(SELECT key FROM jsonb_each_text(after) ORDER BY key) AS after_names,
                   ARRAY(SELECT value FROM jsonb_each_text(after) ORDER BY key) AS after_values
            FROM (
                SELECT id, at, verb, target, token, of_account, host, before,
                       CASE WHEN of_account <> \(account)::text THEN coalesce('token ' || token, 'without a token')
                            ELSE author END AS author,
                       CASE WHEN verb = 'tokens.create' AND after->>'account' <> \(account)::text THEN after - 'name'
                            ELSE after END AS after
                FROM audit_log
            ) AS act
            WHERE (\(last)::bigint IS NULL OR id < \(last))
              AND (\(filter.verb)::text IS NULL OR verb = \(filter.verb) OR split_part(verb, '.', 1) = \(filter.verb))
              AND (\(filter.target)::text IS NULL OR target = \(filter.target))
              AND (\(filter.who)::text IS NULL OR \(filter.who) IN (author, token::text, of_account, host))
              AND (\(filter.age)::interval IS NULL OR at >= now() - \(filter.age)::interval)
            ORDER BY id DESC
            LIMIT \(limit)
            """
        ).map(Act.init)
    }

    /// Deletes up to `limit` acts that are older than `retention`, as the leading coordinator does. Returns how many.
    package func forget(
        olderThan retention: Duration, limit: Int, on database: isolated Connection
    ) throws -> Int {
        try database.query("SELECT forget_acts(\(retention)::interval, \(limit)::integer) AS number")[0].read("number")
    }
}

extension Act {
    fileprivate init(_ row: Row) throws {
        id = try row.read("id")
        at = try row.read("moment")
        verb = try row.read("verb")
        target = try row.read("target")
        author = Author(
            token: try row.readIfPresent("token"), name: try row.read("author"),
            account: try row.readIfPresent("of_account"), host: try row.readIfPresent("host"))
        before = try row.texts("before")
        after = try row.texts("after")
    }
}

extension Row {
    /// Combines two columns, one of names and one of values.
    fileprivate func texts(_ column: String) throws -> [String: String] {
        let (names, values): ([String], [String]) = try (read("\(column)_names"), read("\(column)_values"))
        return Dictionary(zip(names, values)) { $1 }
    }
}

/// The person or program that changes the cluster.
package struct Author: Sendable, Hashable {
    /// The id of the token; nil if the request needed none, and at a command line.
    package let token: Int?
    /// The token's name; at a command line the user of the operating system.
    package let name: String
    /// The account that the token works for; nil at a command line.
    package let account: String?
    /// The machine of the command line; nil for a request.
    package let host: String?

    /// The sender of a request.
    package static func client(token: Int?, named name: String, of account: String) -> Self {
        Self(token: token, name: name, account: account, host: nil)
    }

    /// The user of a command line.
    package static func user(_ name: String, on host: String) -> Self {
        Self(token: nil, name: name, account: nil, host: host)
    }
}
