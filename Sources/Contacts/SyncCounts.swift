import Postgres

/// The results of storing friends: each friend is added, changed or unchanged.
package struct SyncCounts: Sendable, Equatable {
    /// New, or restored after a soft delete.
    package var added = 0
    package var changed = 0
    /// Friends for which nothing was written.
    package var unchanged = 0
    /// Their addresses, including known ones.
    package var addresses = 0
    /// Addresses that had not been asked before.
    package var questions = 0

    package init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, addresses: Int = 0, questions: Int = 0) {
        self.added = added
        self.changed = changed
        self.unchanged = unchanged
        self.addresses = addresses
        self.questions = questions
    }

    package var friends: Int { added + changed + unchanged }

    package static func += (left: inout Self, right: Self) {
        for path in paths { left[keyPath: path] += right[keyPath: path] }
    }

    private static let paths: [any WritableKeyPath<Self, Int> & Sendable] = [
        \.added, \.changed, \.unchanged, \.addresses, \.questions,
    ]
}

/// The counters as columns of `imports` and `import_batches`.
extension SyncCounts {
    static let columns: SQL = "added, changed, unchanged, addresses, questions"

    /// The sums over all rows.
    static let sums: SQL = """
        coalesce(sum(added), 0) AS added, coalesce(sum(changed), 0) AS changed, coalesce(sum(unchanged), 0) AS unchanged,
        coalesce(sum(addresses), 0) AS addresses, coalesce(sum(questions), 0) AS questions
        """

    /// The values of ``columns``.
    var values: SQL {
        "\(added)::integer, \(changed)::integer, \(unchanged)::integer, \(addresses)::integer, \(questions)::integer"
    }

    init(_ row: Row) throws {
        self.init(
            added: try row.read("added"), changed: try row.read("changed"), unchanged: try row.read("unchanged"),
            addresses: try row.read("addresses"), questions: try row.read("questions"))
    }
}
