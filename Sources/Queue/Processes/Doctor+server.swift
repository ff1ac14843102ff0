package import Postgres
import Processes

/// Findings from PostgreSQL's own views. They show other users' sessions only to a member of `pg_read_all_stats`.
extension Doctor {
    /// Checks the connections of the server, of this database and of this login, and reports the limit with the fewest
    /// left.
    func connections(on database: isolated Connection) throws -> Finding {
        let limit = try tightestConnectionLimit(on: database)
        let text =
            "\(limit.used) of \(limit.most) connections that \(limit.place) permits are in use, \(limit.own) of them by waypost"
        guard limit.used * 10 >= limit.most * 9 else { return .ok("connections", text) }
        return limit.used >= limit.most
            ? .problem("connections", text, Finding.moreConnections)
            : .warning("connections", text, Finding.moreConnections)
    }

    /// Warns before the living processes could use up the connections.
    func connectionNeeds(
        of workers: Int, coordinators: Int, on database: isolated Connection
    ) throws -> Finding {
        let limit = try tightestConnectionLimit(on: database)
        let (most, free) = (
            workers * needs.worker + coordinators * needs.coordinator, limit.most - limit.used + limit.own
        )
        let text =
            "\(workers) workers (\(needs.worker) each) and \(coordinators) coordinators (\(needs.coordinator) each) take at "
            + "most \(most) connections; \(limit.place) has \(free) for them"
        return most <= free ? .ok("connections", text) : .warning("connections", text, Finding.moreConnections)
    }

    private func tightestConnectionLimit(
        on database: isolated Connection
    ) throws -> (place: String, most: Int, used: Int, own: Int) {
        let limits = try database.query(
            """
            SELECT place, most, count(pid) AS used,
                   count(pid) FILTER (WHERE application_name LIKE 'waypost%' AND datname = current_database()) AS own
            FROM (
                -- PostgreSQL 15 has no `reserved_connections`.
                SELECT 'PostgreSQL' AS place,
                       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
                           - coalesce(current_setting('reserved_connections', true), '0')::integer
                           AS most, NULL::oid AS of_database, NULL::oid AS of_login
                UNION ALL
                SELECT 'this database', datconnlimit, oid, NULL
                FROM pg_database
                WHERE datname = current_database() AND datconnlimit >= 0
                UNION ALL
                SELECT 'the login ' || rolname, rolconnlimit, NULL, oid
                FROM pg_roles
                WHERE rolname = session_user AND rolconnlimit >= 0
            ) AS limits
            LEFT JOIN pg_stat_activity
                -- `backend_type` is null for a session of another login.
                ON coalesce(backend_type, 'client backend') = 'client backend' AND datid IS NOT NULL AND (of_database IS NULL OR datid = of_database)
                    AND (of_login IS NULL OR usesysid = of_login)
            GROUP BY place, most
            ORDER BY most - count(pid)
            """)
        return try (
            limits[0].read("place"), limits[0].read("most"), limits[0].read("used"), limits[0].read("own")
        )
    }

    /// Reports commits that wait for a synchronous standby. The end of such a session would make its commit visible
    /// although no standby has it.
    private func unconfirmedCommits(on database: isolated Connection) throws -> Finding? {
        let row = try database.query(
            """
            SELECT count(*) AS waiting, extract(epoch FROM max(clock_timestamp() - xact_start)) AS age,
                   current_setting('synchronous_standby_names') AS names,
                   (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS standbys
            FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'SyncRep'
              AND xact_start < clock_timestamp() - least(\(longTransaction)::interval, '5 seconds')
            """)[0]
        let waiting: Int = try row.read("waiting")
        guard waiting > 0 else { return nil }
        return .problem(
            "standby",
            try "commits that wait for a synchronous standby: \(waiting), the longest for "
                + "\(Readable.duration(row.read("age"))); standbys that confirm commits: \(row.read("standbys", as: Int.self))",
            "start the standby of synchronous_standby_names = '\(try row.read("names", as: String.self))', or take it out of "
                + "that setting and reload. Don't end these sessions: their commits would be visible, and on no standby"
        )
    }

    /// Reports a time limit that ends our own long statements.
    func timeLimits(on database: isolated Connection) throws -> [Finding] {
        try database.query(
            """
            SELECT name, setting::bigint AS milliseconds, source
            FROM pg_settings
            WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout') AND setting::bigint BETWEEN 1 AND 59999
            """
        ).map { row in
            .warning(
                "time limits",
                try "\(row.read("name", as: String.self)) is \(row.read("milliseconds", as: Int.self)) ms, from the "
                    + "\(row.read("source", as: String.self)): imports and migrations may need longer",
                Finding.longerTime)
        }
    }

    /// Reports long transactions. An open transaction keeps vacuum from removing dead rows in all tables, which slows
    /// claims, and other sessions wait for its locks.
    package func transactions(on database: isolated Connection) throws -> [Finding] {
        let rows = try database.query(
            """
            SELECT 'session ' || pid || ' (' || application_name || ')'
                       || CASE state WHEN 'active' THEN ' runs a statement in' ELSE ' is idle in' END AS holder,
                   extract(epoch FROM clock_timestamp() - xact_start) AS age, waiters,
                   'SELECT pg_terminate_backend(' || pid || ')' AS remedy
            FROM pg_stat_activity AS session,
            LATERAL (
                SELECT count(*) AS waiters
                FROM pg_stat_activity AS other
                WHERE other.wait_event_type = 'Lock' AND session.pid = ANY (pg_blocking_pids(other.pid))
            ) AS blocked
            WHERE datname = current_database()
              AND backend_type = 'client backend'
              AND pid <> pg_backend_pid()
              AND wait_event IS DISTINCT FROM 'SyncRep'
              AND (xact_start < clock_timestamp() - \(longTransaction)::interval
                   OR waiters > 0 AND xact_start < clock_timestamp() - least(\(longTransaction)::interval, '5 seconds'))
            UNION ALL
            SELECT 'prepared transaction ' || gid || ' is', extract(epoch FROM clock_timestamp() - prepared), 0,
                   'ROLLBACK PREPARED ' || quote_literal(gid)
            FROM pg_prepared_xacts
            WHERE database = current_database() AND prepared < clock_timestamp() - \(longTransaction)::interval
            ORDER BY age DESC
            """)
        let open = try rows.map { row in
            let waiters: Int = try row.read("waiters")
            return Finding.warning(
                "transactions",
                try "\(row.read("holder", as: String.self)) a transaction that has been open for "
                    + "\(Readable.duration(row.read("age"))); vacuum waits for it"
                    + (waiters == 0 ? "" : ", and \(waiters == 1 ? "1 session" : "\(waiters) sessions") for its locks"),
                "end it: " + (try row.read("remedy")))
        }
        let others = try [unconfirmedCommits(on: database)].compactMap(\.self) + heldBack(on: database)
        guard open.isEmpty, others.isEmpty else { return open + others }
        let hidden = try hiddenSessions(on: database)
        return [.ok("transactions", "none is open for long, and nothing holds vacuum back\(hidden)")]
    }

    private func hiddenSessions(on database: isolated Connection) throws -> String {
        let row = try database.query(
            """
            SELECT count(*) AS hidden, quote_ident(session_user) AS login
            FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type IS NULL AND pid <> pg_backend_pid()
            """)[0]
        let count: Int = try row.read("hidden")
        guard count > 0 else { return "" }
        let login: String = try row.read("login")
        return
            ", as far as can be seen: \(count) sessions are of other logins. GRANT pg_read_all_stats TO \(login) shows them"
    }

    /// Reports replication slots and stand-bys that hold vacuum back.
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
            "dead rows", "\(table) has \(dead) dead rows next to \(live) live ones",
            "VACUUM \(table); if it removes none, see 'transactions'")
    }

    /// A worker without notifications works, but looks for jobs only now and then.
    ///
    /// A worker whose heartbeats have stopped may have been killed, and is not expected to listen.
    func listeners(for workers: [WorkerState], on database: isolated Connection) throws -> Finding {
        let living = workers.count { $0.silence <= registry.silenceLimit / 2 }
        let count: Int = try database.query(
            """
            SELECT count(*) AS count
            FROM pg_stat_activity
            WHERE datname = current_database()
              AND application_name LIKE '%' || \(Connection.listeningMark)
            """)[0].read("count")
        guard count < living else { return .ok("listeners", "connections that receive notifications: \(count)") }
        return .warning(
            "listeners", "connections that receive notifications: \(count), workers: \(living)",
            "new jobs wait up to a second for a worker that receives none. A worker that was just started or killed counts for "
                + "some seconds; if this stays, see 'pooler'")
    }
}

extension Finding {
    /// Returns a finding if the server refused a connection because all are in use; nil for another error.
    package static func refusedConnection(_ error: DatabaseError) -> Finding? {
        guard error.isConnectionLost, ["too many", "connection slots"].contains(where: error.message.contains) else {
            return nil
        }
        return .problem("connections", "PostgreSQL accepts no more connections: \(error.message)", moreConnections)
    }

    /// Returns a finding if a time limit of the server ended a statement; nil for another error.
    package static func overTime(_ error: DatabaseError) -> Finding? {
        guard error.sqlState == "57014", !error.isOverTime else { return nil }
        return .problem("time limits", "PostgreSQL ended a statement: \(error.message)", longerTime)
    }

    static let longerTime =
        "give the login and the database more time, such as: ALTER ROLE … SET statement_timeout = '10min'"

    static let moreConnections =
        "end unneeded sessions, raise max_connections (or the CONNECTION LIMIT of the database or login), or run fewer "
        + "processes with a lower WAYPOST_CONNECTIONS"
}
