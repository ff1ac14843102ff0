import CLibpq

extension Connection {
    /// Settings of the server that matter for Waypost, and where each comes from. As JSON.
    ///
    /// The list is one of permitted names, because others may contain a password: `primary_conninfo`, `archive_command`.
    package func serverSettings() throws -> String {
        try json(
            """
            SELECT name, setting, unit, source
            FROM pg_settings
            WHERE name ~ '^(autovacuum|checkpoint|effective|enable|idle|jit|lock|log_(lock|min|parameter|statement)|max|min)'
               OR name ~ '_(timeout|mem|buffers|cost|connections|interval|level|commit|delay|size|encoding)$'
               OR name IN ('client_connection_check_interval', 'data_checksums', 'fsync', 'full_page_writes', 'hot_standby',
                           'huge_pages', 'in_hot_standby', 'row_security', 'server_version', 'shared_preload_libraries', 'ssl',
                           'TimeZone', 'track_counts')
            ORDER BY name
            """)
    }

    /// The tables of the current schema: sizes, rows, vacuums. As JSON.
    package func tableSizes() throws -> String {
        try json(
            """
            SELECT relname AS table, pg_total_relation_size(relid) AS bytes, pg_indexes_size(relid) AS index_bytes,
                   n_live_tup AS rows, n_dead_tup AS dead_rows, last_vacuum, last_autovacuum, last_analyze, last_autoanalyze,
                   seq_scan AS scans, idx_scan AS index_scans
            FROM pg_stat_user_tables
            WHERE schemaname = current_schema()
            ORDER BY bytes DESC
            """)
    }

    /// The sessions of this database. As JSON. It has no text of a statement, because that may contain a person's address.
    package func sessions() throws -> String {
        try json(
            """
            SELECT pid, application_name, backend_type, state, wait_event_type, wait_event,
                   extract(epoch FROM clock_timestamp() - backend_start) AS age_seconds,
                   extract(epoch FROM clock_timestamp() - xact_start) AS transaction_seconds,
                   extract(epoch FROM clock_timestamp() - query_start) AS statement_seconds,
                   pg_blocking_pids(pid) AS blocked_by
            FROM pg_stat_activity
            WHERE datname = current_database()
            ORDER BY pid
            """)
    }

    private func json(_ rows: SQL) throws -> String {
        try query("SELECT coalesce(json_agg(row), '[]')::text AS json FROM (\(part: rows)) AS row")[0].read("json")
    }
}

extension Database {
    /// The version of libpq, such as `15.14`.
    package static var libraryVersion: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }
}
