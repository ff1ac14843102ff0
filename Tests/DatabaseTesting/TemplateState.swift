import Postgres

/// The content of the template, to which a used database is restored.
struct TemplateState: Sendable {
    /// A transaction id after all those that made the template.
    private let transaction: String
    private let catalog: Catalog
    /// As JSON, by table.
    private let rows: [String: String]
    /// The last values as JSON, by sequence.
    private let sequences: String

    init(of template: isolated Connection) throws {
        transaction = try template.query("SELECT pg_current_xact_id()::xid::text AS id")[0].read("id")
        catalog = try Catalog(of: template, since: transaction)
        var rows: [String: String] = [:]
        for (table, _) in try Self.usedTables(in: template) { rows[table] = try Self.rows(of: table, in: template) }
        self.rows = rows
        sequences = try template.query(
            "SELECT json_object_agg(sequencename, last_value)::text AS values FROM pg_sequences")[0].read("values")
    }

    /// Deletes the rows that were added and restores the others. Returns false where a fresh copy is needed: if a test
    /// changed the schema or the planner's statistics, or if a table has become so large that plans may change.
    func restore(_ database: isolated Connection) throws -> Bool {
        let tables = try Self.usedTables(in: database)
        // The planner assumes ten pages for a small table that was never analysed.
        guard tables.allSatisfy({ $0.pages < 10 }), try Catalog(of: database, since: transaction) == catalog else {
            return false
        }
        let changed = try tables.map(\.name).filter { table in
            guard let rows = rows[table] else { return true }
            return try rows != Self.rows(of: table, in: database)
        }
        // Without triggers and foreign keys, so the order of the tables does not matter.
        let deletions = changed.map { "DELETE FROM \($0)" }
        try database.run(script: (["SET LOCAL session_replication_role = replica"] + deletions).joined(separator: ";"))
        for table in changed {
            guard let rows = rows[table] else { continue }
            try database.query(
                """
                INSERT INTO \(identifier: table) OVERRIDING SYSTEM VALUE
                SELECT * FROM jsonb_populate_recordset(NULL::\(identifier: table), \(rows)::jsonb)
                """)
        }
        try database.query(
            """
            SELECT setval(sequencename::text, coalesce(old.value::bigint, start_value), old.value IS NOT NULL)
            FROM pg_sequences JOIN json_each_text(\(sequences)::json) AS old ON old.key = sequencename
            WHERE last_value IS DISTINCT FROM old.value::bigint
            """)
        return true
    }

    /// The tables that have, or had, a row.
    private static func usedTables(in database: isolated Connection) throws -> [(name: String, pages: Int)] {
        try database.query(
            """
            SELECT relname::text AS name, pg_relation_size(oid) / 8192 AS pages
            FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
            """
        ).map { (try $0.read("name"), try $0.read("pages")) }
    }

    private static func rows(of table: String, in database: isolated Connection) throws -> String? {
        try database.query(
            "SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t))::text AS rows FROM \(identifier: table) t")[0]
            .readIfPresent("rows")
    }
}

/// Shows whether a test changed the schema or the planner's statistics.
private struct Catalog: Equatable {
    /// The rows of each system catalog.
    let rows: [Int]
    /// The rows that were written after the template was made.
    let newRows: Int
    /// Tables that were vacuumed or analysed.
    let countedTables: Int

    init(of database: isolated Connection, since transaction: String) throws {
        let names = [
            "attrdef", "attribute", "class", "constraint", "default_acl", "enum", "extension", "index", "inherits",
            "policy", "proc", "rewrite", "sequence", "statistic", "statistic_ext", "trigger", "type",
        ]
        let counts = names.map { name in
            "SELECT count(*), count(*) FILTER (WHERE age(xmin) < age('\(transaction)'::xid)) FROM pg_\(name)"
        }
        let sums = try database.query(
            SQL(
                stringLiteral: """
                    SELECT array_agg(rows) AS rows, sum(new_rows)::bigint AS new_rows,
                           (SELECT count(*) FROM pg_class
                            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND reltuples >= 0) AS counted
                    FROM (\(counts.joined(separator: " UNION ALL "))) AS catalogs (rows, new_rows)
                    """))[0]
        rows = try sums.read("rows")
        newRows = try sums.read("new_rows")
        countedTables = try sums.read("counted")
    }
}
