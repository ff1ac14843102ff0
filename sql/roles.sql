-- Roles with the least rights that each part of Waypost needs. `waypost migrate` runs this file after the migrations, as
-- the owner of the tables, each time; it may be run by hand as well:  psql --single-transaction -f sql/roles.sql
--
-- The roles can't log in. Give them to login roles of your own, or let a process that logs in as the owner step down:
--
--     CREATE ROLE worker_on_host_7 LOGIN PASSWORD '…' IN ROLE waypost_worker;
--
--   waypost_worker   workers and coordinators: the queue, the questions and the answers. It sees the addresses of all
--                    accounts, and never a name.
--   waypost_api      the HTTP server: the contacts of one account at a time, the one that the session has set.
--   waypost_admin    the HTTP server, for a token with the scope admin: lanes, jobs, workers, chains, answers. Of contacts it sees the
--                    addresses of one account, and no name.
--   waypost_report   reads what holds no secret and nobody's name or address: for dashboards and reports.
--
-- The owner's rights are those of whoever runs the migrations. A login that may not create roles can run this file if
-- somebody else has created the four, by the lines in the loop below. Without them the owner does everything: see owner.sql.

-- Roles belong to the whole server, and several databases may be prepared at the same moment.
DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY '{waypost_worker,waypost_api,waypost_admin,waypost_report}'::text[] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = role);
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            -- Another database's turn came first.
        END;
    END LOOP;

    -- So that a process which logs in as the owner may step down.
    FOREACH role IN ARRAY '{waypost_worker,waypost_api,waypost_admin}'::text[] LOOP
        -- Since PostgreSQL 16, who created a role administers it and yet may not become it.
        CONTINUE WHEN pg_has_role(
            role, CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END);
        BEGIN
            EXECUTE format('GRANT %I TO CURRENT_USER', role);
        EXCEPTION WHEN insufficient_privilege THEN
            -- Somebody else made the roles, and decides who has them.
        END;
    END LOOP;
END
$$;

-- What an older version granted and this one doesn't is taken back.
DO $$
DECLARE
    roles CONSTANT text := 'waypost_worker, waypost_api, waypost_admin, waypost_report';
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %s', current_schema(), roles);
    EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA %I FROM %s', current_schema(), roles);
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM %s', current_schema(), roles);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', current_schema(), roles);
END
$$;

-- Each process checks that it fits the schema.
GRANT SELECT ON schema_migrations, schema_functions, schema_objects TO waypost_worker, waypost_api, waypost_admin, waypost_report;

---- Workers and coordinators

-- The queue. Lanes are made for new providers, and never deleted.
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs, dead_jobs, token_buckets, workers, coordinators, throughput, sleepers, backlogs
    TO waypost_worker;
GRANT SELECT, INSERT, UPDATE ON lanes TO waypost_worker;
GRANT SELECT, UPDATE ON leadership, server_clock TO waypost_worker;
GRANT SELECT, INSERT ON calls, clock_steps TO waypost_worker;
GRANT USAGE ON SEQUENCE jobs_id_seq, leases TO waypost_worker;

-- The days of the call log are made by a function with the owner's rights, which drops none that is younger than two days.
GRANT EXECUTE ON FUNCTION keep_call_partitions(integer, interval) TO waypost_worker;

-- Questions and answers.
GRANT SELECT, INSERT, UPDATE ON geocodes TO waypost_worker;
GRANT SELECT, INSERT, DELETE ON unqueued_geocodes TO waypost_worker;
GRANT SELECT ON chains TO waypost_worker;
GRANT EXECUTE ON FUNCTION ask_again(bigint[], integer, integer[]), decided_by_a_person(bigint) TO waypost_worker;

-- The sweep hashes what other programs wrote: of all accounts, but it needs nobody's name.
GRANT SELECT (id, chain, has_pins) ON accounts TO waypost_worker;
GRANT SELECT (id, account, deleted_at) ON friends TO waypost_worker;
GRANT SELECT (id, friend, street, city, region, postcode, country, country_code, hash), UPDATE (hash, country_code)
    ON addresses TO waypost_worker;

DO $$
DECLARE
    the_table text;
BEGIN
    FOREACH the_table IN ARRAY '{accounts,friends,addresses,trackers,pending_locations,sinks,sign_ins}'::text[] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_policy WHERE polrelid = the_table::regclass AND polname = 'every_account');
        EXECUTE format('CREATE POLICY every_account ON %I TO waypost_worker USING (true)', the_table);
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'every_account') THEN
        CREATE POLICY every_account ON geocodes TO waypost_worker, waypost_report USING (true);
    END IF;
    -- Answers are nobody's. Whose addresses they answer, is for the policies of addresses.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'every_answer') THEN
        CREATE POLICY every_answer ON geocodes TO waypost_admin USING (true);
    END IF;
    -- The tokens of one account. What was revoked stays so.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'tokens'::regclass AND polname = 'own_tokens') THEN
        CREATE POLICY own_tokens ON tokens FOR SELECT TO waypost_admin USING (account = current_account());
        CREATE POLICY new_tokens ON tokens FOR INSERT TO waypost_admin
            WITH CHECK (account = current_account() AND revoked_at IS NULL);
        CREATE POLICY good_tokens ON tokens FOR UPDATE TO waypost_admin
            USING (account = current_account() AND revoked_at IS NULL) WITH CHECK (revoked_at IS NOT NULL);
    END IF;
    -- Of locations, a worker deletes those of which the sink was told that they are gone.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'pending_locations'::regclass AND polname = 'only_removed_ones') THEN
        CREATE POLICY only_removed_ones ON pending_locations AS RESTRICTIVE FOR DELETE TO waypost_worker USING (removed);
    END IF;
END
$$;

-- What the leading coordinator does about copies and tallies that other statements left.
GRANT EXECUTE ON FUNCTION settle_left_overs(integer), add_up_tallies() TO waypost_worker;

-- Partitions by day, and what is old enough to go.
GRANT EXECUTE ON FUNCTION keep_location_partitions(integer, interval) TO waypost_worker;

-- Uploads, of all accounts. A worker reads locations, and never a fix.
GRANT SELECT ON sinks TO waypost_worker;
GRANT SELECT, UPDATE ON sign_ins TO waypost_worker;
GRANT SELECT (id, account, user_id, is_on, sink, newest_first, job, uploaded_at, piece), UPDATE (job, uploaded_at, piece)
    ON trackers TO waypost_worker;
GRANT SELECT, DELETE, UPDATE (uploaded, refusal) ON pending_locations TO waypost_worker;

-- What was done to the cluster goes when it is old, and what was decided as well.
GRANT EXECUTE ON FUNCTION forget_acts(interval, integer) TO waypost_worker;
GRANT SELECT, DELETE ON decisions TO waypost_worker;

---- The HTTP server

-- Contacts, under row-level security. An account is opened by the owner: 'waypost tokens create'.
GRANT SELECT, UPDATE (has_pins) ON accounts TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON friends, addresses TO waypost_api;
GRANT USAGE ON SEQUENCE friends_id_seq TO waypost_api;
GRANT SELECT ON address_tallies, friend_tallies TO waypost_api;
GRANT EXECUTE ON FUNCTION answered_addresses() TO waypost_api;
GRANT EXECUTE ON FUNCTION friends_named(text, boolean, boolean, integer, bigint) TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON imports, import_batches, idempotency_keys TO waypost_api;
GRANT SELECT ON countries TO waypost_api;

-- Answers are shared by all accounts, but for pins, which are under row-level security. So whoever has a hash may read what
-- is known of it: but not what was asked, which is somebody's address.
GRANT SELECT (id, hash, loose_key, follows, status, job, latitude, longitude, precision, placemark, provider, reason,
              geocoded_at, expires_at, chain, link, step, trail, confidence, is_weak, shared_from, is_lent, pinned_at, shadow_of)
    ON geocodes TO waypost_api;
GRANT INSERT ON geocodes TO waypost_api;
-- The job of a question that waits, and the position of the account's own pin: functions/row_security.sql sees to that.
GRANT UPDATE (job, follows, latitude, longitude, geocoded_at, pinned_at) ON geocodes TO waypost_api;
GRANT EXECUTE ON FUNCTION ask_again(bigint[], integer, integer[]), decided_by_a_person(bigint),
    ask_anew(bigint[], bigint[], integer, integer) TO waypost_api;
GRANT INSERT ON unqueued_geocodes TO waypost_api;
GRANT SELECT ON chains TO waypost_api;

-- To queue a question, to put one first, and to show how the queue stands.
GRANT SELECT, INSERT, UPDATE (priority, run_at, subjects) ON jobs TO waypost_api;
GRANT USAGE ON SEQUENCE jobs_id_seq TO waypost_api;
GRANT SELECT ON lanes, token_buckets, dead_jobs, workers, coordinators, leadership, calls, throughput, backlogs
    TO waypost_api;

-- Positions, under row-level security as well.
GRANT SELECT, INSERT, UPDATE, DELETE ON trackers, fixes, pending_locations TO waypost_api;
GRANT SELECT, INSERT, UPDATE ON refused_fixes TO waypost_api;
GRANT SELECT (id, account, name, kind, lane, signs_in, is_default, pause) ON sinks TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_ins TO waypost_api;

-- A token is known by its number and its secret's hash together, and no table of them can be read.
GRANT EXECUTE ON FUNCTION bearer_of_token(integer, bytea), note_use_of_token(integer, bytea), any_token_is_good(),
    any_token_was_made() TO waypost_api;
-- Nor can a table of sessions: one is known by the hash of what its browser keeps.
GRANT EXECUTE ON FUNCTION begin_session(integer, bytea, bytea, interval), bearer_of_session(bytea), end_session(bytea)
    TO waypost_api;

-- What is erased over the API is in the log as well.
GRANT INSERT ON audit_log TO waypost_api;

---- The HTTP server, for who may steer the cluster

-- Lanes, jobs and workers.
GRANT SELECT, INSERT, UPDATE ON lanes TO waypost_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON token_buckets, jobs, dead_jobs TO waypost_admin;
GRANT USAGE ON SEQUENCE jobs_id_seq TO waypost_admin;
GRANT SELECT, UPDATE (quiet) ON workers TO waypost_admin;
GRANT SELECT ON coordinators, leadership, throughput, backlogs, calls, server_clock, clock_steps, sleepers TO waypost_admin;

-- Answers: how they stand, and what a person decides of them. What was asked is read in the addresses of the account, and nowhere else.
GRANT SELECT (id, hash, status, job, latitude, longitude, precision, placemark, provider, reason, geocoded_at, expires_at, chain, link,
              step, candidates, trail, confidence, shared_from, is_lent, pinned_at, account, is_weak, loose_key, follows, shadow_of)
    ON geocodes TO waypost_admin;
GRANT UPDATE (status, job, latitude, longitude, precision, placemark, provider, reason, geocoded_at, expires_at, chain, link, step, candidates,
              trail, confidence, shared_from, is_lent, pinned_at, is_weak, follows)
    ON geocodes TO waypost_admin;
GRANT INSERT ON unqueued_geocodes TO waypost_admin;
GRANT SELECT, INSERT, DELETE ON decisions TO waypost_admin;
GRANT EXECUTE ON FUNCTION count_purgeable_answers(text, geocode_status, interval),
    purge_answers(text, geocode_status, interval, integer), decided_by_a_person(bigint),
    ask_anew(bigint[], bigint[], integer, integer) TO waypost_admin;

-- Chains, and which of them the account's addresses go along.
GRANT SELECT, INSERT, UPDATE (is_current) ON chains TO waypost_admin;
GRANT SELECT, UPDATE (chain) ON accounts TO waypost_admin;

-- The account's addresses, under row-level security; of its friends, whether they are there.
GRANT SELECT ON addresses TO waypost_admin;
GRANT SELECT (id, account, deleted_at) ON friends TO waypost_admin;

-- Sinks have their findings.
GRANT SELECT (id, account, name, kind, lane, signs_in, is_default, pause) ON sinks TO waypost_admin;

-- The log is written and read, and never changed.
GRANT SELECT, INSERT ON audit_log TO waypost_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO waypost_admin;

-- Tokens of the account: who has which right, but not the hash of a secret. One is made for the account, and revoked for good.
GRANT SELECT (id, account, name, scopes, created_at, last_used_at, expires_at, revoked_at, user_id),
    INSERT (account, name, hash, scopes, expires_at, user_id),
    UPDATE (revoked_at) ON tokens TO waypost_admin;
GRANT EXECUTE ON FUNCTION any_token_was_made() TO waypost_admin;

---- Reports

GRANT SELECT ON audit_log TO waypost_report;

GRANT SELECT (id, account, name, kind, lane, signs_in, is_default, pause, changed_at) ON sinks TO waypost_report;
GRANT SELECT ON lanes, token_buckets, jobs, dead_jobs, workers, coordinators, leadership, calls, throughput, backlogs,
    chains, server_clock, clock_steps, unqueued_geocodes, countries
    TO waypost_report;
GRANT SELECT (id, status, job, precision, provider, geocoded_at, expires_at, chain, link, step, confidence, is_weak, is_lent,
              pinned_at)
    ON geocodes TO waypost_report;
