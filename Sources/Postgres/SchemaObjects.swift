/// The functions, triggers and policies that the function files made, as the database has them.
///
/// `schema_objects` has a digest of each definition, taken when a file made it. So a comparison shows objects that were
/// dropped or replaced by hand since then, although `schema_functions` lists the files as run.
extension Connection {
    private static let present: SQL = """
        present AS (
            SELECT format('function %s', oid::regprocedure) AS name, md5(pg_get_functiondef(oid)) AS digest, xmin
            FROM pg_proc
            WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p')
            UNION ALL
            SELECT format('trigger %I on %s', tgname, tgrelid::regclass),
                   md5(concat_ws(' ', tgenabled, pg_get_triggerdef(pg_trigger.oid))), pg_trigger.xmin
            FROM pg_trigger
            JOIN pg_class ON pg_class.oid = tgrelid AND relnamespace = current_schema()::regnamespace
            WHERE NOT tgisinternal AND tgparentid = 0
            UNION ALL
            SELECT format('policy %I on %s', polname, polrelid::regclass),
                   md5(concat_ws(
                       ' ', polcmd, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))),
                   pg_policy.xmin
            FROM pg_policy
            JOIN pg_class ON pg_class.oid = polrelid AND relnamespace = current_schema()::regnamespace
        )
        """

    /// Throws ``SchemaError/damaged(missing:changed:)`` unless every object that the function files made exists
    /// unchanged.
    package func requireSchemaObjects() throws {
        // An older program that ran the files left no table, or an empty one.
        let isNoted: Bool = try query("SELECT to_regclass('schema_objects') IS NOT NULL AS is_noted")[0].read(
            "is_noted")
        guard try isNoted && !query("SELECT FROM schema_objects LIMIT 1").isEmpty else {
            throw SchemaError.damaged(missing: ["the list of what they made"], changed: [])
        }
        let rows = try query(
            """
            WITH \(part: Self.present)
            SELECT schema_objects.name, present.digest IS NULL AS is_missing
            FROM schema_objects
            LEFT JOIN present USING (name)
            WHERE present.digest IS DISTINCT FROM schema_objects.digest
            ORDER BY schema_objects.name
            """)
        if rows.isEmpty { return }
        var (missing, changed): ([String], [String]) = ([], [])
        for row in rows {
            let name: String = try row.read("name")
            if try row.read("is_missing") { missing.append(name) } else { changed.append(name) }
        }
        throw SchemaError.damaged(missing: missing, changed: changed)
    }

    /// True if an object is missing or changed. Then all function files have to run again.
    func hasDamagedObjects() throws -> Bool {
        do { try requireSchemaObjects() } catch is SchemaError { return true }
        return false
    }

    /// Records the functions that function files made in this transaction. If `all` files ran, older records are
    /// deleted.
    func noteFunctions(ofAllFiles all: Bool) throws {
        if all { try query("DELETE FROM schema_objects") }
        try noteObjects("name LIKE 'function %'")
    }

    /// Runs the statements with which function files make triggers and policies, and records these. Records of objects
    /// that function files dropped are deleted. The policies that `sql/roles.sql` made before are not recorded.
    func makeTriggersAndPolicies(_ script: String) throws {
        let others: [String] = try query(
            """
            WITH \(part: Self.present)
            SELECT name FROM present WHERE xmin = pg_current_xact_id()::xid AND name NOT LIKE 'function %'
            """
        ).map { try $0.read("name") }
        try run(script: script)
        try query("WITH \(part: Self.present) DELETE FROM schema_objects WHERE name NOT IN (SELECT name FROM present)")
        try noteObjects("name NOT LIKE 'function %' AND name <> ALL (\(others))")
    }

    private func noteObjects(_ condition: SQL) throws {
        try query(
            """
            WITH \(part: Self.present)
            INSERT INTO schema_objects (name, digest)
            SELECT name, digest FROM present WHERE xmin = pg_current_xact_id()::xid AND \(part: condition)
            ON CONFLICT (name) DO UPDATE SET digest = excluded.digest
            """)
    }
}
