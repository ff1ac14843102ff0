-- Roles with the least rights that each part of Waypost needs. `waypost migrate` runs this file after the migrations,
-- each time, as the owner of the tables. It may also be run by hand:  psql --single-transaction -f sql/roles.sql
--
-- The roles can't log in. Give them to login roles of your own, or let a process that logs in as the owner step down:
--
--     CREATE ROLE worker_on_host_7 LOGIN PASSWORD '…' IN ROLE waypost_worker;
--
--   waypost_worker   workers and coordinators: the queue, the questions and the answers. It sees the addresses of all
--                    accounts, but no name.
--   waypost_api      the HTTP server: the contacts of one account at a time, which the session has set.
--   waypost_admin    the HTTP server, for a token with the scope admin: lanes, jobs, workers, chains, answers. Of the
--                    contacts it sees the addresses of one account, but no name.
--   waypost_report   for dashboards and reports: reads everything without a secret, a name or an address.
--
-- The role that runs the migrations has the owner's rights. A login that may not create roles can run this file if
-- another one has created the four roles, with the lines in the loop below. Without these roles the owner does
-- everything: see owner.sql.

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
            -- Another database created the role first.
        END;
    END LOOP;

    -- Lets a process that logs in as the owner step down.
    FOREACH role IN ARRAY '{waypost_worker,waypost_api,waypost_admin}'::text[] LOOP
        -- Since PostgreSQL 16, the creator of a role administers it but may not become it.
        CONTINUE WHEN pg_has_role(
            role, CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END);
        BEGIN
            EXECUTE format('GRANT %I TO CURRENT_USER', role);
        EXCEPTION WHEN insufficient_privilege THEN
            -- Another role created these roles, and decides which logins get them.
        END;
    END LOOP;
END
$$;

-- Revokes grants of older versions.
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

-- The queue. Lanes are created for new providers, and never deleted.
GRANT SELECT, INSERT, UPDATE, DELETE ON jobs, dead_jobs, token_buckets, workers, coordinators, throughput, sleepers, backlogs,
    followed_calls TO waypost_worker;
GRANT SELECT, INSERT, UPDATE ON lanes TO waypost_worker;
GRANT SELECT, UPDATE ON leadership, server_clock TO waypost_worker;
GRANT SELECT ON home_database TO waypost_worker, waypost_api, waypost_admin, waypost_report;
GRANT SELECT, INSERT ON calls, clock_steps TO waypost_worker;
GRANT USAGE ON SEQUENCE jobs_id_seq, leases TO waypost_worker;

-- Partitions of the call log are made by a function with the owner's rights. It drops none that is younger than two
-- days.
GRANT EXECUTE ON FUNCTION keep_call_partitions(integer, interval) TO waypost_worker;

-- Questions and answers.
GRANT SELECT, INSERT, UPDATE ON geocodes TO waypost_worker;
GRANT SELECT, INSERT, DELETE ON unqueued_geocodes TO waypost_worker;
GRANT SELECT, UPDATE (reply, expires_at), DELETE ON relayed_replies TO waypost_worker;
GRANT SELECT ON chains TO waypost_worker;
GRANT SELECT ON point_sets, point_streets, point_areas, point_cells, point_places TO waypost_worker;
GRANT EXECUTE ON FUNCTION ask_again(bigint[], integer, integer[]), decided_by_a_person(bigint),
    ask_anew(bigint[], bigint[], integer, integer) TO waypost_worker;

-- The sweep hashes addresses that other programs wrote, in all accounts. It reads no names.
GRANT SELECT (id, chain, has_pins) ON accounts TO waypost_worker;
GRANT SELECT (id, account, deleted_at, changed_in) ON friends TO waypost_worker;
GRANT SELECT (id, friend, owner, street, city, region, postcode, country, country_code, hash, changed_in), UPDATE (hash, country_code)
    ON addresses TO waypost_worker;

DO $$
DECLARE
    the_table text;
BEGIN
    FOREACH the_table IN ARRAY '{accounts,friends,addresses,address_tallies,trackers,pending_locations,sinks,sign_ins,file_runs}'::text[] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_policy WHERE polrelid = the_table::regclass AND polname = 'every_account');
        EXECUTE format('CREATE POLICY every_account ON %I TO waypost_worker USING (true)', the_table);
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'every_account') THEN
        CREATE POLICY every_account ON geocodes TO waypost_worker, waypost_report USING (true);
    END IF;
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'gateway_minutes'::regclass AND polname = 'every_account') THEN
        CREATE POLICY every_account ON gateway_minutes TO waypost_worker, waypost_report USING (true);
    END IF;
    -- Answers belong to no account. The policies of `addresses` decide which addresses a session sees.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'geocodes'::regclass AND polname = 'every_answer') THEN
        CREATE POLICY every_answer ON geocodes TO waypost_admin USING (true);
    END IF;
    -- The tokens of one account. A revoked token stays revoked.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'tokens'::regclass AND polname = 'own_tokens') THEN
        CREATE POLICY own_tokens ON tokens FOR SELECT TO waypost_admin USING (account = current_account());
        CREATE POLICY new_tokens ON tokens FOR INSERT TO waypost_admin
            WITH CHECK (account = current_account() AND revoked_at IS NULL);
        CREATE POLICY good_tokens ON tokens FOR UPDATE TO waypost_admin
            USING (account = current_account() AND revoked_at IS NULL) WITH CHECK (revoked_at IS NOT NULL);
    END IF;
    -- A worker deletes a location only after the sink was told that it was removed.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'pending_locations'::regclass AND polname = 'only_removed_ones') THEN
        CREATE POLICY only_removed_ones ON pending_locations AS RESTRICTIVE FOR DELETE TO waypost_worker USING (removed);
    END IF;
END
$$;

-- Coordinators delete files that clients sent, and call their webhooks. They can't read the files.
GRANT SELECT (id, account, digest, contacts, refused, pinned, hashes, created_at, finished_at, notify, notify_secret, notify_at, notify_failures),
    UPDATE (finished_at, notify_at, notify_failures), DELETE ON file_runs TO waypost_worker;

-- Each coordinator counts the requests at its gateway.
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_minutes TO waypost_worker;

-- The leading coordinator completes copies and tallies that other statements left.
GRANT EXECUTE ON FUNCTION settle_left_overs(integer), add_up_tallies() TO waypost_worker;

-- Partitions by day, and deletion of old locations.
GRANT EXECUTE ON FUNCTION keep_location_partitions(integer, interval) TO waypost_worker;

-- Uploads for all accounts. A worker reads locations, but no fixes.
GRANT SELECT, UPDATE (job, told_in, noticed_at) ON sinks TO waypost_worker;

-- Messages about places contain counts of addresses.
GRANT SELECT ON address_tallies TO waypost_worker;
GRANT SELECT, UPDATE ON sign_ins TO waypost_worker;
GRANT SELECT (id, account, user_id, is_on, sink, newest_first, job, uploaded_at, piece), UPDATE (job, uploaded_at, piece)
    ON trackers TO waypost_worker;
GRANT SELECT, DELETE, UPDATE (uploaded, refusal) ON pending_locations TO waypost_worker;

-- Deletion of old acts and decisions.
GRANT EXECUTE ON FUNCTION forget_acts(interval, integer) TO waypost_worker;
GRANT SELECT, DELETE ON decisions TO waypost_worker;

---- The HTTP server

-- Contacts, under row-level security. Only the owner creates accounts, with 'waypost tokens create'.
GRANT SELECT, UPDATE (has_pins) ON accounts TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON friends, addresses TO waypost_api;
GRANT USAGE ON SEQUENCE friends_id_seq TO waypost_api;
GRANT SELECT ON address_tallies, friend_tallies TO waypost_api;
GRANT EXECUTE ON FUNCTION answered_addresses() TO waypost_api;
GRANT EXECUTE ON FUNCTION friends_named(text, boolean, boolean, integer, bigint) TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON imports, import_batches, idempotency_keys, file_runs TO waypost_api;
GRANT SELECT ON countries TO waypost_api;

-- All accounts share the answers, except pins, which are under row-level security. So a session with a hash may read
-- the answer, but not the question, which is a person's address.
GRANT SELECT (id, hash, loose_key, follows, status, job, latitude, longitude, precision, placemark, provider, reason,
              geocoded_at, expires_at, chain, link, step, trail, confidence, is_weak, shared_from, is_lent, pinned_at, shadow_of,
              ask_again_at)
    ON geocodes TO waypost_api;
GRANT INSERT ON geocodes TO waypost_api;
-- The job of a waiting question, and the position of the account's own pin: functions/row_security.sql enforces that.
GRANT UPDATE (job, follows, latitude, longitude, confidence, reason, geocoded_at, pinned_at) ON geocodes TO waypost_api;
GRANT EXECUTE ON FUNCTION ask_again(bigint[], integer, integer[]), decided_by_a_person(bigint),
    ask_anew(bigint[], bigint[], integer, integer) TO waypost_api;
GRANT INSERT ON unqueued_geocodes TO waypost_api;

-- All accounts share replies that are passed on. A session with a hash may read the reply, but not the request.
GRANT SELECT (id, hash, job, reply, expires_at), INSERT (hash, request), UPDATE (job, reply, expires_at) ON relayed_replies
    TO waypost_api;
GRANT USAGE ON SEQUENCE geocodes_id_seq TO waypost_api;
GRANT EXECUTE ON FUNCTION leave_question(bigint, boolean) TO waypost_api;
-- Points and regions are open data.
GRANT SELECT ON point_sets, point_streets, point_areas, point_cells, point_places TO waypost_api;
GRANT SELECT ON chains TO waypost_api;

-- For queueing a question, raising its priority, and showing the state of the queue.
GRANT SELECT, INSERT, UPDATE (priority, run_at, subjects) ON jobs TO waypost_api;
GRANT USAGE ON SEQUENCE jobs_id_seq TO waypost_api;
GRANT SELECT ON lanes, token_buckets, dead_jobs, workers, coordinators, leadership, calls, throughput, backlogs,
    followed_calls TO waypost_api;

-- Positions, under row-level security as well.
GRANT SELECT, INSERT, UPDATE, DELETE ON trackers, fixes, pending_locations TO waypost_api;
GRANT SELECT, INSERT, UPDATE ON refused_fixes TO waypost_api;
GRANT SELECT (id, account, name, kind, about, lane, signs_in, is_default, pause) ON sinks TO waypost_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_ins TO waypost_api;

-- A token is looked up by its id and its secret's hash together. The table of tokens can't be read.
GRANT EXECUTE ON FUNCTION bearer_of_token(integer, bytea), note_use_of_token(integer, bytea), any_token_is_good(),
    any_token_was_made() TO waypost_api;
-- The table of sessions can't be read either: a session is looked up by the hash of the value that its browser keeps.
GRANT EXECUTE ON FUNCTION begin_session(integer, bytea, bytea, interval), bearer_of_session(bytea), end_session(bytea)
    TO waypost_api;

-- Erasures over the API are logged as well.
GRANT INSERT ON audit_log TO waypost_api;

---- The HTTP server, for tokens with the scope admin

-- Lanes, jobs and workers.
GRANT SELECT, INSERT, UPDATE ON lanes TO waypost_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON token_buckets, jobs, dead_jobs TO waypost_admin;
GRANT USAGE ON SEQUENCE jobs_id_seq TO waypost_admin;
GRANT SELECT, UPDATE (quiet) ON workers TO waypost_admin;
GRANT SELECT ON coordinators, leadership, throughput, backlogs, followed_calls, calls, server_clock, clock_steps, sleepers
    TO waypost_admin;

-- Answers, their state and a person's decisions on them. The text of a question can be read only in the addresses of
-- the account.
GRANT SELECT (id, hash, status, job, latitude, longitude, precision, placemark, provider, reason, geocoded_at, expires_at, chain, link,
              step, candidates, trail, confidence, shared_from, is_lent, pinned_at, account, is_weak, loose_key, follows, shadow_of,
              ask_again_at)
    ON geocodes TO waypost_admin;
GRANT UPDATE (status, job, latitude, longitude, precision, placemark, provider, reason, geocoded_at, expires_at, chain, link, step, candidates,
              trail, confidence, shared_from, is_lent, pinned_at, is_weak, follows, ask_again_at)
    ON geocodes TO waypost_admin;
GRANT INSERT ON unqueued_geocodes TO waypost_admin;
GRANT SELECT, INSERT, DELETE ON decisions TO waypost_admin;
GRANT EXECUTE ON FUNCTION count_purgeable_answers(text, geocode_status, interval),
    purge_answers(text, geocode_status, interval, integer), decided_by_a_person(bigint),
    ask_anew(bigint[], bigint[], integer, integer) TO waypost_admin;

-- Chains, and the choice of a chain for the account's addresses.
GRANT SELECT, INSERT, UPDATE (is_current) ON chains TO waypost_admin;
GRANT SELECT, UPDATE (chain) ON accounts TO waypost_admin;

-- The account's addresses, under row-level security; of its friends only whether they exist.
GRANT SELECT ON addresses TO waypost_admin;
GRANT SELECT (id, account, deleted_at) ON friends TO waypost_admin;

-- Names and states of sinks, for their findings.
GRANT SELECT (id, account, name, kind, lane, signs_in, is_default, pause) ON sinks TO waypost_admin;

-- The log may be written and read, but not changed.
GRANT SELECT, INSERT ON audit_log TO waypost_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO waypost_admin;

-- Tokens of the account: their rights, but not the hash of a secret. A token can be made for the account, and revoked
-- for good.
GRANT SELECT (id, account, name, scopes, created_at, last_used_at, expires_at, revoked_at, user_id),
    INSERT (account, name, hash, scopes, expires_at, user_id, wait_at_most, when_late, when_left, relays),
    UPDATE (revoked_at) ON tokens TO waypost_admin;
GRANT EXECUTE ON FUNCTION any_token_was_made() TO waypost_admin;
GRANT SELECT ON gateway_minutes TO waypost_admin;

---- Reports

GRANT SELECT ON audit_log, gateway_minutes TO waypost_report;

GRANT SELECT (id, account, name, kind, lane, signs_in, is_default, pause, changed_at) ON sinks TO waypost_report;
GRANT SELECT ON lanes, token_buckets, jobs, dead_jobs, workers, coordinators, leadership, calls, throughput, backlogs,
    followed_calls, chains, server_clock, clock_steps, unqueued_geocodes, countries, point_sets
    TO waypost_report;
GRANT SELECT (id, status, job, precision, provider, geocoded_at, expires_at, chain, link, step, confidence, is_weak, is_lent,
              pinned_at, ask_again_at)
    ON geocodes TO waypost_report;
