import Processes

/// How long a migration may stop readers and writers of a table. At its default, no step stops them for more than 100 ms.
package struct LockLimits: Sendable {
    /// How long a statement waits for a lock: others wait behind it. Then it gives up, and the step runs again later.
    package var wait: Duration = .milliseconds(40)
    /// How long a statement may run on a large table. After that it is cancelled and the migration refused. Nil permits
    /// any time.
    package var hold: Duration? = .milliseconds(60)
    /// A smaller table is read or written in less time than `hold`.
    package var largeTableBytes = 16 << 20
    /// How long a step is tried for the sake of its locks.
    package var patience: Duration = .seconds(600)

    package init() {}

    /// Begins a script. The settings end with its transaction.
    func settings(hold: Duration?) -> String {
        """
        SET LOCAL lock_timeout = \(wait.wholeMilliseconds);
        SET LOCAL statement_timeout = \(hold?.wholeMilliseconds ?? 0);

        """
    }
}

/// How long a migration, or the functions and roles after all migrations, held locks.
package struct LockReport: Hashable, Sendable {
    /// Nil for the functions and roles, and the migrations that run in the same transaction.
    package let migration: Int?
    /// The longest of the transactions with locks.
    package private(set) var longest: Duration = .zero
    /// How often a step gave up because a lock was not free in time. It was tried again.
    package var waits = 0

    init(_ migration: Migration?, _ longest: Duration = .zero) {
        self.migration = migration?.number
        self.longest = longest
    }

    mutating func note(_ time: Duration) { longest = max(longest, time) }
}

/// The largest table that a step names.
package struct TableSize: Hashable, Sendable {
    package let name: String
    package let rows: Int
    package let bytes: Int
}

extension TableSize: CustomStringConvertible {
    /// The number of rows is an estimate of the server.
    package var description: String { "\(name) has about \(rows) rows and \(bytes >> 20) MB" }
}

extension Connection {
    /// The size of the largest existing table that the script names; nil if it names none.
    func largestTable(in script: String) throws -> TableSize? {
        try query(
            """
            SELECT relname, greatest(reltuples, 0)::bigint AS rows, bytes
            FROM pg_class
            CROSS JOIN LATERAL (
                SELECT coalesce(
                    (SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(pg_class.oid)), pg_relation_size(oid)
                )::bigint AS bytes
            ) AS size
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
              AND \(script) ~ ('\\m' || relname || '\\M')
            ORDER BY bytes DESC
            LIMIT 1
            """
        ).first.map { try TableSize(name: $0.read("relname"), rows: $0.read("rows"), bytes: $0.read("bytes")) }
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}
