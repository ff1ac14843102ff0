import Postgres

/// What PostgreSQL's own views tell. They show other users' sessions only to a member of `pg_read_all_stats`.
extension Doctor {
    /// A transaction that stays open keeps vacuum from removing dead rows in all tables, which slows claims.
    func transactions(on database: isolated Connection) throws -> [Finding] {
        let rows = try database.query(
            """
            SELECT 'session ' || pid || ' (' || application_name || ')' AS holder,
                   extract(epoch FROM clock_timestamp() - xact_start) AS age,
                   'SELECT pg_terminate_backend(' || pid || ')' AS remedy
            FROM pg_stat_activity
            WHERE datname = current_database()
              AND backend_type = 'client backend'
              AND pid <> pg_backend_pid()
              AND xact_start < clock_timestamp() - \(longTransaction)::interval
            UNION ALL
            SELECT 'prepared transaction ' || gid, extract(epoch FROM clock_timestamp() - prepared),
                   'ROLLBACK PREPARED ' || quote_literal(gid)
            FROM pg_prepared_xacts
            WHERE database = current_database() AND prepared < clock_timestamp() - \(longTransaction)::interval
            ORDER BY age DESC
            """)
        let open = try rows.map { row in
            Finding.warning(
                "transactions",
                try "\(row.read("holder", as: String.self)) has a transaction open for "
                    + "\(Int(row.read("age", as: Double.self))) s, and vacuum waits for it",
                "end it: " + (try row.read("remedy")))
        }
        let held = try heldBack(on: database)
        return open.isEmpty && held.isEmpty
            ? [.ok("transactions", "none is open for long, and nothing holds vacuum back")] : open + held
    }

    /// What else holds vacuum back: replication slots, and stand-bys that ask for it.
    private func heldBack(on database: isolated Connection) throws -> [Finding] {
        try database.query(
            """
            SELECT 'replication slot ' || slot_name AS holder, age(coalesce(xmin, catalog_xmin)) AS age,
                   'see whether its consumer lives, or drop it: SELECT pg_drop_replication_slot('
                       || quote_literal(slot_name) || ')' AS remedy
            FROM pg_replication_slots
            WHERE NOT active AND age(coalesce(xmin, catalog_xmin)) > 100000
            UNION ALL
            SELECT 'stand-by ' || application_name, age(backend_xmin),
                   'end its long queries, or turn its hot_standby_feedback off'
            FROM pg_stat_replication
            WHERE age(backend_xmin) > 100000
            """
        ).map {
            try .warning(
                "transactions",
                "\($0.read("holder", as: String.self)) holds vacuum back by \($0.read("age", as: Int.self)) transactions",
                $0.read("remedy"))
        }
    }

    func deadRows(on database: isolated Connection) throws -> [Finding] {
        let rows = try database.query(
            """
            SELECT relname, n_live_tup, n_dead_tup
            FROM pg_stat_user_tables
            WHERE relid IN ('jobs'::regclass, 'workers'::regclass, 'token_buckets'::regclass)
            ORDER BY relname
            """)
        let many = try rows.compactMap { row -> Finding? in
            let (dead, live): (Int, Int) = (try row.read("n_dead_tup"), try row.read("n_live_tup"))
            let table: String = try row.read("relname")
            return Self.deadRows(dead, live: live, in: table)
        }
        return many.isEmpty ? [.ok("dead rows", "vacuum keeps up with jobs, workers and token_buckets")] : many
    }

    static func deadRows(_ dead: Int, live: Int, in table: String) -> Finding? {
        guard dead > max(20_000, live / 2) else { return nil }
        return .warning(
            "dead rows", "\(table) has \(dead) dead rows beside \(live) live ones",
            "VACUUM \(table); if it removes none, see 'transactions'")
    }

    /// A worker that hears no notifications works all the same, but looks only now and then.
    func listeners(for workers: Int, on database: isolated Connection) throws -> Finding {
        let count: Int = try database.query(
            """
            SELECT count(*) AS count
            FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'
            """)[0].read("count")
        guard count < workers else { return .ok("listeners", "connections that hear notifications: \(count)") }
        return .warning(
            "listeners", "connections that hear notifications: \(count), workers: \(workers)",
            "give workers a connection that is not pooled by transaction; until then new jobs wait for the next poll")
    }
}
