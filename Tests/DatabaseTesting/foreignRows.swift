package import Postgres

extension Connection {
    /// Puts a row into each table that commands, routes and processes read.
    package func fillTables(account: String = "app") throws {
        try run(
            script: """
                INSERT INTO accounts (name) VALUES ('\(account)') ON CONFLICT DO NOTHING;
                INSERT INTO lanes (name, paused_at) VALUES ('paused', now());
                INSERT INTO lanes (name, blocked_until, blocked_because) VALUES ('blocked', now() + '1 h', 'a reason');
                INSERT INTO lanes (name, failed_at, failed_because) VALUES ('failing', now(), 'a reason');
                INSERT INTO lanes (name, kind) VALUES ('upload:log', 'upload'), ('houses', 'geocoding');
                INSERT INTO token_buckets (lane, per, refill, capacity) SELECT id, '1 min', 60, 2 FROM lanes WHERE kind <> 'upload';
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision,
                                      provider, confidence, geocoded_at, expires_at, reason, candidates)
                SELECT sha256(status::bytea), '', 'Espoo', '', '', 'Finland', status::geocode_status,
                       CASE status WHEN 'located' THEN 60.2 END, CASE status WHEN 'located' THEN 24.7 END,
                       CASE status WHEN 'located' THEN 'city' END, 'gazetteer', 0.5, now(),
                       CASE WHEN status <> 'waiting' THEN now() + '1 day' END, 'a reason',
                       CASE status WHEN 'needs_review' THEN '[]'::jsonb END
                FROM unnest('{located,failed,waiting,not_found,needs_review}'::text[]) AS status;
                INSERT INTO friends (account, source_key, name) SELECT id, 'ada', 'Ada' FROM accounts WHERE name = '\(account)';
                INSERT INTO addresses (friend, position, city, country, hash, owner)
                SELECT friends.id, row_number() OVER (), 'Espoo', 'Finland', geocodes.hash, friends.account FROM friends, geocodes;
                INSERT INTO jobs (lane, subjects) SELECT id, '{3}' FROM lanes WHERE kind <> 'upload';
                UPDATE geocodes SET job = (SELECT min(id) FROM jobs) WHERE status = 'waiting';
                INSERT INTO jobs (lane, subjects, worker, lease, starts_at) SELECT id, '{9}', 1, 1, now() FROM lanes WHERE name = 'blocked';
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason) VALUES (900, 1, 1, 5, 0, '{8}', 'a reason');
                INSERT INTO calls (started_at, took, worker, subjects, lane, outcome, job)
                SELECT now() - n * interval '1 second', 0.1, 1, 1, 1, 'done', n FROM generate_series(1, 30) AS n;
                INSERT INTO throughput (minute, lane, worker, calls, subjects) VALUES (date_trunc('minute', now()), 1, 1, 5, 5);
                INSERT INTO workers (name, host, pid, lanes) VALUES ('ada', 'here', 1, '{gazetteer,paused,blocked,failing}');
                INSERT INTO coordinators (name, host, pid) VALUES ('bob', 'here', 1);
                INSERT INTO backlogs (lane, counted_at, took, ready, later, dead, last_due)
                SELECT id, now(), '1 s', 1, 1, 1, now() FROM lanes WHERE name = 'failing';
                INSERT INTO clock_steps (epoch, size) VALUES (-7, '1 s');
                UPDATE server_clock SET checked_at = now(), checked_boot = 'boot', checked_from = 1, checked_to = 2;
                INSERT INTO sinks (account, name, kind, lane, noticed_at)
                SELECT accounts.id, 'log', 'file', lanes.id, now() FROM accounts, lanes
                WHERE accounts.name = '\(account)' AND kind = 'upload';
                INSERT INTO trackers (account, user_id, is_on, on_times, newest_at, newest_id, seen_at, seen_lat, seen_lng, seen_wait,
                                      start_at, start_id, start_lat, start_lng, wait_time, sink, uploaded_at, settled_at, settled_id, stops)
                SELECT id, 'ada', true, '{[2023-11-14,)}', now(), 'a', now(), 60, 24, 0, now(), 'a', 60, 24, 0, 1, now(), now(), 'a',
                       '{2023-11-15}'
                FROM accounts WHERE name = '\(account)';
                INSERT INTO fixes (tracker, at, id, account, lat, lng) SELECT id, now(), 'a', account, 60, 24 FROM trackers;
                INSERT INTO pending_locations (tracker, at, id, account, lat, lng, wait_time)
                SELECT id, now(), 'a', account, 60, 24, 0 FROM trackers;
                INSERT INTO refused_fixes (account, tracker, reason, count) SELECT account, id, 'tooOld', 1 FROM trackers;
                INSERT INTO decisions (geocode, before, after) VALUES (1, '{}', '{}');
                INSERT INTO audit_log (verb, target, author, host) VALUES ('lanes.pause', 'paused', 'ada', 'here');
                INSERT INTO imports (account, feed, fingerprint, is_complete) SELECT id, 'crm', 'f', true FROM accounts WHERE name = '\(account)';
                INSERT INTO point_sets (name, is_current, loaded_at) VALUES ('houses', true, now());
                """)
    }

    /// The extreme values of each type, as another program could write them. Each list has the same length.
    package static let foreignValues = [
        "timestamp with time zone": [
            "infinity", "-infinity", "294276-12-31 23:59:59+00", "4714-11-24 00:00:00+00 BC", "9999-12-30 00:00:00+00",
        ],
        "double precision": ["Infinity", "-Infinity", "NaN", "1e300", "5e-324"],
        "real": ["Infinity", "-Infinity", "NaN", "3e38", "1e-45"],
        "numeric": ["Infinity", "-Infinity", "NaN", "1e300", "1e-300"],
        "interval": ["178000000 years", "-178000000 years", "365 days", "-1 microseconds", "1 microseconds"],
        "tstzmultirange": [
            "{[2023-11-14,infinity]}", "{[-infinity,)}", "{[294276-12-31,)}", "{(,)}", "{[9999-12-30,)}",
        ],
        "ARRAY": ["{infinity}", "{-infinity}", "{294276-12-31}", "{4714-11-24 BC}", "{9999-12-30}"],
    ]

    /// Sets each column of such a type to its extreme value of this number, in all rows. The types and the constraints
    /// refuse some. Columns that are keys stay.
    package func storeForeignValues(_ number: Int) throws {
        let columns = try query(
            """
            SELECT table_name, column_name, data_type
            FROM information_schema.columns
            JOIN information_schema.tables USING (table_schema, table_name)
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_identity = 'NO'
              AND table_name !~ '^(schema_|calls_|fixes_|pending_locations_|leadership|tokens|sessions|countries)'
              AND column_name NOT IN ('account', 'lane', 'tracker', 'sink', 'chain', 'friend', 'owner', 'job', 'shadow_of', 'point_set')
              AND (data_type <> 'ARRAY' OR column_name = 'stops')
            ORDER BY table_name, ordinal_position
            """)
        for column in columns {
            guard let values = Self.foreignValues[try column.read("data_type")] else { continue }
            let (table, name): (String, String) = (try column.read("table_name"), try column.read("column_name"))
            let value = SQL(stringLiteral: "'\(values[number])'")
            _ = try? query("UPDATE \(identifier: table) SET \(identifier: name) = \(part: value)")
        }
    }
}
