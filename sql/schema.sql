-- What sql/tables, sql/migrations and sql/functions add up to. Written by make schema, compared by make test.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE TYPE public.call_outcome AS ENUM (
    'done',
    'moved',
    'retry',
    'failed',
    'snoozed',
    'rate',
    'quota',
    'lost'
);

CREATE TYPE public.geocode_status AS ENUM (
    'waiting',
    'located',
    'needs_review',
    'not_found',
    'failed',
    'forgotten'
);

CREATE FUNCTION public.add_up_tallies() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH addresses AS (
        DELETE FROM address_tallies
        WHERE account IN (SELECT account FROM address_tallies GROUP BY account HAVING count(*) > 60)
        RETURNING account, status, precision, is_weak, addresses, changes
    ), friends AS (
        DELETE FROM friend_tallies
        WHERE account IN (SELECT account FROM friend_tallies GROUP BY account HAVING count(*) > 20)
        RETURNING account, friends, changes
    ), address_sums AS (
        INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
        SELECT account, status, precision, is_weak, sum(addresses), sum(changes)
        FROM addresses
        GROUP BY 1, 2, 3, 4
        RETURNING 1
    ), friend_sums AS (
        INSERT INTO friend_tallies (account, friends, changes)
        SELECT account, sum(friends), sum(changes)
        FROM friends
        GROUP BY 1
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM addresses) + (SELECT count(*) FROM friends)
           - (SELECT count(*) FROM address_sums) - (SELECT count(*) FROM friend_sums)
$$;

CREATE FUNCTION public.addresses_were_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    ids bigint[];
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, count(*), count(*)
    FROM added
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = added.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4;
    -- Most are new questions, which wait.
    ids := ARRAY(
        SELECT added.id
        FROM added
        CROSS JOIN LATERAL (SELECT status FROM geocodes WHERE geocodes.hash = added.hash LIMIT 1) AS geocodes
        WHERE geocodes.status <> 'waiting');
    IF cardinality(ids) > 0 THEN PERFORM settle_addresses(ids); END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.addresses_were_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    ids bigint[];
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, sum(number), count(*)
    FROM (
        SELECT friend, owner, place_status, place_precision, place_is_weak, 1 AS number FROM changed
        UNION ALL
        SELECT friend, owner, place_status, place_precision, place_is_weak, -1 FROM former
    ) AS turned
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = turned.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4;
    ids := ARRAY(SELECT id FROM (SELECT id, hash FROM changed EXCEPT SELECT id, hash FROM former) AS others);
    IF cardinality(ids) > 0 THEN PERFORM settle_addresses(ids); END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.addresses_were_removed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, -count(*), count(*)
    FROM removed
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = removed.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.adopt_clock(known_epoch integer, OUT is_first boolean, OUT unchecked interval) RETURNS record
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    known timestamptz;
    moment timestamptz;
    back interval;
BEGIN
    SELECT checked_at INTO known FROM server_clock WHERE epoch = known_epoch FOR UPDATE;
    is_first := FOUND;
    IF NOT is_first THEN RETURN; END IF;
    UPDATE server_clock
    SET epoch = epoch + 1, checked_at = NULL, checked_boot = NULL, checked_from = NULL, checked_to = NULL;
    UPDATE leadership SET until = least(until, clock_timestamp());
    moment := clock_timestamp();
    unchecked := moment - known;
    back := coalesce(least(unchecked, '0'), '0');
    INSERT INTO clock_steps (epoch, size) VALUES (known_epoch + 1, back);
    UPDATE coordinators SET seen_at = least(seen_at, moment), heard_since = least(heard_since, moment);
    UPDATE workers SET seen_at = least(seen_at, moment);
    UPDATE jobs
    SET run_at = least(run_at + back, moment + longest_retry)
    FROM lanes
    WHERE lanes.id = lane AND run_at > moment;
    UPDATE jobs
    SET starts_at = least(starts_at + back, moment + make_interval(secs => farthest_slot()))
    WHERE worker IS NOT NULL;
    UPDATE lanes
    SET blocked_until = CASE WHEN blocked_until > moment THEN blocked_until + back ELSE blocked_until END,
        wary_until = CASE WHEN wary_until > moment THEN wary_until + back ELSE wary_until END,
        well_at = least(past_moment(well_at, back, moment), moment),
        pace_changed_at = least(past_moment(pace_changed_at, back, moment), moment),
        spread_since = least(past_moment(spread_since, back, moment), moment),
        limits_changed_at = least(past_moment(limits_changed_at, back, moment), moment),
        buckets_converted_at = CASE WHEN back < '0' THEN moment ELSE buckets_converted_at END;
    UPDATE token_buckets
    SET full_at = moment + least(
            CASE
                WHEN known IS NOT NULL OR charged_at IS NOT NULL THEN greatest(full_at - greatest(known, charged_at), '0')
                -- Without a worker, no token was taken yet. Otherwise an older program, which did not store
                -- `charged_at`, charged it.
                WHEN worker IS NULL THEN full_at - moment
            END,
            longest_fill(refill, per, capacity, pace)),
        charged_at = NULL,
        worker = NULL
    FROM lanes
    WHERE lanes.id = lane;
    PERFORM pg_notify('waypost_lanes', name) FROM lanes;
END
$$;

CREATE FUNCTION public.answered_addresses() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce(sum(addresses), 0)::bigint FROM address_tallies WHERE status NOT IN ('waiting', 'forgotten')
$$;

CREATE FUNCTION public.any_token_is_good() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
$$;

CREATE FUNCTION public.any_token_was_made() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM tokens)
$$;

CREATE FUNCTION public.anybody_follows() RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    RETURN EXISTS (SELECT FROM geocodes WHERE follows);
END
$$;

CREATE FUNCTION public.ask_again(questions bigint[], new_chain integer, links integer[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
    WITH opened AS (
        UPDATE geocodes
        SET status = 'waiting', chain = new_chain, link = again.new_link, step = NULL, candidates = NULL, trail = NULL,
            latitude = NULL, longitude = NULL, precision = NULL, placemark = NULL, provider = NULL, reason = NULL,
            confidence = NULL, is_weak = false, geocoded_at = NULL, expires_at = NULL, is_lent = false, shared_from = NULL,
            follows = false
        FROM unnest(questions, links) AS again (question, new_link)
        WHERE geocodes.id = ANY (questions) AND geocodes.id = again.question
          AND status IN ('forgotten', 'not_found', 'failed') AND pinned_at IS NULL AND account IS NULL
        RETURNING 1
    )
    SELECT count(*) FROM opened
$$;

CREATE FUNCTION public.ask_anew(questions bigint[], new_jobs bigint[], new_chain integer, new_link integer) RETURNS TABLE(shadow bigint, shadow_job bigint)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
    INSERT INTO geocodes (hash, street, city, region, postcode, country, chain, link, job, shadow_of)
    SELECT sha256(convert_to('shadow of ' || asked.id, 'UTF8')), asked.street, asked.city, asked.region, asked.postcode,
           asked.country, new_chain, new_link, given.job, asked.id
    FROM unnest(questions, new_jobs) AS given (question, job)
    CROSS JOIN LATERAL (
        SELECT id, street, city, region, postcode, country, status, account, at_latitude, shadow_of
        FROM geocodes
        WHERE geocodes.id = given.question
        LIMIT 1
    ) AS asked
    WHERE asked.status <> 'waiting' AND asked.account IS NULL AND asked.at_latitude IS NULL AND asked.shadow_of IS NULL
      AND NOT decided_by_a_person(asked.id)
    ORDER BY asked.id
    ON CONFLICT DO NOTHING
    RETURNING id, job
$$;

CREATE FUNCTION public.backlog(lane_id smallint) RETURNS TABLE(ready bigint, later bigint, dead bigint, last_due timestamp with time zone, counted_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    IF has_large_backlog(lane_id) THEN
        -- Without a leader nothing updates the count, and an old number would mislead.
        RETURN QUERY
        SELECT ready, later, dead, last_due, counted_at
        FROM backlogs
        WHERE lane = lane_id AND counted_at > statement_timestamp() - greatest('1 minute', took * 40);
        IF FOUND THEN RETURN; END IF;
    END IF;
    RETURN QUERY SELECT ready, later, dead, last_due, statement_timestamp() FROM count_backlog(lane_id);
END
$$;

CREATE FUNCTION public.bearer_of_session(session_hash bytea) RETURNS TABLE(token integer, token_name text, account integer, account_name text, scopes text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT tokens.id, tokens.name, accounts.id, accounts.name, tokens.scopes
    FROM sessions
    JOIN tokens ON tokens.id = sessions.token
    JOIN accounts ON accounts.id = tokens.account
    WHERE sessions.hash = bearer_of_session.session_hash
      AND sessions.expires_at > now()
      AND tokens.revoked_at IS NULL
      AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
$$;

CREATE FUNCTION public.bearer_of_token(token integer, secret_hash bytea) RETURNS TABLE(account integer, account_name text, token_name text, scopes text[], good_for interval, was_used_lately boolean, user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT accounts.id, accounts.name, tokens.name, tokens.scopes, tokens.expires_at - now(),
           coalesce(tokens.last_used_at > now() - interval '1 hour', false), tokens.user_id
    FROM tokens
    JOIN accounts ON accounts.id = tokens.account
    WHERE tokens.id = bearer_of_token.token
      AND tokens.hash = bearer_of_token.secret_hash
      AND tokens.revoked_at IS NULL
      AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
$$;

CREATE FUNCTION public.begin_session(token integer, secret_hash bytea, session_hash bytea, lasts interval) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM sessions WHERE expires_at <= now();
    INSERT INTO sessions (hash, token, expires_at)
    SELECT session_hash, tokens.id, least(now() + lasts, tokens.expires_at)
    FROM tokens
    WHERE tokens.id = begin_session.token
      AND tokens.hash = begin_session.secret_hash
      -- The pages show whole accounts. A token of one user is for a phone.
      AND tokens.user_id IS NULL
      AND tokens.revoked_at IS NULL
      AND (tokens.expires_at IS NULL OR tokens.expires_at > now());
    RETURN FOUND;
END
$$;

CREATE FUNCTION public.breaker_wait(trips integer) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN LEAST('00:05:00'::interval, ('00:00:05'::interval * power((2)::double precision, (LEAST(trips, 10))::double precision)));

CREATE FUNCTION public.careful_limit(refill double precision, per interval, burst double precision, pace real, grace interval, spread interval) RETURNS TABLE(capacity double precision, spacing double precision, gap double precision)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT greatest(1, burst - (late + wide) * rate),
           1 / (rate * pace) * CASE WHEN late + wide > slack AND wide > 0 THEN clock_creep() ELSE 1 END
               + greatest(0, late - slack),
           least(wide, greatest(0, late + wide - slack))
    FROM (
        SELECT refill / extract(epoch FROM per)::double precision AS rate,
               (burst - 1) / refill * extract(epoch FROM per)::double precision AS slack,
               extract(epoch FROM grace)::double precision AS late,
               extract(epoch FROM spread)::double precision AS wide
    ) AS seconds
$$;

CREATE FUNCTION public.claim_jobs(lane_name text, worker_id integer, room integer, hint text DEFAULT NULL::text, lead interval DEFAULT '00:00:00'::interval, uncertainty interval DEFAULT '00:00:00'::interval, steady boolean DEFAULT false, known_epoch integer DEFAULT NULL::integer, earliest timestamp with time zone DEFAULT NULL::timestamp with time zone, latest timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(job bigint, lease bigint, failures smallint, subjects bigint[], starts_at timestamp with time zone, void_at timestamp with time zone, told_at timestamp with time zone, call_limit interval, obstacle text, look_at timestamp with time zone, next_hint text, due_at timestamp with time zone, trace text)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    horizon CONSTANT double precision := slot_horizon(uncertainty);
    -- A lead beyond the horizon would leave no slot.
    lead_seconds CONSTANT double precision := least(greatest(extract(epoch FROM lead), 0), horizon / 2);
    the_lane lanes%ROWTYPE;
    is_quiet boolean;
    is_limited boolean;
    new_lease bigint;
    most integer := room;
    permitted integer;
    the_spread interval;
    the_limits record;
    the_slots record;
    picks tid[] := '{}';
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    is_limited := EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id);
    IF is_limited OR the_lane.calls_at_once IS NOT NULL OR the_lane.faults >= the_lane.breaker_after THEN
        -- One claim at a time, until commit. Lanes without limits take no lock.
        SELECT * INTO the_lane FROM lanes WHERE id = the_lane.id FOR NO KEY UPDATE;
    END IF;
    -- Not now(), which is the start of the transaction: waiting for the lock may have taken a while.
    told_at := clock_timestamp();
    uncertainty := coalesce(greatest(uncertainty, '0'), '0');
    call_limit := the_lane.call_limit;

    SELECT quiet INTO is_quiet FROM workers WHERE id = worker_id;
    obstacle := CASE
        WHEN is_quiet IS NULL THEN 'struck off'
        WHEN is_quiet THEN 'quiet'
        -- Not told_at: the statement may have waited for the lock.
        WHEN statement_timestamp() NOT BETWEEN earliest AND latest
            OR known_epoch <> (SELECT epoch FROM server_clock WHERE only_row) THEN 'clock'
        WHEN the_lane.paused_at IS NOT NULL THEN 'paused'
        WHEN the_lane.blocked_until > told_at THEN 'blocked'
        WHEN is_limited AND uncertainty > most_uncertainty() THEN 'too far'
    END;
    IF obstacle IS NOT NULL THEN
        look_at := CASE obstacle WHEN 'blocked' THEN the_lane.blocked_until END;
        RETURN NEXT;
        RETURN;
    END IF;

    most := free_places(
        the_lane.id, worker_id, room, the_lane.calls_per_worker,
        CASE WHEN the_lane.faults >= the_lane.breaker_after THEN 1 ELSE the_lane.calls_at_once END);
    IF most <= 0 THEN
        obstacle := 'full';
        RETURN NEXT;
        RETURN;
    END IF;

    permitted := most;
    IF is_limited THEN
        the_spread := greatest(the_lane.spread, the_lane.spread_before);
        IF uncertainty > the_lane.spread OR the_spread > '0' AND told_at >= the_lane.spread_since + spread_period() THEN
            the_spread := note_spread(the_lane, uncertainty, told_at);
        END IF;
        the_limits := lane_limits(
            the_lane.id, CASE WHEN steady THEN worker_id END, told_at, the_lane.pace, the_lane.grace, the_spread,
            lead_seconds, horizon);
        -- The limits may have been removed before the lane was locked.
        is_limited := the_limits.fulls IS NOT NULL;
    END IF;
    IF is_limited THEN
        the_slots := slots(
            the_limits.fulls, the_limits.capacities, the_limits.spacings, CASE WHEN the_limits.wait > 0 THEN 0 ELSE most END,
            lead_seconds, horizon);
        permitted := cardinality(the_slots.starts);
        IF permitted = 0 THEN
            obstacle := 'tokens';
            look_at := told_at + make_interval(secs => greatest(the_limits.wait, the_slots.next - horizon));
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;

    IF the_lane.wary_until > told_at THEN
        picks := fresh_jobs(the_lane.id, told_at, permitted);
        hint := NULL;
    END IF;
    IF cardinality(picks) < permitted THEN picks := oldest_jobs(the_lane.id, told_at, permitted, hint, picks); END IF;

    IF cardinality(picks) > 0 THEN
        new_lease := nextval('leases');
        SELECT concat_ws(' ', priority, id, to_char(run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        INTO next_hint FROM jobs WHERE ctid = picks[1] AND the_lane.wary_until <= told_at;
        IF is_limited THEN
            IF cardinality(picks) < permitted THEN
                -- Only claimed jobs cost tokens.
                the_slots := slots(
                    the_limits.fulls, the_limits.capacities, the_limits.spacings, cardinality(picks), lead_seconds, horizon);
            END IF;
            UPDATE token_buckets
            -- make_interval rounds to microseconds. The added microsecond keeps it from rounding down.
            SET full_at = told_at + make_interval(secs => charged.full_in) + interval '1 microsecond',
                worker = worker_id,
                -- Set only if the worker sent its bounds: then the check above has compared them with this clock.
                charged_at = CASE WHEN known_epoch IS NULL OR latest IS NULL THEN charged_at ELSE told_at END
            FROM unnest(the_limits.pers, the_slots.fulls) AS charged (per, full_in)
            WHERE lane = the_lane.id AND token_buckets.per = charged.per;
            RETURN QUERY
                UPDATE jobs
                SET worker = worker_id,
                    lease = new_lease,
                    starts_at = told_at + make_interval(secs => the_slots.starts[array_position(picks, jobs.ctid)])
                WHERE ctid = ANY (picks)
                RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at,
                          jobs.starts_at + the_lane.grace + uncertainty, NULL::timestamptz, NULL::interval,
                          NULL::text, NULL::timestamptz, NULL::text, jobs.run_at, jobs.trace;
        ELSE
            RETURN QUERY
                UPDATE jobs
                SET worker = worker_id, lease = new_lease, starts_at = told_at
                WHERE ctid = ANY (picks)
                RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at, NULL::timestamptz,
                          NULL::timestamptz, NULL::interval, NULL::text, NULL::timestamptz, NULL::text, jobs.run_at,
                          jobs.trace;
        END IF;
    END IF;

    IF cardinality(picks) < room THEN
        IF cardinality(picks) = most THEN
            obstacle := 'full';
        ELSIF cardinality(picks) = permitted THEN
            obstacle := 'tokens';
            look_at := told_at + make_interval(secs => the_slots.next - horizon);
        ELSE
            look_at := next_run_at(the_lane.id, told_at);
            obstacle := CASE WHEN look_at IS NULL THEN 'empty' ELSE 'scheduled' END;
        END IF;
    END IF;
    RETURN NEXT;
END
$$;

CREATE FUNCTION public.clock_creep() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (1.0005)::double precision;

CREATE FUNCTION public.count_backlog(lane_id smallint) RETURNS TABLE(ready bigint, later bigint, dead bigint, last_due timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    SELECT count(*) FILTER (WHERE run_at <= statement_timestamp()),
           count(*) FILTER (WHERE run_at > statement_timestamp()),
           (SELECT count(*) FROM dead_jobs WHERE lane = lane_id),
           max(run_at)
    FROM jobs
    WHERE lane = lane_id AND worker IS NULL
$$;

CREATE FUNCTION public.count_purgeable_answers(its_provider text, its_status public.geocode_status, age interval) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(*)
    FROM geocodes
    WHERE status <> 'waiting' AND pinned_at IS NULL
      AND (its_provider IS NULL OR provider = its_provider)
      AND (its_status IS NULL OR status = its_status)
      AND geocoded_at <= now() - age
      AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
$$;

CREATE FUNCTION public.current_account() RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('waypost.account'::text, true), ''::text))::integer;

CREATE FUNCTION public.decided_by_a_person(question bigint) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
    SELECT EXISTS (
        SELECT
        FROM geocodes
        WHERE id = question
          AND (pinned_at IS NOT NULL
               OR EXISTS (
                   SELECT
                   FROM decisions
                   WHERE geocode = question AND (after ->> 'geocoded_at')::timestamptz = geocodes.geocoded_at)))
$$;

CREATE FUNCTION public.default_chain() RETURNS integer
    LANGUAGE sql STABLE
    AS $$ SELECT id FROM chains WHERE name = 'default' AND is_current $$;

CREATE FUNCTION public.drop_an_ended_shadow() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    DELETE FROM geocodes WHERE id = NEW.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.due_locations(lane_name text, jobs bigint[], carried bigint[], most integer) RETURNS TABLE(job bigint, tracker integer, user_id text, piece integer, sign_in integer, id text, lat double precision, lng double precision, accuracy double precision, at double precision, wait_time double precision, removed boolean, changed_at double precision)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT given.job, trackers.id, trackers.user_id, trackers.piece, sign_in.id,
           location.id, location.lat, location.lng, location.accuracy,
           extract(epoch FROM location.at)::double precision, location.wait_time, location.removed,
           extract(epoch FROM location.changed_at)::double precision
    FROM (
        SELECT job, tracker::integer, count(*) OVER (PARTITION BY job) AS neighbours, place
        FROM unnest(due_locations.jobs, carried) WITH ORDINALITY AS given (job, tracker, place)
    ) AS given
    JOIN trackers ON trackers.id = given.tracker AND trackers.job = given.job AND trackers.is_on
    JOIN sinks ON sinks.id = trackers.sink
    JOIN lanes ON lanes.id = sinks.lane AND lanes.name = lane_name
    LEFT JOIN LATERAL (
        SELECT sign_ins.id
        FROM sign_ins
        WHERE sinks.signs_in AND sign_ins.sink = sinks.id
          AND (sign_ins.tracker = trackers.id OR sign_ins.tracker IS NULL)
        ORDER BY sign_ins.tracker NULLS LAST
        LIMIT 1
    ) AS sign_in ON true
    CROSS JOIN LATERAL (
        (
            SELECT *, row_number() OVER (ORDER BY at, id) AS number
            FROM pending_locations AS location
            WHERE NOT trackers.newest_first AND location.tracker = trackers.id AND NOT uploaded AND refusal IS NULL
            ORDER BY at, id
            LIMIT greatest(1, least(most, trackers.piece) / given.neighbours)
        )
        UNION ALL
        (
            SELECT *, row_number() OVER (ORDER BY at DESC, id DESC) AS number
            FROM pending_locations AS location
            WHERE trackers.newest_first AND location.tracker = trackers.id AND NOT uploaded AND refusal IS NULL
            ORDER BY at DESC, id DESC
            LIMIT greatest(1, least(most, trackers.piece) / given.neighbours)
        )
    ) AS location
    ORDER BY given.place, location.number;
END
$$;

CREATE FUNCTION public.end_session(session_hash bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    DELETE FROM sessions WHERE hash = end_session.session_hash
$$;

CREATE FUNCTION public.enqueue_lock() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 7229;

CREATE FUNCTION public.farthest_slot() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (4.0)::double precision;

CREATE FUNCTION public.faster_pace(pace real) RETURNS real
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (LEAST((1)::double precision, (pace + (0.05)::double precision)))::real;

CREATE FUNCTION public.finish_jobs(lane_name text, worker_id integer, jobs bigint[], leases bigint[], outcomes text[], started double precision[], took real[], pauses interval[], reasons text[], left_jobs bigint[] DEFAULT '{}'::bigint[], left_subjects bigint[] DEFAULT '{}'::bigint[], left_lanes text[] DEFAULT '{}'::text[], left_pauses interval[] DEFAULT '{}'::interval[], epochs integer[] DEFAULT '{}'::integer[]) RETURNS TABLE(job bigint, fate text, successor bigint, subjects bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    in_trouble boolean;
    faults_seen integer := 0;
    pause_seen interval;
    is_too_fast boolean := false;
    is_well boolean := false;
    follow_ups integer := 0;
    failure text;
    outcome text;
    pause interval;
    was_made boolean;
    is_own boolean;
    reason text;
    was_set boolean;
    unused integer;
    first_unused timestamptz;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    in_trouble := the_lane.faults >= the_lane.breaker_after
        OR coalesce(the_lane.blocked_until > clock_timestamp(), false);

    was_set := EXISTS (SELECT FROM clock_steps WHERE size <> '0');

    IF 'void' = ANY (outcomes) OR 'released' = ANY (outcomes) THEN
        -- Locked, so that the jobs still have this lease below.
        SELECT count(*), min(starts_at)
        INTO unused, first_unused
        FROM (
            SELECT starts_at
            FROM unnest(finish_jobs.jobs, leases, outcomes) AS mine (id, lease, outcome)
            JOIN jobs ON jobs.id = mine.id AND jobs.lease = mine.lease
            WHERE outcome IN ('void', 'released')
            FOR UPDATE OF jobs
        ) AS slots;
    END IF;

    IF cardinality(left_jobs) > 0 THEN
        RETURN QUERY SELECT * FROM queue_left_overs(
            lane_name, the_lane.most_failures, finish_jobs.jobs, leases, outcomes,
            left_jobs, left_subjects, left_lanes, left_pauses);
        follow_ups := (
            SELECT count(DISTINCT left_out.job)
            FROM unnest(left_jobs, left_lanes) AS left_out (job, lane)
            WHERE left_out.lane = lane_name);
    END IF;

    FOR job, fate, outcome, pause, was_made, is_own, reason IN
    WITH mine AS (
        SELECT id, lease, outcome,
               CASE WHEN was_set AND epoch IS NOT NULL THEN logged_moment(to_timestamp(started), epoch)
                    ELSE to_timestamp(started) END AS started_at,
               took, pause, reason
        FROM unnest(finish_jobs.jobs, leases, outcomes, started, took, pauses, reasons, epochs)
            AS report (id, lease, outcome, started, took, pause, reason, epoch)
    ), ended AS (
        DELETE FROM jobs
        USING mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('done', 'moved', 'failed')
               OR outcome = 'retry'
                  AND is_charged(history, the_lane.well_at, in_trouble)
                  AND failures + 1 >= the_lane.most_failures)
        RETURNING jobs.id, jobs.priority, jobs.failures, jobs.losses, jobs.subjects, jobs.history,
                  mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  outcome IN ('retry', 'failed') AS is_dead,
                  is_own_fault(jobs.history, the_lane.well_at) AS is_own
    ), kept AS (
        UPDATE jobs
        SET worker = NULL,
            lease = NULL,
            starts_at = NULL,
            run_at = CASE outcome
                WHEN 'retry' THEN clock_timestamp()
                    + retry_wait(failures, the_lane.first_retry, the_lane.longest_retry, pause)
                WHEN 'snoozed' THEN clock_timestamp() + pause
                ELSE run_at
            END,
            failures = failures + CASE
                WHEN outcome = 'retry' AND is_charged(history, the_lane.well_at, in_trouble) THEN 1 ELSE 0 END,
            history = CASE outcome
                WHEN 'retry' THEN coalesce(history, '[]') || jsonb_build_object(
                    'at', clock_timestamp(), 'worker', worker_id, 'reason', reason, 'started', started_at, 'took', took)
                ELSE history
            END
        FROM mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('snoozed', 'rate', 'quota', 'released', 'void')
               OR outcome = 'retry'
                  AND (failures + 1 < the_lane.most_failures
                       OR NOT is_charged(history, the_lane.well_at, in_trouble)))
        -- The history already contains this failure.
        RETURNING jobs.id, jobs.subjects, mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  is_own_fault(jobs.history - -1, the_lane.well_at) AS is_own
    ), buried AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)
        SELECT id, the_lane.id, priority, failures + 1, losses, subjects, coalesce(reason, 'it gave no reason'),
               coalesce(history, '[]') || jsonb_build_object(
                   'at', clock_timestamp(), 'worker', worker_id, 'reason', reason, 'started', started_at, 'took', took)
        FROM ended
        WHERE is_dead
    ), known AS (
        SELECT id, outcome, started_at, took, subjects, reason FROM ended
        UNION ALL
        SELECT id, outcome, started_at, took, subjects, reason FROM kept
    ), logged AS (
        INSERT INTO calls (started_at, took, lane, worker, subjects, outcome, job, reason)
        SELECT started_at, took, the_lane.id, worker_id, cardinality(subjects), outcome::call_outcome, id, reason
        FROM known
        WHERE started_at IS NOT NULL AND outcome NOT IN ('released', 'void')
    ), counted AS (
        INSERT INTO throughput AS t (
            minute, lane, worker, calls, subjects, retries, retried, limited, failed, voided, late, follow_ups)
        SELECT date_trunc('minute', now()), the_lane.id, worker_id,
               count(known.started_at) FILTER (WHERE outcome NOT IN ('released', 'void')),
               coalesce(sum(cardinality(subjects)) FILTER (WHERE outcome IN ('done', 'moved', 'failed')), 0),
               count(*) FILTER (WHERE outcome IN ('retry', 'rate', 'quota')),
               count(known.started_at) FILTER (WHERE outcome = 'retry'),
               count(known.started_at) FILTER (WHERE outcome IN ('rate', 'quota')),
               count(known.started_at) FILTER (WHERE outcome = 'failed'),
               count(*) FILTER (WHERE outcome = 'void'),
               cardinality(finish_jobs.jobs) - count(*),
               follow_ups
        FROM known
        ON CONFLICT (minute, lane, worker) DO UPDATE
        SET calls = t.calls + excluded.calls,
            subjects = t.subjects + excluded.subjects,
            retries = t.retries + excluded.retries,
            retried = t.retried + excluded.retried,
            limited = t.limited + excluded.limited,
            failed = t.failed + excluded.failed,
            voided = t.voided + excluded.voided,
            late = t.late + excluded.late,
            follow_ups = t.follow_ups + excluded.follow_ups
    )
    SELECT id, CASE WHEN is_dead THEN 'dead' ELSE 'ended' END, outcome, pause, started_at IS NOT NULL, is_own, reason FROM ended
    UNION ALL
    SELECT id, 'kept', outcome, pause, started_at IS NOT NULL, is_own, reason FROM kept
    LOOP
        RETURN NEXT;
        IF outcome IN ('retry', 'failed') THEN failure := coalesce(reason, 'it gave no reason'); END IF;
        CASE
            WHEN outcome = 'retry' THEN faults_seen := faults_seen + CASE WHEN is_own THEN 0 ELSE 1 END;
            WHEN outcome IN ('rate', 'quota') THEN
                pause_seen := greatest(pause_seen, pause);
                is_too_fast := is_too_fast OR outcome = 'rate';
            ELSE is_well := is_well OR was_made AND outcome <> 'void';
        END CASE;
    END LOOP;

    -- Update the state of the lane. A healthy lane, the usual case, is not written.
    IF faults_seen > 0 OR failure IS NOT NULL OR pause_seen IS NOT NULL
        OR is_well AND (the_lane.faults > 0 OR the_lane.trips > 0 OR the_lane.wary_until > clock_timestamp())
    THEN
        PERFORM heed_calls(the_lane.id, faults_seen, is_well, pause_seen, is_too_fast, failure);
    END IF;
    IF unused > 0 AND EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id) THEN
        IF return_tokens(the_lane.id, unused, first_unused) AND 'released' = ANY (outcomes) THEN
            -- Other workers may be waiting for slots after the returned ones.
            PERFORM pg_notify('waypost_jobs', lane_name);
        END IF;
    END IF;
    PERFORM pg_notify('waypost_jobs', name) FROM unnest(left_lanes) AS name WHERE name IS NOT NULL GROUP BY name;
END
$$;

CREATE FUNCTION public.finish_uploads(jobs bigint[], carried bigint[], pieces integer[], stored boolean[], sent_trackers integer[], sent_times double precision[], sent_ids text[], sent_waits double precision[], sent_removals boolean[], refused_trackers integer[], refused_times double precision[], refused_ids text[], reasons text[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    -- The trackers that still have this job. Another tracker may have a new sink, which does not have what was sent.
    own integer[];
    free integer[];
BEGIN
    -- Locked in the same order as by writers of fixes, so that no deadlock can occur.
    PERFORM FROM trackers WHERE id = ANY (carried) ORDER BY id FOR UPDATE;
    own := ARRAY(
        SELECT trackers.id
        FROM unnest(finish_uploads.jobs, carried) AS given (job, tracker)
        JOIN trackers ON trackers.id = given.tracker AND trackers.job = given.job);

    UPDATE pending_locations AS location
    SET uploaded = true
    FROM unnest(sent_trackers, sent_times, sent_ids, sent_waits, sent_removals) AS sent (tracker, time, id, wait_time, removed)
    WHERE NOT sent.removed AND sent.tracker = ANY (own) AND location.tracker = sent.tracker AND location.at = to_timestamp(sent.time)
      AND location.id = sent.id AND location.wait_time = sent.wait_time AND NOT location.removed;

    DELETE FROM pending_locations AS location
    USING unnest(sent_trackers, sent_times, sent_ids, sent_removals) AS sent (tracker, time, id, removed)
    WHERE sent.removed AND sent.tracker = ANY (own) AND location.tracker = sent.tracker AND location.at = to_timestamp(sent.time)
      AND location.id = sent.id AND location.removed;

    IF refused_trackers <> '{}' THEN
        UPDATE pending_locations AS location
        SET refusal = reason
        FROM unnest(refused_trackers, refused_times, refused_ids, reasons) AS refused (tracker, time, id, reason)
        WHERE refused.tracker = ANY (own) AND location.tracker = refused.tracker
          AND location.at = to_timestamp(refused.time) AND location.id = refused.id AND NOT location.uploaded;
    END IF;

    WITH freed AS (
        UPDATE trackers
        SET job = NULL,
            piece = given.piece,
            uploaded_at = CASE WHEN given.stored THEN now() ELSE uploaded_at END
        FROM unnest(finish_uploads.jobs, carried, pieces, finish_uploads.stored) AS given (job, tracker, piece, stored)
        WHERE trackers.id = given.tracker AND trackers.job = given.job
        RETURNING trackers.id
    )
    SELECT array_agg(id) INTO free FROM freed;
    PERFORM queue_uploads(free);
END
$$;

CREATE FUNCTION public.forget_acts(kept interval, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    number bigint;
BEGIN
    IF kept < interval '30 days' THEN
        RAISE EXCEPTION 'acts are kept for at least 30 days' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM audit_log
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE at < now() - kept ORDER BY at LIMIT most));
    GET DIAGNOSTICS number = ROW_COUNT;
    RETURN number;
END
$$;

CREATE FUNCTION public.forget_decisions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM decisions USING gone WHERE decisions.geocode = gone.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.forget_the_hash_of_a_changed_address() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.hash := NULL;
    NEW.country_code := NULL;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.free_places(lane_id smallint, worker_id integer, room integer, calls_per_worker integer, calls_at_once integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF calls_per_worker IS NOT NULL THEN
        room := least(room, calls_per_worker - (
            SELECT count(*) FROM jobs WHERE lane = lane_id AND worker = worker_id));
    END IF;
    IF calls_at_once IS NOT NULL THEN
        room := least(room, calls_at_once - (
            SELECT count(*) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL));
    END IF;
    RETURN room;
END
$$;

CREATE FUNCTION public.fresh_job_at(share double precision, lane_id smallint, the_priority integer, moment timestamp with time zone, OUT run_at timestamp with time zone, OUT id bigint) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    first_run_at timestamptz;
    first_id bigint;
    last_id bigint;
BEGIN
    SELECT run_at, id
    INTO first_run_at, first_id
    FROM jobs
    WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
    ORDER BY run_at, id
    LIMIT 1;
    SELECT run_at, id
    INTO fresh_job_at.run_at, last_id
    FROM jobs
    WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
    ORDER BY run_at DESC, id DESC
    LIMIT 1;
    -- Reads at most `probe_reach` rows, because jobs of other lanes may lie between.
    SELECT near.run_at, near.id
    INTO fresh_job_at.run_at, fresh_job_at.id
    FROM (
        SELECT *
        FROM jobs
        WHERE id >= least(first_id, last_id) + (share * abs(last_id - first_id))::bigint
        ORDER BY id
        LIMIT probe_reach()
    ) AS near
    WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND near.run_at <= moment AND history IS NULL
    ORDER BY near.id
    LIMIT 1;
    IF id IS NULL THEN
        run_at := first_run_at;
        id := first_id;
    END IF;
END
$$;

CREATE FUNCTION public.fresh_jobs(lane_id smallint, moment timestamp with time zone, most integer) RETURNS tid[]
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    is_probe boolean;
    -- How many of `most` are the newest jobs, and how many come from above the place of the probe.
    newest integer;
    above integer;
    place record;
    share double precision;
    picks tid[] := '{}';
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE id = lane_id;
    -- The first probe of each row takes the newest job, so it is not counted here.
    share := spread_share(the_lane.probes - the_lane.probes / probes_in_a_row(the_lane.breaker_after));
    is_probe := the_lane.faults >= the_lane.breaker_after;
    newest := CASE
        WHEN is_probe THEN (the_lane.probes % probes_in_a_row(the_lane.breaker_after) = 0)::integer
        -- Not after a failed call: a few newest jobs that fail one after another would open the breaker although the
        -- jobs near the probe succeed.
        WHEN most = 1 THEN (the_lane.faults = 0 AND random() < newest_share())::integer
        ELSE 1
    END;
    above := (most - newest + 1) / 2;
    SELECT the_lane.probed_run_at AS run_at, the_lane.probed_id AS id INTO place;
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= most;
        IF is_probe THEN
            SELECT * INTO place FROM fresh_job_at(share, lane_id, the_priority, moment);
        ELSIF most = 1 THEN
            -- Take the side whose next job is nearer.
            above := coalesce((
                SELECT id - place.id
                FROM jobs
                WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
                  AND (run_at, id) >= (place.run_at, place.id)
                ORDER BY run_at, id
                LIMIT 1
            ) <= coalesce((
                SELECT place.id - id
                FROM jobs
                WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
                  AND (run_at, id) < (place.run_at, place.id)
                ORDER BY run_at DESC, id DESC
                LIMIT 1
            ), 9223372036854775807), false)::integer;
        END IF;
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
            ORDER BY run_at DESC, id DESC
            LIMIT greatest(0, newest - cardinality(picks))
            FOR UPDATE SKIP LOCKED
        );
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
              AND ctid <> ALL (picks) AND (run_at, id) >= (place.run_at, place.id)
            ORDER BY run_at, id
            LIMIT greatest(0, least(above, most - cardinality(picks)))
            FOR UPDATE SKIP LOCKED
        );
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
              AND ctid <> ALL (picks) AND (run_at, id) < (place.run_at, place.id)
            ORDER BY run_at DESC, id DESC
            LIMIT most - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
              AND ctid <> ALL (picks)
            ORDER BY run_at DESC, id DESC
            LIMIT most - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
    END LOOP;
    IF most = 1 AND cardinality(picks) = 0 THEN
        picks := ARRAY (
            SELECT oldest.ctid
            FROM generate_series(0, 3) AS p,
            LATERAL (
                SELECT ctid, run_at
                FROM jobs
                WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at <= moment
                ORDER BY run_at, id
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            ) AS oldest
            ORDER BY oldest.run_at
            LIMIT 1
        );
    END IF;
    IF is_probe AND cardinality(picks) > 0 THEN
        -- A claim of a probe holds the lane's lock.
        UPDATE lanes
        SET probed_run_at = run_at, probed_id = jobs.id
        FROM jobs
        WHERE lanes.id = lane_id AND jobs.ctid = picks[1];
    END IF;
    RETURN picks;
END
$$;

CREATE FUNCTION public.friends_named(text text, by_change boolean, descending boolean, most integer, skipped bigint) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_bitmapscan TO 'on'
    SET enable_sort TO 'on'
    AS $_$
BEGIN
    RETURN QUERY EXECUTE format(
        'SELECT id FROM friends WHERE account = %s AND deleted_at IS NULL '
        'AND names_of_friend(name, first_name, last_name, nickname) LIKE %L '
        'ORDER BY %I %s, id %4$s LIMIT %s OFFSET %s',
        coalesce(current_account(), 0), '%' || replace(replace(replace(lower(text), '\', '\\'), '%', '\%'), '_', '\_') || '%',
        CASE WHEN by_change THEN 'updated_at' ELSE 'created_at' END, CASE WHEN descending THEN 'DESC' ELSE 'ASC' END,
        most, skipped);
END
$_$;

CREATE FUNCTION public.friends_were_added() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, count(*), count(*) FROM added WHERE deleted_at IS NULL GROUP BY 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.friends_were_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    gone bigint[];
    back bigint[];
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, sum(number), count(*)
    FROM (
        SELECT account, CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END AS number FROM changed
        UNION ALL
        SELECT account, CASE WHEN deleted_at IS NULL THEN -1 ELSE 0 END FROM former
    ) AS turned
    GROUP BY 1;
    gone := ARRAY(SELECT id FROM changed WHERE deleted_at IS NOT NULL EXCEPT SELECT id FROM former WHERE deleted_at IS NOT NULL);
    back := ARRAY(SELECT id FROM changed WHERE deleted_at IS NULL EXCEPT SELECT id FROM former WHERE deleted_at IS NULL);
    IF cardinality(gone) + cardinality(back) > 0 THEN
        INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
        SELECT owner, place_status, place_precision, place_is_weak, sum(number), count(*)
        FROM (SELECT unnest(gone) AS friend, -1 AS number UNION ALL SELECT unnest(back), 1) AS turned
        CROSS JOIN LATERAL (
            SELECT owner, place_status, place_precision, place_is_weak FROM addresses WHERE friend = turned.friend OFFSET 0
        ) AS own
        GROUP BY 1, 2, 3, 4;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.friends_were_removed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, -count(*), count(*) FROM removed WHERE deleted_at IS NULL GROUP BY 1;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.geocodes_were_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    ids bigint[] := ARRAY(
        SELECT id
        FROM (SELECT id, status, precision, is_weak, latitude, longitude FROM changed
              EXCEPT SELECT id, status, precision, is_weak, latitude, longitude FROM former) AS others);
BEGIN
    IF cardinality(ids) > 0 THEN PERFORM settle_geocodes(ids); END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.has_answer(question bigint, its_latitude double precision, its_longitude double precision, its_precision text, its_placemark jsonb, its_provider text, its_weakness boolean, its_end timestamp with time zone, its_lending boolean) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (
        SELECT
        FROM geocodes
        WHERE id = question AND status = 'located' AND pinned_at IS NULL
          AND (latitude, longitude, precision, placemark, provider, is_weak, expires_at, is_lent) IS NOT DISTINCT FROM
              (its_latitude, its_longitude, its_precision, its_placemark, its_provider, its_weakness, its_end, its_lending))
$$;

CREATE FUNCTION public.has_large_backlog(lane_id smallint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    -- The order is that of the index, and OFFSET stops at the first row beyond the limit.
    SELECT EXISTS (
               SELECT FROM (
                   SELECT FROM jobs
                   WHERE lane = lane_id AND worker IS NULL
                   ORDER BY lane, priority, run_at, id
                   OFFSET 5000 LIMIT 1
               ) AS beyond)
           OR EXISTS (
               SELECT FROM (SELECT FROM dead_jobs WHERE lane = lane_id ORDER BY lane OFFSET 5000 LIMIT 1) AS beyond)
$$;

CREATE FUNCTION public.heed_calls(lane_id smallint, faults_seen integer, is_well boolean, pause interval, is_too_fast boolean, failure text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    moment timestamptz;
    row_length integer;
    is_enough boolean;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    row_length := probes_in_a_row(the_lane.breaker_after);
    moment := clock_timestamp();
    IF failure IS NOT NULL THEN
        the_lane.failed_because := failure;
        the_lane.failed_at := moment;
    END IF;
    IF is_well THEN
        the_lane.faults := 0;
        the_lane.trips := 0;
        the_lane.denied_since := NULL;
        the_lane.well_at := moment;
    ELSIF faults_seen > 0 AND (the_lane.blocked_until IS NULL OR the_lane.blocked_until <= moment) THEN
        -- Faults during a block are ignored above: those calls had started before the breaker opened.
        IF the_lane.faults < the_lane.breaker_after THEN
            -- Soon after a successful probe, new faults lead to probes at once, without a block.
            is_enough := the_lane.faults + faults_seen >= the_lane.breaker_after AND the_lane.wary_until <= moment;
            -- The next probe is the first of a row.
            the_lane.probes := (the_lane.probes + row_length - 1) / row_length * row_length;
        ELSE
            the_lane.probes := the_lane.probes + faults_seen;
            is_enough := is_row_over(the_lane.trips, the_lane.probes, the_lane.breaker_after);
            the_lane.wary_until := greatest(the_lane.wary_until, moment + wary_time());
        END IF;
        the_lane.faults := the_lane.faults + faults_seen;
        IF is_enough THEN
            the_lane.blocked_until := moment + breaker_wait(the_lane.trips);
            the_lane.blocked_because := concat_ws(
                '; the last: ', CASE the_lane.faults WHEN 1 THEN 'a call failed' ELSE the_lane.faults || ' calls in a row failed' END,
                failure);
            the_lane.trips := the_lane.trips + 1;
            the_lane.wary_until := the_lane.blocked_until + wary_time();
        END IF;
    END IF;
    IF pause IS NOT NULL AND (the_lane.blocked_until IS NULL OR the_lane.blocked_until < moment + pause) THEN
        the_lane.blocked_until := moment + pause;
        the_lane.blocked_because := CASE WHEN is_too_fast THEN 'the provider asked for a pause'
                                         ELSE 'the provider''s quota is used up' END;
    END IF;
    UPDATE lanes
    SET faults = the_lane.faults, trips = the_lane.trips,
        blocked_until = the_lane.blocked_until, blocked_because = the_lane.blocked_because,
        well_at = the_lane.well_at, wary_until = the_lane.wary_until, probes = the_lane.probes,
        failed_because = the_lane.failed_because, failed_at = the_lane.failed_at, denied_since = the_lane.denied_since
    WHERE id = lane_id;
    IF is_too_fast AND may_slow_down(the_lane.pace_changed_at, moment) THEN
        PERFORM set_pace(lane_id, slower_pace(the_lane.pace));
    END IF;
    IF the_lane.blocked_until > moment THEN
        PERFORM pg_notify('waypost_lanes', the_lane.name);
    END IF;
END
$$;

CREATE FUNCTION public.horizon_widening() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (5.0)::double precision;

CREATE FUNCTION public.is_own_fault(history jsonb, well_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE(((((history -> '-1'::integer) ->> 'at'::text))::timestamp with time zone < well_at), false);

CREATE FUNCTION public.is_charged(history jsonb, well_at timestamp with time zone, in_trouble boolean) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((NOT in_trouble) OR public.is_own_fault(history, well_at));

CREATE FUNCTION public.is_near(metres double precision, radius double precision, accuracy1 double precision, accuracy2 double precision) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (metres <= (radius + LEAST(GREATEST(accuracy1, accuracy2, (0)::double precision), (500)::double precision)));

CREATE FUNCTION public.probes_in_a_row(breaker_after smallint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (2 * breaker_after);

CREATE FUNCTION public.is_row_over(trips integer, probes integer, breaker_after smallint) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((trips > 3) OR ((probes % public.probes_in_a_row(breaker_after)) = 0));

CREATE TABLE public.lanes (
    id smallint NOT NULL,
    name text NOT NULL,
    batch integer DEFAULT 1 NOT NULL,
    paused_at timestamp with time zone,
    blocked_until timestamp with time zone,
    blocked_because text,
    calls_at_once integer,
    calls_per_worker integer,
    grace interval DEFAULT '00:00:00.01'::interval NOT NULL,
    call_limit interval DEFAULT '00:01:00'::interval NOT NULL,
    most_failures smallint DEFAULT 5 NOT NULL,
    first_retry interval DEFAULT '00:00:01'::interval NOT NULL,
    longest_retry interval DEFAULT '00:05:00'::interval NOT NULL,
    breaker_after smallint DEFAULT 5 NOT NULL,
    faults integer DEFAULT 0 NOT NULL,
    trips integer DEFAULT 0 NOT NULL,
    pace real DEFAULT 1 NOT NULL,
    pace_changed_at timestamp with time zone,
    paused_because text,
    limits_changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attribution text DEFAULT ''::text NOT NULL,
    price_per_1000_calls numeric,
    currency text,
    spread interval DEFAULT '00:00:00'::interval NOT NULL,
    spread_before interval DEFAULT '00:00:00'::interval NOT NULL,
    spread_since timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    well_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    wary_until timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    probes integer DEFAULT 0 NOT NULL,
    probed_run_at timestamp with time zone,
    probed_id bigint,
    kind text DEFAULT 'geocoding'::text NOT NULL,
    buckets_converted_at timestamp with time zone,
    denied_since timestamp with time zone,
    failed_because text,
    failed_at timestamp with time zone,
    CONSTRAINT a_block_has_a_reason CHECK (((blocked_until IS NULL) = (blocked_because IS NULL))),
    CONSTRAINT a_breaker_opens_after_a_fault CHECK (((breaker_after >= 1) AND (faults >= 0) AND (trips >= 0))),
    CONSTRAINT a_call_carries_at_least_one_subject CHECK ((batch >= 1)),
    CONSTRAINT a_call_has_time CHECK ((call_limit > '00:00:00'::interval)),
    CONSTRAINT a_currency_is_three_capitals CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT a_failure_has_a_reason CHECK (((failed_because IS NULL) = (failed_at IS NULL))),
    CONSTRAINT a_job_is_tried_at_least_once CHECK ((most_failures >= 1)),
    CONSTRAINT a_lane_is_of_a_known_kind CHECK ((kind = ANY (ARRAY['geocoding'::text, 'upload'::text]))),
    CONSTRAINT a_price_is_an_amount_of_a_currency CHECK (((price_per_1000_calls IS NULL) = (currency IS NULL))),
    CONSTRAINT a_price_is_not_negative CHECK (((price_per_1000_calls >= (0)::numeric) AND (price_per_1000_calls < 'Infinity'::numeric))),
    CONSTRAINT caps_permit_something CHECK (((calls_at_once >= 1) AND (calls_per_worker >= 1))),
    CONSTRAINT grace_is_short CHECK (((grace >= '00:00:00'::interval) AND (grace <= '00:00:01'::interval))),
    CONSTRAINT pace_is_a_share CHECK (((pace >= (0.01)::double precision) AND (pace <= (1)::double precision))),
    CONSTRAINT retries_have_a_wait CHECK (((first_retry > '00:00:00'::interval) AND (longest_retry >= first_retry)))
)
WITH (fillfactor='50');

CREATE TABLE public.token_buckets (
    lane smallint NOT NULL,
    per interval NOT NULL,
    refill double precision NOT NULL,
    capacity double precision NOT NULL,
    full_at timestamp with time zone DEFAULT now() NOT NULL,
    worker integer,
    charged_at timestamp with time zone,
    CONSTRAINT a_bucket_fills CHECK (((refill > (0)::double precision) AND (per > '00:00:00'::interval))),
    CONSTRAINT a_bucket_holds_a_token CHECK ((capacity >= (1)::double precision))
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE FUNCTION public.is_spared(plan jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM (jsonb_array_elements((is_spared.plan -> 'links'::text)) link(value)
              JOIN public.lanes ON ((lanes.name = (link.value ->> 'lane'::text))))
           WHERE ((lanes.batch = 1) OR (lanes.price_per_1000_calls > (0)::numeric) OR (EXISTS ( SELECT
                    FROM public.token_buckets
                   WHERE (token_buckets.lane = lanes.id)))))) AS "exists";
END;

CREATE FUNCTION public.is_too_fast(metres double precision, seconds double precision, radius double precision, top_speed double precision, accuracy1 double precision, accuracy2 double precision) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((seconds < (300)::double precision) AND (((metres - LEAST((COALESCE(accuracy1, (0)::double precision) + COALESCE(accuracy2, (0)::double precision)), (500)::double precision)) - radius) > (top_speed * GREATEST(seconds, (0)::double precision))));

CREATE FUNCTION public.keep_call_partitions(ahead integer, kept interval) RETURNS TABLE(partition text, happened text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    day date;
    name text;
    begins timestamptz;
    ends timestamptz;
BEGIN
    IF kept < interval '2 days' OR ahead > 31 THEN
        RAISE EXCEPTION 'calls are kept for at least 2 days, and partitions made for at most 31 days ahead'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Rows of a new partition's day are moved out of the default partition. A call inserted there meanwhile would make
    -- ATTACH fail.
    LOCK TABLE calls_default IN ACCESS EXCLUSIVE MODE;
    FOR day IN SELECT today + n FROM generate_series(-1, ahead) AS n LOOP
        name := 'calls_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        begins := day::timestamp AT TIME ZONE 'UTC';
        ends := (day + 1)::timestamp AT TIME ZONE 'UTC';
        EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
        EXECUTE format(
            'WITH moved AS (DELETE FROM calls_default WHERE started_at >= %L AND started_at < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved', begins, ends, name);
        -- Attaching, unlike PARTITION OF, does not block writers of the other days.
        EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, begins, ends);
        partition := name;
        happened := 'made';
        RETURN NEXT;
    END LOOP;
    FOR name IN
        SELECT relname
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'calls'::regclass AND relname ~ '^calls_\d{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') + 1 <= (now() - kept) AT TIME ZONE 'UTC'
    LOOP
        EXECUTE format('DROP TABLE %I', name);
        partition := name;
        happened := 'dropped';
        RETURN NEXT;
    END LOOP;
    DELETE FROM calls_default WHERE started_at < now() - kept;
END
$_$;

CREATE FUNCTION public.keep_location_partitions(ahead integer, kept interval) RETURNS TABLE(partition text, happened text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
    parent text;
    day date;
    name text;
    begins timestamptz;
    ends timestamptz;
    oldest timestamptz := date_trunc('day', now() - kept, 'UTC');
    is_empty boolean;
    -- At most this many locations in one transaction, because its locks stop the phones of these users.
    most CONSTANT integer := 5000;
    deleted_locations integer;
BEGIN
    IF kept < interval '1 day' OR ahead > 31 THEN
        RAISE EXCEPTION 'locations are kept for at least 1 day, and partitions made for at most 31 days ahead'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Attaching a partition needs the default partition to be unused. Writers lock both tables, fixes first. A writer
    -- that holds one table while we hold the other would deadlock with us. So all writers wait for the lock on fixes,
    -- for a moment.
    IF EXISTS (
        SELECT FROM generate_series(-1, ahead) AS n
        WHERE to_regclass('fixes_' || to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD')) IS NULL
           OR to_regclass('pending_locations_' || to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD')) IS NULL)
    THEN
        LOCK TABLE fixes IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE pending_locations IN SHARE ROW EXCLUSIVE MODE;
    END IF;

    FOREACH parent IN ARRAY ARRAY['fixes', 'pending_locations'] LOOP
        FOR day IN SELECT (now() AT TIME ZONE 'UTC')::date + n FROM generate_series(-1, ahead) AS n LOOP
            name := parent || '_' || to_char(day, 'YYYYMMDD');
            CONTINUE WHEN to_regclass(name) IS NOT NULL;
            begins := day::timestamp AT TIME ZONE 'UTC';
            ends := (day + 1)::timestamp AT TIME ZONE 'UTC';
            EXECUTE format(
                'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES) WITH (fillfactor = 80)',
                name, parent);
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
            EXECUTE format(
                'WITH moved AS (DELETE FROM %I WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
                parent || '_default', begins, ends, name);
            -- Attaching, unlike PARTITION OF, does not block readers of other days.
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, begins, ends);
            partition := name;
            happened := 'made';
            RETURN NEXT;
        END LOOP;
    END LOOP;

    -- The newest location of a tracker stays, because the next fix may extend it. The fixes of a location are those up
    -- to the next one.
    WITH old AS MATERIALIZED (
        SELECT location.tracker, location.at, location.id
        FROM pending_locations AS location
        JOIN trackers ON trackers.id = location.tracker
        WHERE location.at < oldest AND location.uploaded AND NOT location.removed
          AND (location.at, location.id) < (trackers.start_at, trackers.start_id)
        LIMIT most
        -- Writers for one of these users lock the tracker first, too. A tracker that is locked is left for the next
        -- call.
        FOR UPDATE OF trackers SKIP LOCKED
    ), gone AS (
        DELETE FROM pending_locations AS location
        USING old
        WHERE location.tracker = old.tracker AND location.at = old.at AND location.id = old.id
        RETURNING location.tracker, location.at, location.id
    ), spans AS (
        SELECT gone.tracker, gone.at, gone.id, next.at AS next_at, next.id AS next_id
        FROM gone
        CROSS JOIN LATERAL (
            SELECT at, id
            FROM pending_locations AS location
            WHERE location.tracker = gone.tracker AND NOT removed
              AND location.at >= gone.at AND (location.at, location.id) > (gone.at, gone.id)
            ORDER BY at, id
            LIMIT 1
        ) AS next
    ), deleted AS (
        DELETE FROM fixes
        USING spans
        WHERE fixes.tracker = spans.tracker AND fixes.at BETWEEN spans.at AND spans.next_at
          AND (fixes.at, fixes.id) >= (spans.at, spans.id) AND (fixes.at, fixes.id) < (spans.next_at, spans.next_id)
    )
    SELECT count(*) INTO deleted_locations FROM gone;
    IF deleted_locations = most THEN
        partition := 'pending_locations';
        happened := 'more';
        RETURN NEXT;
        RETURN;
    END IF;

    FOR parent, name IN
        SELECT inhparent::regclass::text, relname
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent IN ('fixes'::regclass, 'pending_locations'::regclass) AND relname ~ '_\d{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') + 1 <= oldest AT TIME ZONE 'UTC'
        ORDER BY relname
    LOOP
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', name) INTO is_empty;
        CONTINUE WHEN NOT is_empty;
        -- Lock the parent first, as writers do. A writer may have inserted a row since the first look.
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', name) INTO is_empty;
        CONTINUE WHEN NOT is_empty;
        EXECUTE format('DROP TABLE %I', name);
        partition := name;
        happened := 'dropped';
        RETURN NEXT;
    END LOOP;
END
$_$;

CREATE FUNCTION public.lane_limits(lane_id smallint, steady_worker integer, moment timestamp with time zone, pace real, grace interval, spread interval, lead double precision, horizon double precision, OUT fulls double precision[], OUT capacities double precision[], OUT spacings double precision[], OUT pers interval[], OUT wait double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    SELECT array_agg(least(greatest(missing + gap, 0), farthest_slot() + capacity * spacing + gap) ORDER BY per),
           array_agg(careful ORDER BY per), array_agg(spacing ORDER BY per), array_agg(per ORDER BY per),
           max(CASE WHEN gap > 0 THEN missing + gap - greatest(lead, horizon - least(20 * gap, 0.75 * horizon)) END)
    INTO fulls, capacities, spacings, pers, wait
    FROM (
        SELECT per, token_buckets.capacity, limits.capacity AS careful, limits.spacing,
               extract(epoch FROM full_at - moment)::double precision AS missing,
               CASE WHEN worker = steady_worker THEN 0 ELSE limits.gap END AS gap
        FROM token_buckets,
        LATERAL careful_limit(refill, per, token_buckets.capacity, pace, grace, spread) AS limits
        WHERE lane = lane_id
    ) AS bucket;
END
$$;

CREATE FUNCTION public.last_promise(lane_id smallint) RETURNS timestamp with time zone
    LANGUAGE sql
    AS $$
    SELECT greatest(clock_timestamp(), max(starts_at)) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL
$$;

CREATE TABLE public.addresses (
    id bigint NOT NULL,
    friend bigint NOT NULL,
    "position" smallint NOT NULL,
    label text DEFAULT ''::text NOT NULL,
    street text DEFAULT ''::text NOT NULL,
    city text DEFAULT ''::text NOT NULL,
    region text DEFAULT ''::text NOT NULL,
    postcode text DEFAULT ''::text NOT NULL,
    country text DEFAULT ''::text NOT NULL,
    hash bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    country_code text,
    owner integer NOT NULL,
    place_status text DEFAULT 'waiting'::text NOT NULL,
    place_precision text,
    place_is_weak boolean DEFAULT false NOT NULL,
    map_key bigint,
    changed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    CONSTRAINT a_country_code_is_two_capitals CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT an_address_says_where CHECK ((concat(street, city, country) ~ '[^[:space:]]'::text))
);

CREATE TABLE public.friends (
    id bigint NOT NULL,
    account integer NOT NULL,
    source_key text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    feed text DEFAULT ''::text NOT NULL,
    first_name text DEFAULT ''::text NOT NULL,
    last_name text DEFAULT ''::text NOT NULL,
    nickname text DEFAULT ''::text NOT NULL,
    deleted_at timestamp with time zone,
    changed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL
);

CREATE FUNCTION public.latest_change(the_account integer) RETURNS bigint
    LANGUAGE sql STABLE
    SET enable_seqscan TO 'off'
    RETURN GREATEST((SELECT friends.changed_in FROM public.friends WHERE ((friends.account = latest_change.the_account) AND (friends.changed_in < ((pg_snapshot_xmin(pg_current_snapshot()))::text)::bigint)) ORDER BY friends.changed_in DESC, friends.id DESC LIMIT 1), (SELECT addresses.changed_in FROM public.addresses WHERE ((addresses.owner = latest_change.the_account) AND (addresses.changed_in < ((pg_snapshot_xmin(pg_current_snapshot()))::text)::bigint)) ORDER BY addresses.changed_in DESC, addresses.friend DESC LIMIT 1));

CREATE FUNCTION public.least_horizon() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (2.0)::double precision;

CREATE FUNCTION public.logged_moment(moment timestamp with time zone, known_epoch integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    step record;
BEGIN
    FOR step IN SELECT noticed_at, size FROM clock_steps WHERE epoch <= known_epoch ORDER BY epoch DESC LOOP
        -- The call was sent after the step was noticed.
        EXIT WHEN moment >= step.noticed_at;
        moment := moment - step.size;
    END LOOP;
    FOR step IN SELECT noticed_at, size FROM clock_steps WHERE epoch > known_epoch ORDER BY epoch LOOP
        EXIT WHEN moment <= step.noticed_at - step.size;
        moment := moment + step.size;
    END LOOP;
    RETURN moment;
END
$$;

CREATE FUNCTION public.longest_fill(refill double precision, per interval, capacity double precision, pace real) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (make_interval(secs => (public.farthest_slot() + (2)::double precision)) + (((capacity / refill) * per) / (pace)::double precision));

CREATE FUNCTION public.longest_stray() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 300;

CREATE FUNCTION public.map_key(address bigint, latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
    east   bigint := least(floor((longitude + 180) / 360 * 536870912)::bigint, 536870911);
    north  bigint := least(floor((latitude + 90) / 180 * 536870912)::bigint, 536870911);
    lot    bigint := hashint8extended(address, 0) & 2047;
    level  bigint := 11;
BEGIN
    east := (east | (east << 16)) & 281470681808895;       -- 0x0000FFFF0000FFFF
    east := (east | (east << 8)) & 71777214294589695;      -- 0x00FF00FF00FF00FF
    east := (east | (east << 4)) & 1085102592571150095;    -- 0x0F0F0F0F0F0F0F0F
    east := (east | (east << 2)) & 3689348814741910323;    -- 0x3333333333333333
    east := (east | (east << 1)) & 6148914691236517205;    -- 0x5555555555555555
    north := (north | (north << 16)) & 281470681808895;
    north := (north | (north << 8)) & 71777214294589695;
    north := (north | (north << 4)) & 1085102592571150095;
    north := (north | (north << 2)) & 3689348814741910323;
    north := (north | (north << 1)) & 6148914691236517205;
    WHILE level > 0 AND lot & 1 = 0 LOOP
        level := level - 1;
        lot := lot >> 1;
    END LOOP;
    RETURN (level << 58) | (north << 1) | east;
END
$$;

CREATE FUNCTION public.may_slow_down(pace_changed_at timestamp with time zone, moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((pace_changed_at IS NULL) OR (pace_changed_at < (moment - '00:00:05'::interval)));

CREATE FUNCTION public.may_speed_up(pace_changed_at timestamp with time zone, moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((pace_changed_at IS NULL) OR (pace_changed_at <= (moment - '00:00:10'::interval)));

CREATE TABLE public.sign_ins (
    id integer NOT NULL,
    account integer NOT NULL,
    sink integer NOT NULL,
    tracker integer,
    sealed bytea NOT NULL,
    number integer DEFAULT 1 NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    may_renew boolean DEFAULT true NOT NULL,
    refusal text,
    renewed_by timestamp with time zone
);

CREATE FUNCTION public.may_upload(the_sink integer, the_tracker integer) RETURNS boolean
    LANGUAGE sql STABLE
    SET enable_seqscan TO 'off'
    RETURN (SELECT (sign_ins.refusal IS NULL) FROM public.sign_ins WHERE ((sign_ins.sink = may_upload.the_sink) AND ((sign_ins.tracker = may_upload.the_tracker) OR (sign_ins.tracker IS NULL))) ORDER BY sign_ins.tracker LIMIT 1);

CREATE FUNCTION public.metres_between(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((lat1 = lat2) AND (lng1 = lng2)) THEN (0)::double precision ELSE ((((2)::numeric * 6371008.8))::double precision * asin(LEAST((1)::double precision, sqrt(((sin((((lat2 - lat1) * (0.017453292519943295)::double precision) / (2)::double precision)) * sin((((lat2 - lat1) * (0.017453292519943295)::double precision) / (2)::double precision))) + (((cos((lat1 * (0.017453292519943295)::double precision)) * cos((lat2 * (0.017453292519943295)::double precision))) * sin((((lng2 - lng1) * (0.017453292519943295)::double precision) / (2)::double precision))) * sin((((lng2 - lng1) * (0.017453292519943295)::double precision) / (2)::double precision)))))))) END;

CREATE FUNCTION public.most_strays() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 2;

CREATE FUNCTION public.most_uncertainty() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '00:00:01'::interval;

CREATE FUNCTION public.most_unused_age() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '00:00:10'::interval;

CREATE FUNCTION public.names_of_friend(name text, first_name text, last_name text, nickname text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN lower((((name || CASE WHEN (strpos(name, first_name) > 0) THEN ''::text ELSE (' '::text || first_name) END) || CASE WHEN (strpos(name, last_name) > 0) THEN ''::text ELSE (' '::text || last_name) END) || CASE WHEN (strpos(name, nickname) > 0) THEN ''::text ELSE (' '::text || nickname) END));

CREATE FUNCTION public.newest_share() RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (0.2)::double precision;

CREATE FUNCTION public.next_run_at(lane_id smallint, moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN (
        SELECT min(soonest.run_at)
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT run_at
            FROM jobs
            WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at > moment
            ORDER BY run_at
            LIMIT 1
        ) AS soonest);
END
$$;

CREATE FUNCTION public.note_an_unqueued_geocode() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO unqueued_geocodes VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_an_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.updated_at := now();
    RETURN NEW;
END
$$;

CREATE FUNCTION public.note_backlogs() RETURNS integer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    the_lane smallint;
    began timestamptz;
    counted integer := 0;
BEGIN
    DELETE FROM backlogs WHERE NOT has_large_backlog(lane);
    FOR the_lane IN
        SELECT id
        FROM lanes
        WHERE has_large_backlog(id)
          AND NOT EXISTS (
              SELECT FROM backlogs
              WHERE lane = id AND counted_at BETWEEN clock_timestamp() - greatest('2 seconds', took * 20) AND clock_timestamp())
    LOOP
        began := clock_timestamp();
        INSERT INTO backlogs AS known (lane, counted_at, took, ready, later, dead, last_due)
        SELECT the_lane, began, clock_timestamp() - began, ready, later, dead, last_due
        FROM count_backlog(the_lane)
        ON CONFLICT (lane) DO UPDATE
        SET counted_at = excluded.counted_at, took = excluded.took, ready = excluded.ready, later = excluded.later,
            dead = excluded.dead, last_due = excluded.last_due;
        counted := counted + 1;
    END LOOP;
    RETURN counted;
END
$$;

CREATE FUNCTION public.note_friends_of_removed_addresses() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    UPDATE friends
    SET changed_in = pg_current_xact_id()::text::bigint
    WHERE id = ANY (ARRAY(SELECT DISTINCT friend FROM removed)) AND deleted_at IS NULL
      AND changed_in <> pg_current_xact_id()::text::bigint;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_purged_friends() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    UPDATE accounts
    SET purges = purges + 1, purged_in = greatest(purged_in, gone.number)
    FROM (
        -- A friend that was not soft-deleted before: no earlier reader has seen the deletion, so take this
        -- transaction's number.
        SELECT account, max(CASE WHEN deleted_at IS NULL THEN pg_current_xact_id()::text::bigint ELSE changed_in END) AS number
        FROM removed
        GROUP BY 1
    ) AS gone
    WHERE accounts.id = gone.account;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_slipped_calls(lane_name text, worker_id integer, slipped integer, started double precision[] DEFAULT '{}'::double precision[], took real[] DEFAULT '{}'::real[], subjects integer[] DEFAULT '{}'::integer[], outcomes text[] DEFAULT '{}'::text[], epochs integer[] DEFAULT '{}'::integer[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    -- Locks the lane before its buckets, in the order of a claim.
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name FOR NO KEY UPDATE;
    UPDATE token_buckets
    SET full_at = greatest(full_at, clock_timestamp()) + slipped * make_interval(secs => spacing)
    FROM (
        SELECT per AS of_per, spacing
        FROM token_buckets,
        LATERAL careful_limit(
            refill, per, capacity, the_lane.pace, the_lane.grace, greatest(the_lane.spread, the_lane.spread_before))
            AS careful
        WHERE lane = the_lane.id
    ) AS careful
    WHERE lane = the_lane.id AND per = of_per;
    INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
    SELECT coalesce(logged_moment(to_timestamp(call.started), call.epoch), to_timestamp(call.started)), call.took, the_lane.id, worker_id, call.subjects, call.outcome::call_outcome
    FROM unnest(started, took, subjects, outcomes, epochs) AS call (started, took, subjects, outcome, epoch);
    INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retried, limited, failed, slipped)
    SELECT date_trunc('minute', now()), the_lane.id, worker_id, cardinality(started), 0,
           count(*) FILTER (WHERE outcome = 'retry'),
           count(*) FILTER (WHERE outcome IN ('rate', 'quota')),
           count(*) FILTER (WHERE outcome = 'failed'),
           note_slipped_calls.slipped
    FROM unnest(outcomes) AS outcome
    ON CONFLICT (minute, lane, worker) DO UPDATE
    SET calls = t.calls + excluded.calls,
        retried = t.retried + excluded.retried,
        limited = t.limited + excluded.limited,
        failed = t.failed + excluded.failed,
        slipped = t.slipped + excluded.slipped;
END
$$;

CREATE FUNCTION public.note_spread(the_lane public.lanes, uncertainty interval, moment timestamp with time zone) RETURNS interval
    LANGUAGE plpgsql
    AS $$
DECLARE
    old_spread CONSTANT interval := greatest(the_lane.spread, the_lane.spread_before);
    age CONSTANT interval := moment - the_lane.spread_since;
BEGIN
    IF age >= spread_period() THEN
        -- The last period may have ended long ago.
        the_lane.spread_before := CASE WHEN age < 2 * spread_period() THEN the_lane.spread ELSE '0' END;
        the_lane.spread := uncertainty;
        the_lane.spread_since := moment;
    ELSE
        the_lane.spread := greatest(the_lane.spread, uncertainty);
    END IF;
    UPDATE lanes
    SET spread = the_lane.spread, spread_before = the_lane.spread_before, spread_since = the_lane.spread_since
    WHERE id = the_lane.id;
    IF greatest(the_lane.spread, the_lane.spread_before) < old_spread THEN
        UPDATE token_buckets
        SET full_at = full_at + (old_spread - greatest(the_lane.spread, the_lane.spread_before))
        WHERE lane = the_lane.id;
        UPDATE lanes SET buckets_converted_at = moment WHERE id = the_lane.id;
    END IF;
    RETURN greatest(the_lane.spread, the_lane.spread_before);
END
$$;

CREATE FUNCTION public.note_the_friend_of_a_moved_address() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    UPDATE friends SET changed_in = pg_current_xact_id()::text::bigint WHERE id = OLD.friend;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.note_the_owner_of_an_address() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    NEW.owner := (SELECT account FROM friends WHERE id = NEW.friend);
    RETURN NEW;
END
$$;

CREATE FUNCTION public.note_the_transaction() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.changed_in := pg_current_xact_id()::text::bigint;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.note_use_of_token(token integer, secret_hash bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE tokens SET last_used_at = now()
    WHERE id = note_use_of_token.token AND hash = note_use_of_token.secret_hash
      AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
$$;

CREATE FUNCTION public.oldest_due(lane_id smallint) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT min(oldest.run_at)
    FROM generate_series(0, 3) AS p,
    LATERAL (
        SELECT run_at
        FROM jobs
        WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at <= statement_timestamp()
        ORDER BY run_at
        LIMIT 1
    ) AS oldest
$$;

CREATE FUNCTION public.oldest_jobs(lane_id smallint, moment timestamp with time zone, most integer, hint text, picks tid[]) RETURNS tid[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    past_priority integer := split_part(hint, ' ', 1);
    past_id bigint := split_part(hint, ' ', 2);
    past_run_at timestamptz := split_part(hint, ' ', 3);
BEGIN
    -- A sub-select in an ARRAY: for a LIMIT that it can't see the planner assumes a tenth of the table, and would read
    -- all of it for a join. Row addresses leave it no choice.
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= most;
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id
              AND priority = the_priority
              AND worker IS NULL
              AND run_at <= moment
              AND ctid <> ALL (picks)
              AND (run_at, id) >= (
                  CASE WHEN past_priority = the_priority THEN past_run_at ELSE '-infinity' END,
                  CASE WHEN past_priority = the_priority THEN past_id ELSE 0 END)
            ORDER BY run_at, id
            LIMIT most - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
    END LOOP;
    RETURN picks;
END
$$;

CREATE FUNCTION public.past_moment(past timestamp with time zone, size interval, moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE
        -- A moment that was written after the step would otherwise be in the future.
        WHEN size > '0' THEN least(past + size, moment)
        WHEN past > moment THEN past + size
        ELSE past
    END
$$;

CREATE FUNCTION public.prepare_to_sleep(lane_name text, length interval DEFAULT '00:00:01.25'::interval) RETURNS text
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
    lane_id smallint;
    is_quiet boolean;
BEGIN
    SELECT id INTO lane_id FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    IF NOT EXISTS (SELECT FROM sleepers WHERE lane = lane_id AND until >= clock_timestamp() + length) THEN
        -- Made valid a little longer than needed, so that other workers can use it too.
        INSERT INTO sleepers VALUES (lane_id, clock_timestamp() + length + interval '250 milliseconds');
        RETURN 'again';
    END IF;
    -- The lock is held only while this expression runs, so that no enqueue waits for it.
    is_quiet := pg_try_advisory_lock(enqueue_lock(), lane_id) AND pg_advisory_unlock(enqueue_lock(), lane_id);
    IF EXISTS (
        SELECT
        FROM generate_series(0, 3) AS p,
        LATERAL (
            SELECT
            FROM jobs
            WHERE lane = lane_id AND priority = p AND worker IS NULL AND run_at <= clock_timestamp()
            LIMIT 1
        ) AS ready)
    THEN
        RETURN 'look';
    END IF;
    RETURN CASE WHEN is_quiet THEN 'sleep' ELSE 'busy' END;
END
$$;

CREATE FUNCTION public.probe_reach() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 1000;

CREATE FUNCTION public.purge_answers(its_provider text, its_status public.geocode_status, age interval, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH purged AS (
        DELETE FROM geocodes
        WHERE id = ANY (ARRAY(
            SELECT id
            FROM geocodes
            WHERE status <> 'waiting' AND pinned_at IS NULL
              AND (its_provider IS NULL OR provider = its_provider)
              AND (its_status IS NULL OR status = its_status)
              AND geocoded_at <= now() - age
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            ORDER BY id
            LIMIT most
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM purged
$$;

CREATE FUNCTION public.queue_jobs(lane_name text, new_subjects bigint[], new_priority smallint DEFAULT 1, not_before timestamp with time zone DEFAULT now()) RETURNS TABLE(job bigint, subjects bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    IF the_lane.batch = 1 THEN
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects, wakes)
            SELECT the_lane.id, new_priority, not_before, ARRAY[subject], nullif(place = 1 AND not_before <= now(), false)
            FROM unnest(new_subjects) WITH ORDINALITY AS new (subject, place)
            RETURNING id, subjects;
    ELSE
        RETURN QUERY
            INSERT INTO jobs (lane, priority, run_at, subjects, wakes)
            SELECT the_lane.id, new_priority, not_before,
                   new_subjects[first : least(first + the_lane.batch - 1, cardinality(new_subjects))],
                   nullif(first = 1 AND not_before <= now(), false)
            FROM generate_series(1, cardinality(new_subjects), the_lane.batch) AS first
            RETURNING id, subjects;
    END IF;
END
$$;

CREATE FUNCTION public.queue_left_overs(lane_name text, most_failures smallint, jobs bigint[], leases bigint[], outcomes text[], left_jobs bigint[], left_subjects bigint[], left_lanes text[], left_pauses interval[]) RETURNS TABLE(job bigint, fate text, successor bigint, subjects bigint[])
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH ending AS (
        -- Locked, so that the job still has this lease when it is deleted.
        SELECT jobs.id, jobs.lane, jobs.priority, jobs.run_at, jobs.failures, jobs.history, jobs.trace
        FROM unnest(queue_left_overs.jobs, leases, outcomes) AS mine (id, lease, outcome)
        JOIN jobs ON jobs.id = mine.id AND jobs.lease = mine.lease
        WHERE mine.outcome IN ('done', 'moved') AND mine.id = ANY (left_jobs)
        FOR UPDATE OF jobs
    ), left_over AS (
        SELECT ending.id AS job, ending.priority, ending.failures, ending.history, ending.trace, target.id AS lane, target.batch,
               left_out.subject, left_out.pause, left_out.lane IS NULL AS is_again,
               CASE WHEN left_out.lane IS NOT NULL AND target.id = ending.lane AND left_out.pause = '0' THEN ending.run_at
                    ELSE clock_timestamp() + left_out.pause END AS run_at,
               left_out.lane IS NULL AND ending.failures + 1 >= most_failures AS is_last,
               row_number() OVER (PARTITION BY ending.id, target.id, left_out.pause ORDER BY left_out.place) AS number
        FROM unnest(left_jobs, left_subjects, left_lanes, left_pauses)
            WITH ORDINALITY AS left_out (job, subject, lane, pause, place)
        JOIN ending ON ending.id = left_out.job
        -- The left join makes an unknown lane an error of the insert below. Otherwise the subject would be lost.
        LEFT JOIN lanes AS target ON target.name = coalesce(left_out.lane, lane_name)
    ), requeued AS (
        INSERT INTO jobs (id, lane, priority, run_at, failures, history, trace, subjects)
        OVERRIDING SYSTEM VALUE
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, min(run_at),
               CASE WHEN is_again THEN failures + 1 ELSE 0 END, history, trace, array_agg(subject ORDER BY number)
        FROM left_over
        WHERE NOT is_last
        GROUP BY job, lane, pause, priority, failures, history, trace, is_again, (number - 1) / batch
        RETURNING id, lane, subjects
    ), given_up AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, history, reason)
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, failures + 1, 0,
               array_agg(subject ORDER BY number), history, 'too many calls left it unanswered'
        FROM left_over
        WHERE is_last
        GROUP BY job, lane, priority, failures, history
        RETURNING id, lane, subjects
    )
    SELECT DISTINCT ON (made.id) left_over.job, made.fate, made.id, made.subjects
    FROM (SELECT *, 'left over' AS fate FROM requeued UNION ALL SELECT *, 'given up' FROM given_up) AS made
    JOIN left_over ON left_over.subject = ANY (made.subjects) AND left_over.lane = made.lane;
END
$$;

CREATE FUNCTION public.queue_reserved_jobs(lane_name text, new_jobs bigint[], new_subjects bigint[], new_priority smallint DEFAULT 1) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    the_lane lanes%ROWTYPE;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    IF the_lane.batch = 1 THEN
        INSERT INTO jobs (id, lane, priority, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, ARRAY[subject], nullif(place = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place);
    ELSE
        INSERT INTO jobs (id, lane, priority, subjects, wakes)
        OVERRIDING SYSTEM VALUE
        SELECT job, the_lane.id, new_priority, array_agg(subject ORDER BY place), nullif(min(place) = 1, false)
        FROM unnest(new_jobs, new_subjects) WITH ORDINALITY AS queued (job, subject, place)
        GROUP BY job;
    END IF;
END
$$;

CREATE FUNCTION public.queue_uploads(the_trackers integer[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    waiting record;
    job_id bigint;
    room integer;
    carried bigint[];
    rest bigint[];
BEGIN
    FOR waiting IN
        SELECT lanes.name, lanes.id AS lane, lanes.batch, max(due.at) AS due_at,
               array_agg(trackers.id::bigint ORDER BY trackers.id) AS ids
        FROM trackers
        JOIN sinks ON sinks.id = trackers.sink
        JOIN lanes ON lanes.id = sinks.lane
        CROSS JOIN LATERAL (SELECT greatest(now(), trackers.uploaded_at + sinks.pause) AS at) AS due
        WHERE trackers.id = ANY (the_trackers) AND trackers.is_on AND trackers.job IS NULL
          AND (NOT sinks.signs_in OR may_upload(sinks.id, trackers.id))
          AND EXISTS (
              SELECT FROM pending_locations AS location
              WHERE location.tracker = trackers.id AND NOT location.uploaded AND location.refusal IS NULL)
        GROUP BY lanes.id, lanes.name, lanes.batch, due.at > now()
    LOOP
        rest := waiting.ids;
        IF waiting.batch > 1 THEN
            SELECT id, waiting.batch - cardinality(subjects) INTO job_id, room
            FROM jobs
            WHERE lane = waiting.lane AND priority = 1 AND worker IS NULL AND failures = 0
            ORDER BY run_at DESC, id DESC
            LIMIT 1
            FOR UPDATE SKIP LOCKED;
            IF FOUND AND room > 0 THEN
                carried := rest[: room];
                rest := rest[room + 1 :];
                UPDATE jobs SET subjects = subjects || carried WHERE id = job_id;
                UPDATE trackers SET job = job_id WHERE id = ANY (carried);
            END IF;
        END IF;
        IF rest <> '{}' THEN
            UPDATE trackers
            SET job = queued.job
            FROM (
                SELECT job, unnest(subjects) AS tracker
                FROM queue_jobs(waiting.name, rest, 1::smallint, waiting.due_at)
            ) AS queued
            WHERE trackers.id = queued.tracker;
        END IF;
    END LOOP;
END
$$;

CREATE FUNCTION public.record_fixes(the_account integer, users text[], ids text[], times double precision[], lats double precision[], lngs double precision[], accuracies double precision[], waits double precision[]) RETURNS TABLE(place integer, outcome text)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    known trackers[];
    -- `stored` are the fixes that are new, or whose wait grew. `news` are those of one tracker, in their order.
    stored fixes[];
    news fixes[];
    the trackers;
    turn record;
    -- The walk reads `news`, or all stored fixes from (from_at, from_id) on. A walk for a late fix ends at the
    -- beginning of a location that has not changed.
    is_late boolean;
    reads_stored boolean;
    from_at timestamptz;
    from_id text;
    until_at timestamptz;
    until_id text;
    later CURSOR FOR
        SELECT *
        FROM fixes
        WHERE tracker = the.id AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
        ORDER BY at, id;
    n integer;
    fix fixes;
    is_end boolean;
    is_fast boolean;
    is_new boolean;
    -- The last believed fix.
    seen fixes;
    -- The first fix of the current location, with the wait time of the whole location; null before the first location.
    start fixes;
    -- `away` are the believed fixes since the last one at the location. `todo` are the fixes that are to be placed
    -- next.
    away fixes[];
    todo fixes[];
    one fixes;
    is_interrupted boolean;
    is_too_late boolean;
    -- The last fix at the current location, and the state of the walk at that fix. `was_at` and `was_id` are the
    -- settled fix before this call.
    settled fixes;
    settled_seen fixes;
    settled_start fixes;
    was_at timestamptz;
    was_id text;
    checked timestamptz;
    -- The locations of all trackers, each as its first fix. Those of the present tracker begin at `first_made`.
    made fixes[] := '{}';
    first_made integer;
    -- The fixes whose doubt changed, the fixes that are not kept, and the trackers whose newest location changed.
    turned fixes[] := '{}';
    refused fixes[] := '{}';
    moved trackers[] := '{}';
    to_upload integer[];
BEGIN
    SELECT array_agg(t) INTO known
    FROM (
        SELECT * FROM trackers WHERE account = the_account AND user_id = ANY (users) ORDER BY id FOR UPDATE
    ) AS t;

    WITH given AS (
        SELECT DISTINCT ON (t.id, time, fix.id)
               t.id AS tracker, to_timestamp(time) AS at, fix.id, lat, lng, accuracy, coalesce(wait, 0) AS wait_time
        FROM unnest(users, ids, times, lats, lngs, accuracies, waits) WITH ORDINALITY
            AS fix (user_id, id, time, lat, lng, accuracy, wait, number)
        JOIN unnest(known) AS t ON t.user_id = fix.user_id AND t.is_on AND to_timestamp(time) <@ t.on_times
        ORDER BY t.id, time, fix.id, coalesce(wait, 0) DESC, number
    ), taken AS (
        INSERT INTO fixes AS f (tracker, account, at, id, lat, lng, accuracy, wait_time)
        SELECT tracker, the_account, at, id, lat, lng, accuracy, wait_time FROM given
        ON CONFLICT (tracker, at, id) DO UPDATE SET wait_time = excluded.wait_time
            WHERE f.wait_time < excluded.wait_time
        RETURNING f
    )
    SELECT array_agg(f) INTO stored FROM taken;

    FOR turn IN
        SELECT t, array_agg(f ORDER BY f.at, f.id) AS news
        FROM unnest(stored) AS f
        JOIN unnest(known) AS t ON t.id = f.tracker
        GROUP BY t.id, t
    LOOP
        the := turn.t;
        news := turn.news;
        seen := NULL;
        start := NULL;
        away := '{}';
        settled := NULL;
        until_at := NULL;
        checked := NULL;
        n := 0;
        first_made := cardinality(made) + 1;
        was_at := the.settled_at;
        was_id := the.settled_id;
        is_late := coalesce((news[1].at, news[1].id) <= (was_at, was_id), false);
        reads_stored := is_late OR coalesce((was_at, was_id) < (the.newest_at, the.newest_id), false);
        IF is_late THEN
            -- Start two locations before the one that contains the first late fix. A fix may change where the next two
            -- locations begin, because three fixes decide about a beginning.
            SELECT at, id INTO from_at, from_id
            FROM (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = the.id AND NOT removed AND at <= news[1].at AND (at, id) <= (news[1].at, news[1].id)
                ORDER BY at DESC, id DESC
                LIMIT 3
            ) AS last_three
            ORDER BY at, id
            LIMIT 1;
            IF NOT FOUND THEN
                from_at := news[1].at;
                from_id := news[1].id;
            END IF;
        ELSIF the.start_at IS NOT NULL THEN
            -- Continue from the settled fix. The stored fixes after it are read again.
            from_at := was_at;
            from_id := was_id;
            start := ROW(the.id, the.start_at, the.start_id, the_account, the.start_lat, the.start_lng, the.start_accuracy,
                         the.wait_time, false);
            seen := ROW(the.id, the.seen_at, '', the_account, the.seen_lat, the.seen_lng, the.seen_accuracy, the.seen_wait, false);
            settled := ROW(the.id, was_at, was_id, the_account, 0, 0, NULL, 0, false);
            settled_seen := seen;
            settled_start := start;
        END IF;
        IF reads_stored THEN
            OPEN later;
        END IF;

        LOOP
            IF reads_stored THEN
                FETCH later INTO fix;
                is_end := NOT FOUND;
                CONTINUE WHEN NOT is_late AND (fix.at, fix.id) = (from_at, from_id);
            ELSE
                n := n + 1;
                is_end := n > cardinality(news);
                fix := news[n];
            END IF;
            IF NOT is_end THEN
                is_fast := seen.at IS NOT NULL AND is_too_fast(
                    metres_between(seen.lat, seen.lng, fix.lat, fix.lng),
                    extract(epoch FROM fix.at)::double precision
                        - (extract(epoch FROM seen.at)::double precision + seen.wait_time),
                    the.radius, the.top_speed, seen.accuracy, fix.accuracy);
                IF is_fast AND NOT the.keeps_doubted THEN
                    is_new := EXISTS (SELECT FROM unnest(news) AS f WHERE f.at = fix.at AND f.id = fix.id);
                    IF is_new THEN
                        refused := refused || fix;
                        CONTINUE;
                    END IF;
                END IF;
                the.newest_at := fix.at;
                the.newest_id := fix.id;
                IF fix.is_doubted <> is_fast THEN
                    fix.is_doubted := is_fast;
                    turned := turned || fix;
                END IF;
                IF is_fast THEN
                    IF away = '{}' THEN
                        settled := fix;
                    END IF;
                    CONTINUE;
                END IF;
                is_interrupted := seen.at IS NOT NULL AND (
                    extract(epoch FROM fix.at)::double precision
                        - (extract(epoch FROM seen.at)::double precision + seen.wait_time) > the.longest_gap
                    OR the.stops <> '{}' AND EXISTS (
                        SELECT FROM unnest(the.stops) AS stop WHERE stop >= seen.at AND stop < fix.at));
                seen := fix;
            END IF;

            -- At the end, and before an interruption, the fixes in `away` are not strays.
            is_interrupted := is_interrupted OR is_end;
            todo := CASE WHEN is_interrupted THEN '{}' ELSE ARRAY[fix] END;
            LOOP
                IF todo <> '{}' THEN
                    one := todo[1];
                    todo := todo[2 :];
                    IF start.at IS NULL THEN
                        start := one;
                        CONTINUE;
                    END IF;
                    is_too_late := away <> '{}' AND extract(epoch FROM one.at)::double precision
                        - extract(epoch FROM away[1].at)::double precision > longest_stray();
                    IF NOT is_too_late AND is_near(
                        metres_between(start.lat, start.lng, one.lat, one.lng), the.radius, start.accuracy, one.accuracy)
                    THEN
                        start.wait_time := greatest(start.wait_time, round((
                            extract(epoch FROM one.at)::double precision + one.wait_time
                            - extract(epoch FROM start.at)::double precision) * 1000) / 1000);
                        away := '{}';
                        CONTINUE;
                    END IF;
                    away := away || one;
                    CONTINUE WHEN NOT is_too_late AND cardinality(away) <= most_strays();
                ELSE
                    EXIT WHEN NOT is_interrupted OR away = '{}';
                END IF;
                -- The user has left: the next location begins with the first fix of `away`.
                made := made || start;
                start := away[1];
                todo := away[2 :] || todo;
                away := '{}';
                IF NOT is_end THEN
                    settled := start;
                    settled_seen := start;
                    settled_start := start;
                END IF;
            END LOOP;
            IF is_interrupted AND start.at IS NOT NULL THEN
                made := made || start;
            END IF;
            EXIT WHEN is_end;
            IF is_interrupted THEN
                start := fix;
            END IF;
            IF away = '{}' THEN
                settled := fix;
                settled_seen := seen;
                settled_start := start;
            END IF;
            IF is_late AND start.at IS DISTINCT FROM checked AND (start.at, start.id) <= (was_at, was_id)
                AND (start.at, start.id) > (news[cardinality(news)].at, news[cardinality(news)].id)
            THEN
                checked := start.at;
                IF EXISTS (
                    SELECT FROM pending_locations
                    WHERE tracker = the.id AND at = start.at AND id = start.id AND NOT removed)
                THEN
                    until_at := start.at;
                    until_id := start.id;
                    EXIT;
                END IF;
            END IF;
        END LOOP;

        IF reads_stored THEN
            CLOSE later;
        END IF;
        IF until_at IS NULL AND settled_start.at IS NOT NULL THEN
            the.settled_at := settled.at;
            the.settled_id := settled.id;
            the.seen_at := settled_seen.at;
            the.seen_lat := settled_seen.lat;
            the.seen_lng := settled_seen.lng;
            the.seen_accuracy := settled_seen.accuracy;
            the.seen_wait := settled_seen.wait_time;
            the.start_at := settled_start.at;
            the.start_id := settled_start.id;
            the.start_lat := settled_start.lat;
            the.start_lng := settled_start.lng;
            the.start_accuracy := settled_start.accuracy;
            the.wait_time := settled_start.wait_time;
            moved := moved || the;
        END IF;
        IF reads_stored THEN
            WITH vanished AS MATERIALIZED (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = the.id AND NOT removed AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
                  AND (until_at IS NULL OR at <= until_at AND (at, id) < (until_at, until_id COLLATE "C"))
                  AND (at, id) NOT IN (SELECT at, id FROM unnest(made[first_made :]))
            ), marked AS (
                -- The sink may have the location, and must delete it.
                UPDATE pending_locations AS location
                SET removed = true, uploaded = false, refusal = NULL, changed_at = clock_timestamp()
                FROM vanished
                WHERE the.sink IS NOT NULL
                  AND location.tracker = the.id AND location.at = vanished.at AND location.id = vanished.id
            )
            DELETE FROM pending_locations AS location
            USING vanished
            WHERE the.sink IS NULL
              AND location.tracker = the.id AND location.at = vanished.at AND location.id = vanished.id;
        END IF;
    END LOOP;

    INSERT INTO pending_locations AS location (tracker, account, at, id, lat, lng, accuracy, wait_time)
    SELECT tracker, account, at, id, lat, lng, accuracy, wait_time FROM unnest(made)
    ON CONFLICT (tracker, at, id) DO UPDATE
    SET wait_time = excluded.wait_time, uploaded = false, removed = false, refusal = NULL, changed_at = clock_timestamp()
        WHERE location.wait_time <> excluded.wait_time OR location.removed;
    UPDATE trackers
    SET newest_at = m.newest_at, newest_id = m.newest_id, settled_at = m.settled_at, settled_id = m.settled_id, seen_at = m.seen_at, seen_lat = m.seen_lat,
        seen_lng = m.seen_lng, seen_accuracy = m.seen_accuracy, seen_wait = m.seen_wait, start_at = m.start_at,
        start_id = m.start_id, start_lat = m.start_lat, start_lng = m.start_lng, start_accuracy = m.start_accuracy,
        wait_time = m.wait_time
    FROM unnest(moved) AS m
    WHERE trackers.id = m.id;
    IF turned <> '{}' THEN
        UPDATE fixes
        SET is_doubted = t.is_doubted
        FROM unnest(turned) AS t
        WHERE fixes.tracker = t.tracker AND fixes.at = t.at AND fixes.id = t.id;
    END IF;
    IF refused <> '{}' THEN
        DELETE FROM fixes
        USING unnest(refused) AS r
        WHERE fixes.tracker = r.tracker AND fixes.at = r.at AND fixes.id = r.id;
    END IF;

    to_upload := ARRAY(SELECT id FROM unnest(known) WHERE sink IS NOT NULL AND job IS NULL AND is_on);
    IF to_upload <> '{}' THEN
        PERFORM queue_uploads(to_upload);
    END IF;

    RETURN QUERY
    SELECT fix.number::integer, CASE
        WHEN t.id IS NULL THEN 'unknown'
        WHEN NOT t.is_on THEN 'off'
        WHEN NOT to_timestamp(fix.time) <@ t.on_times THEN 'untracked'
        WHEN f.id IS NULL THEN 'repeated'
        WHEN EXISTS (
            SELECT FROM unnest(refused) AS r WHERE r.tracker = f.tracker AND r.at = f.at AND r.id = f.id) THEN 'too_fast'
        WHEN EXISTS (
            SELECT FROM unnest(turned) AS d
            WHERE d.tracker = f.tracker AND d.at = f.at AND d.id = f.id AND d.is_doubted) THEN 'doubted'
        ELSE 'taken'
    END
    FROM unnest(users, ids, times) WITH ORDINALITY AS fix (user_id, id, time, number)
    LEFT JOIN unnest(known) AS t ON t.user_id = fix.user_id
    LEFT JOIN unnest(stored) AS f ON f.tracker = t.id AND f.at = to_timestamp(fix.time) AND f.id = fix.id;
END
$$;

CREATE FUNCTION public.remove_addresses_first() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    DELETE FROM addresses WHERE friend = OLD.id;
    RETURN OLD;
END
$$;

CREATE FUNCTION public.reserve_jobs(lane_name text, subjects integer, OUT batch integer, OUT jobs bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT lanes.batch INTO batch FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    jobs := ARRAY(
        SELECT nextval(pg_get_serial_sequence('jobs', 'id'))
        FROM generate_series(1, subjects, batch));
END
$$;

CREATE FUNCTION public.retry_wait(failures smallint, first_retry interval, longest_retry interval, pause interval) RETURNS interval
    LANGUAGE sql PARALLEL SAFE
    RETURN GREATEST(pause, (random() * LEAST(longest_retry, (first_retry * power((2)::double precision, (LEAST((failures)::integer, 30))::double precision)))));

CREATE FUNCTION public.return_tokens(lane_id smallint, unused integer, first_slot timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STRICT
    AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    moment timestamptz;
    later timestamptz[];
BEGIN
    -- Locks the lane before its buckets, in the order of a claim.
    SELECT * INTO STRICT the_lane FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := clock_timestamp();
    -- Slots promised before `full_at` was converted had another cost, so they can't be returned.
    IF the_lane.buckets_converted_at > first_slot - make_interval(secs => farthest_slot())
        OR first_slot < moment - most_unused_age()
    THEN
        RETURN false;
    END IF;
    SELECT array_agg(at ORDER BY at DESC)
    INTO later
    FROM (
        SELECT starts_at AS at FROM jobs WHERE lane = lane_id AND worker IS NOT NULL AND starts_at >= first_slot
        UNION ALL
        SELECT started_at FROM calls
        WHERE lane = lane_id AND started_at BETWEEN first_slot AND moment + most_uncertainty()
    ) AS used;
    UPDATE token_buckets
    SET full_at = left_over.full_at, worker = NULL
    FROM (
        SELECT per AS of_per,
               greatest(moment, full_at - unused * make_interval(secs => spacing), (
                   SELECT max(at + count * make_interval(secs => spacing))
                   FROM unnest(later) WITH ORDINALITY AS slot (at, count)
               )) + interval '1 microsecond' AS full_at
        FROM token_buckets,
        LATERAL careful_limit(
            refill, per, capacity, the_lane.pace, the_lane.grace, greatest(the_lane.spread, the_lane.spread_before))
            AS careful
        WHERE lane = lane_id
    ) AS left_over
    WHERE lane = lane_id AND per = of_per AND token_buckets.full_at > left_over.full_at;
    RETURN FOUND;
END
$$;

CREATE FUNCTION public.set_pace(lane_id smallint, new_pace real) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    old_pace real;
    moment timestamptz;
BEGIN
    SELECT pace INTO old_pace FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := last_promise(lane_id);
    UPDATE token_buckets SET full_at = moment + (full_at - moment) * (old_pace / new_pace)
    WHERE lane = lane_id AND full_at > moment;
    UPDATE lanes
    SET pace = new_pace, pace_changed_at = clock_timestamp(), buckets_converted_at = clock_timestamp()
    WHERE id = lane_id;
END
$$;

CREATE FUNCTION public.settle_addresses(ids bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
    UPDATE addresses
    SET place_status = found.status, place_precision = found.precision, place_is_weak = found.is_weak, map_key = found.map_key
    FROM (
        SELECT own.id, coalesce(geocodes.status::text, 'waiting') AS status, geocodes.precision,
               coalesce(geocodes.status = 'located' AND geocodes.is_weak, false) AS is_weak,
               map_key(own.id, geocodes.latitude, geocodes.longitude) AS map_key
        FROM unnest(settle_addresses.ids) AS given (id)
        CROSS JOIN LATERAL (SELECT id, hash FROM addresses WHERE addresses.id = given.id LIMIT 1) AS own
        LEFT JOIN LATERAL (
            SELECT status, precision, is_weak, latitude, longitude FROM geocodes WHERE geocodes.hash = own.hash LIMIT 1
        ) AS geocodes ON true
        OFFSET 0
    ) AS found
    WHERE addresses.id = ANY (settle_addresses.ids) AND addresses.id = found.id
      AND (addresses.place_status, addresses.place_precision, addresses.place_is_weak, addresses.map_key) IS DISTINCT FROM
          (found.status, found.precision, found.is_weak, found.map_key)
$$;

CREATE FUNCTION public.settle_geocodes(ids bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    locked bigint[] := ARRAY(SELECT id FROM geocodes WHERE id = ANY (settle_geocodes.ids) FOR UPDATE SKIP LOCKED);
BEGIN
    PERFORM settle_addresses(ARRAY(
        SELECT own.id
        FROM unnest(settle_geocodes.ids) AS given (id)
        CROSS JOIN LATERAL (SELECT hash FROM geocodes WHERE geocodes.id = given.id LIMIT 1) AS asked
        CROSS JOIN LATERAL (SELECT id FROM addresses WHERE addresses.hash = asked.hash OFFSET 0) AS own));
    IF cardinality(locked) < cardinality(settle_geocodes.ids) THEN
        -- Deleted questions have no standing.
        INSERT INTO unsettled_geocodes (geocode)
        SELECT id FROM geocodes WHERE id = ANY (settle_geocodes.ids) EXCEPT SELECT unnest(locked);
    END IF;
END
$$;

CREATE FUNCTION public.settle_left_overs(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    ids bigint[];
BEGIN
    WITH taken AS (
        DELETE FROM unsettled_geocodes
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM unsettled_geocodes LIMIT most FOR UPDATE SKIP LOCKED))
        RETURNING geocode
    )
    SELECT array_agg(DISTINCT geocode) INTO ids FROM taken;
    IF ids IS NULL THEN RETURN 0; END IF;
    PERFORM settle_geocodes(ids);
    RETURN cardinality(ids);
END
$$;

CREATE FUNCTION public.shift_clock(known_epoch integer, size interval) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_ahead CONSTANT boolean := size > '0';
    farthest CONSTANT interval := make_interval(secs => farthest_slot());
    moment timestamptz;
BEGIN
    UPDATE server_clock SET epoch = epoch + 1, checked_at = checked_at + size WHERE epoch = known_epoch;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO clock_steps (epoch, size) VALUES (known_epoch + 1, size);
    UPDATE leadership SET until = until + size;
    moment := clock_timestamp();
    UPDATE coordinators SET seen_at = past_moment(seen_at, size, moment), heard_since = past_moment(heard_since, size, moment);
    UPDATE workers SET seen_at = past_moment(seen_at, size, moment);
    UPDATE jobs SET run_at = run_at + size WHERE run_at > moment;
    -- A worker with a job claimed it by the old clock, or knows that its slot may be anywhere.
    UPDATE jobs SET starts_at = least(starts_at + size, moment + farthest) WHERE worker IS NOT NULL;
    UPDATE lanes
    SET blocked_until = CASE WHEN blocked_until > least(moment, moment - size) THEN blocked_until + size
                             ELSE blocked_until END,
        wary_until = CASE WHEN wary_until > least(moment, moment - size) THEN wary_until + size ELSE wary_until END,
        well_at = past_moment(well_at, size, moment),
        pace_changed_at = past_moment(pace_changed_at, size, moment),
        spread_since = past_moment(spread_since, size, moment),
        limits_changed_at = past_moment(limits_changed_at, size, moment),
        buckets_converted_at = moment;
    UPDATE token_buckets
    SET full_at = least(full_at + size, moment + longest_fill(refill, per, capacity, pace)),
        charged_at = past_moment(charged_at, size, moment),
        -- Each worker measures the clock again, so the next claim pays a gap.
        worker = NULL
    FROM lanes
    WHERE lanes.id = lane AND (is_ahead OR full_at > moment + longest_fill(refill, per, capacity, pace));
    PERFORM pg_notify('waypost_lanes', name) FROM lanes;
    RETURN true;
END
$$;

CREATE FUNCTION public.slot_horizon(uncertainty interval) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN LEAST(public.farthest_slot(), (public.least_horizon() + (public.horizon_widening() * COALESCE(GREATEST((EXTRACT(epoch FROM uncertainty))::double precision, (0)::double precision), (0)::double precision))));

CREATE FUNCTION public.slots(INOUT fulls double precision[], capacities double precision[], spacings double precision[], most integer, lead double precision, horizon double precision, OUT starts double precision[], OUT next double precision) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
    next := lead;
    starts := '{}';
    LOOP
        FOR b IN 1 .. cardinality(fulls) LOOP
            next := greatest(next, fulls[b] - (capacities[b] - 1) * spacings[b]);
        END LOOP;
        EXIT WHEN next > horizon OR cardinality(starts) >= most;
        FOR b IN 1 .. cardinality(fulls) LOOP
            fulls[b] := greatest(fulls[b], next) + spacings[b];
        END LOOP;
        starts := starts || next;
    END LOOP;
END
$$;

CREATE FUNCTION public.slower_pace(pace real) RETURNS real
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (GREATEST((0.01)::double precision, (pace * (0.7)::double precision)))::real;

CREATE FUNCTION public.spread_period() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '00:01:00'::interval;

CREATE FUNCTION public.spread_share(number integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT sum(((number >> digit) & 1) / (2.0::double precision ^ (digit + 1)))
    FROM generate_series(0, 30) AS digit
$$;

CREATE FUNCTION public.take_addresses_along() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    UPDATE addresses SET owner = NEW.account WHERE friend = NEW.id;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.wake_sleepers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan TO 'off'
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    -- An expression instead of SQL, because this runs for each enqueue.
    locked CONSTANT text := pg_advisory_xact_lock_shared(enqueue_lock(), NEW.lane);
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        -- A snapshot that is older than the lock may miss a mark, so notify always.
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
    ELSIF EXISTS (SELECT FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp()) THEN
        PERFORM pg_notify('waypost_jobs', lanes.name) FROM lanes WHERE id = NEW.lane;
        -- A mark that another enqueue is deleting is left to that enqueue.
        DELETE FROM sleepers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM sleepers WHERE lane = NEW.lane AND until > clock_timestamp() FOR UPDATE SKIP LOCKED));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.wary_time() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '00:01:00'::interval;

CREATE TABLE public.accounts (
    id integer NOT NULL,
    name text NOT NULL,
    chain text DEFAULT 'default'::text NOT NULL,
    has_pins boolean DEFAULT false NOT NULL,
    purges bigint DEFAULT 0 NOT NULL,
    purged_in bigint DEFAULT 0 NOT NULL
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.address_tallies (
    account integer NOT NULL,
    status text NOT NULL,
    "precision" text,
    is_weak boolean NOT NULL,
    addresses bigint NOT NULL,
    changes bigint NOT NULL
);

ALTER TABLE public.addresses ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.addresses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    verb text NOT NULL,
    target text NOT NULL,
    token integer,
    author text NOT NULL,
    of_account text,
    host text,
    before jsonb,
    after jsonb,
    CONSTRAINT a_verb_has_a_group CHECK ((verb ~ '^[a-z]+\.[a-z-]+$'::text)),
    CONSTRAINT only_an_account_has_tokens CHECK (((token IS NULL) OR (of_account IS NOT NULL))),
    CONSTRAINT who_acts_is_a_user_of_a_host_or_works_for_an_account CHECK (((host IS NULL) <> (of_account IS NULL)))
);

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.backlogs (
    lane smallint NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    took interval NOT NULL,
    ready bigint NOT NULL,
    later bigint NOT NULL,
    dead bigint NOT NULL,
    last_due timestamp with time zone
)
WITH (fillfactor='50');

CREATE TABLE public.calls (
    started_at timestamp with time zone NOT NULL,
    took real,
    worker integer NOT NULL,
    subjects integer NOT NULL,
    lane smallint NOT NULL,
    outcome public.call_outcome NOT NULL,
    job bigint,
    reason text
)
PARTITION BY RANGE (started_at);

CREATE TABLE public.calls_default (
    started_at timestamp with time zone NOT NULL,
    took real,
    worker integer NOT NULL,
    subjects integer NOT NULL,
    lane smallint NOT NULL,
    outcome public.call_outcome NOT NULL,
    job bigint,
    reason text
);

CREATE TABLE public.chains (
    id integer NOT NULL,
    name text NOT NULL,
    is_current boolean DEFAULT true NOT NULL,
    plan jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT a_chain_has_links CHECK ((jsonb_array_length((plan -> 'links'::text)) > 0))
);

ALTER TABLE public.chains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.chains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.clock_steps (
    epoch integer NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    size interval NOT NULL
);

CREATE TABLE public.coordinators (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    heard_since timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE public.coordinators ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.coordinators_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.countries (
    code text NOT NULL,
    alpha3 text NOT NULL,
    number smallint NOT NULL,
    name text NOT NULL,
    CONSTRAINT a_country_code_is_two_capitals CHECK ((code ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT a_long_country_code_is_three_capitals CHECK ((alpha3 ~ '^[A-Z]{3}$'::text))
);

CREATE TABLE public.dead_jobs (
    id bigint NOT NULL,
    lane smallint NOT NULL,
    priority smallint NOT NULL,
    failures smallint NOT NULL,
    losses smallint NOT NULL,
    subjects bigint[] NOT NULL,
    history jsonb,
    reason text NOT NULL,
    died_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.decisions (
    id bigint NOT NULL,
    geocode bigint NOT NULL,
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL
);

ALTER TABLE public.decisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.fixes (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision DEFAULT 0 NOT NULL,
    is_doubted boolean DEFAULT false NOT NULL,
    CONSTRAINT a_fix_is_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision))),
    CONSTRAINT an_accuracy_is_not_negative CHECK (((accuracy >= (0)::double precision) AND (accuracy < 'Infinity'::double precision)))
)
PARTITION BY RANGE (at);

CREATE TABLE public.fixes_default (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision DEFAULT 0 NOT NULL,
    is_doubted boolean DEFAULT false NOT NULL,
    CONSTRAINT a_fix_is_on_earth CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision))),
    CONSTRAINT an_accuracy_is_not_negative CHECK (((accuracy >= (0)::double precision) AND (accuracy < 'Infinity'::double precision)))
);

CREATE TABLE public.friend_tallies (
    account integer NOT NULL,
    friends bigint NOT NULL,
    changes bigint NOT NULL
);

ALTER TABLE public.friends ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.friends_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.geocodes (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    region text NOT NULL,
    postcode text NOT NULL,
    country text NOT NULL,
    status public.geocode_status DEFAULT 'waiting'::public.geocode_status NOT NULL,
    job bigint,
    latitude double precision,
    longitude double precision,
    "precision" text,
    placemark jsonb,
    provider text,
    reason text,
    geocoded_at timestamp with time zone,
    expires_at timestamp with time zone,
    chain integer DEFAULT public.default_chain() NOT NULL,
    link smallint DEFAULT 0 NOT NULL,
    step text,
    candidates jsonb,
    trail jsonb,
    confidence real,
    at_latitude double precision,
    at_longitude double precision,
    shared_from bigint,
    is_lent boolean DEFAULT false NOT NULL,
    pinned_at timestamp with time zone,
    account integer,
    is_weak boolean DEFAULT false NOT NULL,
    loose_key bigint,
    follows boolean DEFAULT false NOT NULL,
    shadow_of bigint,
    CONSTRAINT a_coordinate_is_asked_for_whole CHECK (((at_latitude IS NULL) = (at_longitude IS NULL))),
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT a_pin_has_an_account CHECK (((provider <> 'contact'::text) OR (account IS NOT NULL))),
    CONSTRAINT confidence_is_a_share CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT coordinates_are_on_earth CHECK ((((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (((status = 'located'::public.geocode_status) = ((latitude IS NOT NULL) AND (longitude IS NOT NULL) AND ("precision" IS NOT NULL)))),
    CONSTRAINT only_answers_expire CHECK (((expires_at IS NULL) OR (status <> ALL (ARRAY['waiting'::public.geocode_status, 'forgotten'::public.geocode_status])))),
    CONSTRAINT only_what_waits_has_a_job CHECK (((job IS NULL) OR (status = 'waiting'::public.geocode_status))),
    CONSTRAINT precision_is_known CHECK (("precision" = ANY (ARRAY['rooftop'::text, 'interpolated'::text, 'street'::text, 'postcode'::text, 'city'::text, 'region'::text, 'country'::text]))),
    CONSTRAINT what_a_person_pinned_does_not_expire CHECK (((pinned_at IS NULL) OR (expires_at IS NULL))),
    CONSTRAINT what_failed_has_a_reason CHECK (((status <> 'failed'::public.geocode_status) OR (reason IS NOT NULL))),
    CONSTRAINT what_needs_review_has_candidates CHECK (((status <> 'needs_review'::public.geocode_status) OR (candidates IS NOT NULL))),
    CONSTRAINT who_follows_waits_in_no_job CHECK (((NOT follows) OR ((status = 'waiting'::public.geocode_status) AND (job IS NULL) AND (loose_key IS NOT NULL))))
)
WITH (fillfactor='40');

ALTER TABLE public.geocodes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.geocodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.idempotency_keys (
    account integer NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    status smallint NOT NULL,
    headers text[] NOT NULL,
    body bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(request_hash) = 32)),
    CONSTRAINT a_kept_body_is_at_most_a_mebibyte CHECK ((octet_length(body) <= 1048576)),
    CONSTRAINT a_key_is_short CHECK (((length(key) >= 1) AND (length(key) <= 255))),
    CONSTRAINT a_status_is_one_of_http CHECK (((status >= 100) AND (status <= 599)))
);

CREATE TABLE public.import_batches (
    import integer NOT NULL,
    first integer NOT NULL,
    contacts integer NOT NULL,
    added integer NOT NULL,
    changed integer NOT NULL,
    unchanged integer NOT NULL,
    addresses integer NOT NULL,
    questions integer NOT NULL,
    friends bigint[]
);
ALTER TABLE ONLY public.import_batches ALTER COLUMN friends SET STORAGE EXTERNAL;

CREATE TABLE public.imports (
    id integer NOT NULL,
    account integer NOT NULL,
    feed text NOT NULL,
    fingerprint text NOT NULL,
    is_complete boolean NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    contacts integer DEFAULT 0 NOT NULL,
    added integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    addresses integer DEFAULT 0 NOT NULL,
    questions integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone
);

ALTER TABLE public.imports ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.jobs (
    id bigint NOT NULL,
    lease bigint,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    starts_at timestamp with time zone,
    worker integer,
    lane smallint NOT NULL,
    priority smallint DEFAULT 1 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    losses smallint DEFAULT 0 NOT NULL,
    subjects bigint[] NOT NULL,
    history jsonb,
    wakes boolean,
    trace text DEFAULT NULLIF(current_setting('waypost.trace'::text, true), ''::text),
    CONSTRAINT a_held_job_has_a_worker_a_lease_and_a_slot CHECK ((((worker IS NULL) = (lease IS NULL)) AND ((worker IS NULL) = (starts_at IS NULL)))),
    CONSTRAINT a_job_has_subjects CHECK ((cardinality(subjects) > 0)),
    CONSTRAINT priority_is_known CHECK (((priority >= 0) AND (priority <= 3)))
)
WITH (fillfactor='100', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.5');

ALTER TABLE public.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.lanes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lanes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.leadership (
    only_row boolean DEFAULT true NOT NULL,
    coordinator integer DEFAULT 0 NOT NULL,
    term bigint DEFAULT 0 NOT NULL,
    until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT there_is_one_leader CHECK (only_row)
)
WITH (fillfactor='10');

CREATE SEQUENCE public.leases
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.pending_locations (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision NOT NULL,
    uploaded boolean DEFAULT false NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    refusal text,
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision)))
)
PARTITION BY RANGE (at);

CREATE TABLE public.pending_locations_default (
    tracker integer NOT NULL,
    at timestamp with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    account integer NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    accuracy double precision,
    wait_time double precision NOT NULL,
    uploaded boolean DEFAULT false NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    refusal text,
    CONSTRAINT a_wait_is_not_negative CHECK (((wait_time >= (0)::double precision) AND (wait_time < 'Infinity'::double precision)))
);

CREATE TABLE public.refused_fixes (
    account integer NOT NULL,
    tracker integer,
    reason text NOT NULL,
    count bigint NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT a_count_is_not_zero CHECK ((count > 0))
);

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    fingerprint text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    replaced_at timestamp with time zone
);

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    is_breaking boolean NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_objects (
    name text NOT NULL,
    digest text NOT NULL
);

CREATE TABLE public.server_clock (
    only_row boolean DEFAULT true NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    checked_for integer DEFAULT 0 NOT NULL,
    checked_at timestamp with time zone,
    checked_boot text,
    checked_from double precision,
    checked_to double precision,
    CONSTRAINT a_check_is_complete CHECK ((num_nulls(checked_at, checked_boot, checked_from, checked_to) = ANY (ARRAY[0, 4]))),
    CONSTRAINT there_is_one_clock CHECK (only_row)
);

CREATE TABLE public.sessions (
    hash bytea NOT NULL,
    token integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT a_hash_has_256_bits CHECK ((octet_length(hash) = 32))
);

ALTER TABLE public.sign_ins ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sign_ins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sinks (
    id integer NOT NULL,
    account integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    lane smallint NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    sealed bytea,
    signs_in boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    pause interval DEFAULT '00:00:05'::interval NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    about text DEFAULT 'locations'::text NOT NULL,
    job bigint,
    told_in bigint DEFAULT 0 NOT NULL,
    noticed_at timestamp with time zone,
    CONSTRAINT a_pause_is_not_negative CHECK ((pause >= '00:00:00'::interval)),
    CONSTRAINT a_sink_has_a_known_subject CHECK ((about = ANY (ARRAY['locations'::text, 'places'::text]))),
    CONSTRAINT a_sink_is_of_a_known_kind CHECK ((kind = ANY (ARRAY['firestore'::text, 'webhook'::text, 'file'::text, 'table'::text]))),
    CONSTRAINT a_sink_name_is_short CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'::text)),
    CONSTRAINT only_a_webhook_tells_of_places CHECK (((about = 'locations'::text) OR ((kind = 'webhook'::text) AND (NOT is_default))))
);

ALTER TABLE public.sinks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sinks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.sleepers (
    lane smallint NOT NULL,
    until timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.throughput (
    minute timestamp with time zone NOT NULL,
    lane smallint NOT NULL,
    worker integer NOT NULL,
    calls integer NOT NULL,
    subjects bigint NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    voided integer DEFAULT 0 NOT NULL,
    late integer DEFAULT 0 NOT NULL,
    slipped integer DEFAULT 0 NOT NULL,
    retried integer DEFAULT 0 NOT NULL,
    limited integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    lost integer DEFAULT 0 NOT NULL,
    follow_ups integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.tokens (
    id integer NOT NULL,
    account integer NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    user_id text,
    CONSTRAINT a_hash_is_a_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT a_token_has_a_name CHECK ((name <> ''::text)),
    CONSTRAINT a_token_of_one_user_is_for_positions CHECK (((user_id IS NULL) OR (((length(user_id) >= 1) AND (length(user_id) <= 200)) AND (scopes <@ '{track,locate}'::text[])))),
    CONSTRAINT scopes_are_known CHECK (((scopes <@ '{read,write,admin,track,locate}'::text[]) AND (scopes <> '{}'::text[])))
);

ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.trackers (
    id integer NOT NULL,
    account integer NOT NULL,
    user_id text NOT NULL,
    is_on boolean DEFAULT false NOT NULL,
    on_times tstzmultirange DEFAULT '{}'::tstzmultirange NOT NULL,
    radius double precision DEFAULT 50 NOT NULL,
    top_speed double precision DEFAULT 350 NOT NULL,
    keeps_doubted boolean DEFAULT true NOT NULL,
    newest_at timestamp with time zone,
    newest_id text COLLATE pg_catalog."C",
    seen_at timestamp with time zone,
    seen_lat double precision,
    seen_lng double precision,
    seen_accuracy double precision,
    seen_wait double precision,
    start_at timestamp with time zone,
    start_id text COLLATE pg_catalog."C",
    start_lat double precision,
    start_lng double precision,
    start_accuracy double precision,
    wait_time double precision,
    sink integer,
    newest_first boolean DEFAULT false NOT NULL,
    job bigint,
    uploaded_at timestamp with time zone,
    piece integer,
    longest_gap double precision DEFAULT 43200 NOT NULL,
    stops timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    settled_at timestamp with time zone,
    settled_id text COLLATE pg_catalog."C",
    CONSTRAINT a_gap_is_some_seconds CHECK (((longest_gap >= (60)::double precision) AND (longest_gap <= (31622400)::double precision))),
    CONSTRAINT a_radius_is_some_metres CHECK (((radius >= (1)::double precision) AND (radius <= (10000)::double precision))),
    CONSTRAINT a_top_speed_is_possible CHECK (((top_speed >= (1)::double precision) AND (top_speed <= (30000000)::double precision))),
    CONSTRAINT a_tracker_is_on_until_it_is_stopped CHECK ((is_on = ((NOT isempty(on_times)) AND upper_inf(on_times)))),
    CONSTRAINT a_user_id_is_short CHECK (((length(user_id) >= 1) AND (length(user_id) <= 200)))
)
WITH (fillfactor='50');

ALTER TABLE public.trackers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.trackers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.unqueued_geocodes (
    geocode bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.unsettled_geocodes (
    geocode bigint NOT NULL
);

CREATE TABLE public.workers (
    id integer NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    quiet boolean DEFAULT false NOT NULL,
    lanes text[] DEFAULT '{}'::text[] NOT NULL,
    memory bigint
)
WITH (fillfactor='50');

ALTER TABLE public.workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.calls ATTACH PARTITION public.calls_default DEFAULT;

ALTER TABLE ONLY public.fixes ATTACH PARTITION public.fixes_default DEFAULT;

ALTER TABLE ONLY public.pending_locations ATTACH PARTITION public.pending_locations_default DEFAULT;

ALTER TABLE ONLY public.fixes
    ADD CONSTRAINT a_fix_comes_once PRIMARY KEY (tracker, at, id);

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, "position");

ALTER TABLE ONLY public.token_buckets
    ADD CONSTRAINT a_lane_has_one_limit_for_a_time PRIMARY KEY (lane, per);

ALTER TABLE ONLY public.pending_locations
    ADD CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id);

ALTER TABLE ONLY public.refused_fixes
    ADD CONSTRAINT a_reason_is_counted_once UNIQUE NULLS NOT DISTINCT (tracker, account, reason);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key);

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT a_tracker_signs_in_once UNIQUE NULLS NOT DISTINCT (sink, tracker);

ALTER TABLE ONLY public.trackers
    ADD CONSTRAINT a_user_has_one_tracker UNIQUE (account, user_id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_name_key UNIQUE (name);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.backlogs
    ADD CONSTRAINT backlogs_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY public.chains
    ADD CONSTRAINT chains_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.clock_steps
    ADD CONSTRAINT clock_steps_pkey PRIMARY KEY (epoch);

ALTER TABLE ONLY public.coordinators
    ADD CONSTRAINT coordinators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.countries
    ADD CONSTRAINT countries_alpha3_key UNIQUE (alpha3);

ALTER TABLE ONLY public.countries
    ADD CONSTRAINT countries_number_key UNIQUE (number);

ALTER TABLE ONLY public.countries
    ADD CONSTRAINT countries_pkey PRIMARY KEY (code);

ALTER TABLE ONLY public.dead_jobs
    ADD CONSTRAINT dead_jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.fixes_default
    ADD CONSTRAINT fixes_default_pkey PRIMARY KEY (tracker, at, id);

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.geocodes
    ADD CONSTRAINT geocodes_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.geocodes
    ADD CONSTRAINT geocodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account, key);

ALTER TABLE ONLY public.import_batches
    ADD CONSTRAINT import_batches_pkey PRIMARY KEY (import, first);

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lanes
    ADD CONSTRAINT lanes_name_key UNIQUE (name);

ALTER TABLE ONLY public.lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.leadership
    ADD CONSTRAINT leadership_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.pending_locations_default
    ADD CONSTRAINT pending_locations_default_pkey PRIMARY KEY (tracker, at, id);

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name, fingerprint);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.schema_objects
    ADD CONSTRAINT schema_objects_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.server_clock
    ADD CONSTRAINT server_clock_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sinks
    ADD CONSTRAINT sinks_lane_key UNIQUE (lane);

ALTER TABLE ONLY public.sinks
    ADD CONSTRAINT sinks_name_key UNIQUE (name);

ALTER TABLE ONLY public.sinks
    ADD CONSTRAINT sinks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.throughput
    ADD CONSTRAINT throughput_pkey PRIMARY KEY (minute, lane, worker);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trackers
    ADD CONSTRAINT trackers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX address_tallies_of_an_account ON public.address_tallies USING btree (account);

CREATE INDEX addresses_by_change ON public.addresses USING btree (owner, updated_at, id);

CREATE INDEX addresses_by_country ON public.addresses USING btree (owner, country_code, friend);

CREATE INDEX addresses_by_creation ON public.addresses USING btree (owner, created_at, id);

CREATE INDEX addresses_by_hash ON public.addresses USING btree (hash);

CREATE INDEX addresses_by_label ON public.addresses USING btree (owner, label, friend);

CREATE INDEX addresses_by_status ON public.addresses USING btree (owner, place_status, friend);

CREATE INDEX addresses_by_transaction ON public.addresses USING btree (owner, changed_in, friend);

CREATE INDEX addresses_on_the_map ON public.addresses USING btree (owner, map_key) WHERE (map_key IS NOT NULL);

CREATE INDEX addresses_unhashed ON public.addresses USING btree (id) WHERE (hash IS NULL);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON public.sinks USING btree (account) WHERE is_default;

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at);

CREATE INDEX calls_by_time ON ONLY public.calls USING brin (started_at) WITH (pages_per_range='16', autosummarize='on');

CREATE INDEX calls_default_started_at_idx ON public.calls_default USING brin (started_at) WITH (pages_per_range='16', autosummarize='on');

CREATE UNIQUE INDEX chains_current ON public.chains USING btree (name) WHERE is_current;

CREATE INDEX dead_jobs_by_lane ON public.dead_jobs USING btree (lane);

CREATE INDEX dead_jobs_by_time ON public.dead_jobs USING btree (died_at);

CREATE INDEX decisions_by_geocode ON public.decisions USING btree (geocode, id);

CREATE INDEX decisions_by_time ON public.decisions USING btree (decided_at);

CREATE INDEX friend_tallies_of_an_account ON public.friend_tallies USING btree (account);

CREATE INDEX friends_by_change ON public.friends USING btree (account, updated_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX friends_by_creation ON public.friends USING btree (account, created_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX friends_by_feed ON public.friends USING btree (account, feed, id) WHERE (deleted_at IS NULL);

CREATE INDEX friends_by_names ON public.friends USING gin (public.names_of_friend(name, first_name, last_name, nickname) public.gin_trgm_ops) WITH (gin_pending_list_limit='16384') WHERE (deleted_at IS NULL);

CREATE INDEX friends_by_transaction ON public.friends USING btree (account, changed_in, id);

CREATE INDEX friends_deleted ON public.friends USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX friends_of_an_account ON public.friends USING btree (account, id) WHERE (deleted_at IS NULL);

CREATE INDEX geocodes_by_loose_key ON public.geocodes USING btree (loose_key) WHERE (loose_key IS NOT NULL);

CREATE INDEX geocodes_expiring ON public.geocodes USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX geocodes_following ON public.geocodes USING btree (loose_key) WHERE follows;

CREATE UNIQUE INDEX geocodes_shadows ON public.geocodes USING btree (shadow_of) WHERE (shadow_of IS NOT NULL);

CREATE INDEX geocodes_with_candidates ON public.geocodes USING btree (id) WHERE (candidates IS NOT NULL);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (account, created_at);

CREATE UNIQUE INDEX imports_unfinished ON public.imports USING btree (account, feed) WHERE (finished_at IS NULL);

CREATE INDEX jobs_held ON public.jobs USING btree (lane, worker) WHERE (worker IS NOT NULL);

CREATE INDEX jobs_ready ON public.jobs USING btree (lane, priority, run_at, id) WHERE (worker IS NULL);

CREATE INDEX pending_locations_due ON ONLY public.pending_locations USING btree (tracker, at, id) WHERE ((NOT uploaded) AND (refusal IS NULL));

CREATE INDEX pending_locations_default_tracker_at_id_idx ON public.pending_locations_default USING btree (tracker, at, id) WHERE ((NOT uploaded) AND (refusal IS NULL));

CREATE INDEX pending_locations_refused ON ONLY public.pending_locations USING btree (tracker, at, id) WHERE (refusal IS NOT NULL);

CREATE INDEX pending_locations_default_tracker_at_id_idx1 ON public.pending_locations_default USING btree (tracker, at, id) WHERE (refusal IS NOT NULL);

CREATE INDEX sessions_by_end ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_by_token ON public.sessions USING btree (token);

CREATE INDEX sleepers_by_lane ON public.sleepers USING btree (lane, until);

CREATE INDEX trackers_by_sink ON public.trackers USING btree (sink) WHERE (sink IS NOT NULL);

ALTER INDEX public.calls_by_time ATTACH PARTITION public.calls_default_started_at_idx;

ALTER INDEX public.a_fix_comes_once ATTACH PARTITION public.fixes_default_pkey;

ALTER INDEX public.a_location_begins_with_a_fix ATTACH PARTITION public.pending_locations_default_pkey;

ALTER INDEX public.pending_locations_due ATTACH PARTITION public.pending_locations_default_tracker_at_id_idx;

ALTER INDEX public.pending_locations_refused ATTACH PARTITION public.pending_locations_default_tracker_at_id_idx1;

CREATE STATISTICS public.names_of_friends ON public.names_of_friend(name, first_name, last_name, nickname) FROM public.friends;

CREATE TRIGGER a_changed_address_has_a_new_number BEFORE UPDATE ON public.addresses FOR EACH ROW WHEN (((new.changed_in = old.changed_in) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.note_the_transaction();

CREATE TRIGGER a_changed_address_has_another_hash BEFORE UPDATE OF street, city, region, postcode, country ON public.addresses FOR EACH ROW WHEN (((((((old.street IS DISTINCT FROM new.street) OR (old.city IS DISTINCT FROM new.city)) OR (old.region IS DISTINCT FROM new.region)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.country IS DISTINCT FROM new.country)) AND (NOT (new.hash IS DISTINCT FROM old.hash)))) EXECUTE FUNCTION public.forget_the_hash_of_a_changed_address();

CREATE TRIGGER a_changed_address_is_updated_now BEFORE UPDATE ON public.addresses FOR EACH ROW WHEN (((new.updated_at = old.updated_at) AND ((((((((old.friend IS DISTINCT FROM new.friend) OR (old."position" IS DISTINCT FROM new."position")) OR (old.label IS DISTINCT FROM new.label)) OR (old.street IS DISTINCT FROM new.street)) OR (old.city IS DISTINCT FROM new.city)) OR (old.region IS DISTINCT FROM new.region)) OR (old.postcode IS DISTINCT FROM new.postcode)) OR (old.country IS DISTINCT FROM new.country)))) EXECUTE FUNCTION public.note_an_update();

CREATE TRIGGER a_changed_friend_has_a_new_number BEFORE UPDATE ON public.friends FOR EACH ROW WHEN (((new.changed_in = old.changed_in) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.note_the_transaction();

CREATE TRIGGER a_changed_friend_is_updated_now BEFORE UPDATE ON public.friends FOR EACH ROW WHEN (((new.updated_at = old.updated_at) AND ((((((((old.account IS DISTINCT FROM new.account) OR (old.source_key IS DISTINCT FROM new.source_key)) OR (old.name IS DISTINCT FROM new.name)) OR (old.first_name IS DISTINCT FROM new.first_name)) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.nickname IS DISTINCT FROM new.nickname)) OR (old.feed IS DISTINCT FROM new.feed)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)))) EXECUTE FUNCTION public.note_an_update();

CREATE TRIGGER a_friend_lost_an_address_to_another AFTER UPDATE OF friend ON public.addresses FOR EACH ROW WHEN ((new.friend <> old.friend)) EXECUTE FUNCTION public.note_the_friend_of_a_moved_address();

CREATE TRIGGER a_friend_who_changes_account_takes_addresses_along AFTER UPDATE OF account ON public.friends FOR EACH ROW WHEN ((new.account <> old.account)) EXECUTE FUNCTION public.take_addresses_along();

CREATE TRIGGER a_friend_who_goes_takes_addresses_along BEFORE DELETE ON public.friends FOR EACH ROW WHEN ((old.deleted_at IS NULL)) EXECUTE FUNCTION public.remove_addresses_first();

CREATE TRIGGER a_moved_address_has_another_owner BEFORE UPDATE OF friend ON public.addresses FOR EACH ROW WHEN ((new.friend <> old.friend)) EXECUTE FUNCTION public.note_the_owner_of_an_address();

CREATE TRIGGER a_new_address_has_an_owner BEFORE INSERT ON public.addresses FOR EACH ROW WHEN ((new.owner IS NULL)) EXECUTE FUNCTION public.note_the_owner_of_an_address();

CREATE TRIGGER a_new_question_without_a_job_is_noted AFTER INSERT ON public.geocodes FOR EACH ROW WHEN (((new.status = 'waiting'::public.geocode_status) AND (new.job IS NULL) AND (NOT new.follows))) EXECUTE FUNCTION public.note_an_unqueued_geocode();

CREATE TRIGGER a_question_that_lost_its_job_is_noted AFTER UPDATE OF status, job, follows ON public.geocodes FOR EACH ROW WHEN (((new.status = 'waiting'::public.geocode_status) AND (new.job IS NULL) AND (NOT new.follows))) EXECUTE FUNCTION public.note_an_unqueued_geocode();

CREATE TRIGGER a_shadow_that_ends_is_gone AFTER UPDATE OF status ON public.geocodes FOR EACH ROW WHEN (((new.shadow_of IS NOT NULL) AND (new.status <> 'waiting'::public.geocode_status))) EXECUTE FUNCTION public.drop_an_ended_shadow();

CREATE TRIGGER addresses_were_added AFTER INSERT ON public.addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_were_added();

CREATE TRIGGER addresses_were_changed AFTER UPDATE ON public.addresses REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_were_changed();

CREATE TRIGGER addresses_were_removed AFTER DELETE ON public.addresses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.addresses_were_removed();

CREATE CONSTRAINT TRIGGER an_enqueue_wakes_who_sleeps AFTER INSERT ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.wakes) EXECUTE FUNCTION public.wake_sleepers();

CREATE TRIGGER decisions_go_with_their_question AFTER DELETE ON public.geocodes REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.forget_decisions();

CREATE TRIGGER friends_lost_addresses AFTER DELETE ON public.addresses REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.note_friends_of_removed_addresses();

CREATE TRIGGER friends_were_added AFTER INSERT ON public.friends REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.friends_were_added();

CREATE TRIGGER friends_were_changed AFTER UPDATE ON public.friends REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.friends_were_changed();

CREATE TRIGGER friends_were_deleted_for_good AFTER DELETE ON public.friends REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.note_purged_friends();

CREATE TRIGGER friends_were_removed AFTER DELETE ON public.friends REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.friends_were_removed();

CREATE TRIGGER geocodes_were_changed AFTER UPDATE ON public.geocodes REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.geocodes_were_changed();

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_friend_fkey FOREIGN KEY (friend) REFERENCES public.friends(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_hash_fkey FOREIGN KEY (hash) REFERENCES public.geocodes(hash);

ALTER TABLE ONLY public.backlogs
    ADD CONSTRAINT backlogs_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.friends
    ADD CONSTRAINT friends_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.import_batches
    ADD CONSTRAINT import_batches_import_fkey FOREIGN KEY (import) REFERENCES public.imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.refused_fixes
    ADD CONSTRAINT refused_fixes_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refused_fixes
    ADD CONSTRAINT refused_fixes_tracker_fkey FOREIGN KEY (tracker) REFERENCES public.trackers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_fkey FOREIGN KEY (token) REFERENCES public.tokens(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_sink_fkey FOREIGN KEY (sink) REFERENCES public.sinks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_tracker_fkey FOREIGN KEY (tracker) REFERENCES public.trackers(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sinks
    ADD CONSTRAINT sinks_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sinks
    ADD CONSTRAINT sinks_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id);

ALTER TABLE ONLY public.token_buckets
    ADD CONSTRAINT token_buckets_lane_fkey FOREIGN KEY (lane) REFERENCES public.lanes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.trackers
    ADD CONSTRAINT trackers_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.trackers
    ADD CONSTRAINT trackers_sink_fkey FOREIGN KEY (sink) REFERENCES public.sinks(id);

ALTER TABLE public.accounts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.address_tallies ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.addresses ENABLE ROW LEVEL SECURITY;

CREATE POLICY answers_and_own_pins ON public.geocodes FOR SELECT USING ((((account IS NULL) OR (account = public.current_account())) AND (public.current_account() > 0)));

CREATE POLICY every_account ON public.accounts TO waypost_worker USING (true);

CREATE POLICY every_account ON public.address_tallies TO waypost_worker USING (true);

CREATE POLICY every_account ON public.addresses TO waypost_worker USING (true);

CREATE POLICY every_account ON public.friends TO waypost_worker USING (true);

CREATE POLICY every_account ON public.geocodes TO waypost_worker, waypost_report USING (true);

CREATE POLICY every_account ON public.pending_locations TO waypost_worker USING (true);

CREATE POLICY every_account ON public.sign_ins TO waypost_worker USING (true);

CREATE POLICY every_account ON public.sinks TO waypost_worker USING (true);

CREATE POLICY every_account ON public.trackers TO waypost_worker USING (true);

CREATE POLICY every_answer ON public.geocodes TO waypost_admin USING (true);

ALTER TABLE public.fixes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.fixes_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.friend_tallies ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.friends ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.geocodes ENABLE ROW LEVEL SECURITY;

CREATE POLICY good_tokens ON public.tokens FOR UPDATE TO waypost_admin USING (((account = public.current_account()) AND (revoked_at IS NULL))) WITH CHECK ((revoked_at IS NOT NULL));

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.import_batches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.imports ENABLE ROW LEVEL SECURITY;

CREATE POLICY new_questions_and_own_pins ON public.geocodes FOR INSERT WITH CHECK (
CASE
    WHEN (shadow_of IS NOT NULL) THEN false
    WHEN (account IS NOT NULL) THEN (account = public.current_account())
    WHEN ((public.current_account() IS NULL) OR (public.current_account() <= 0) OR (pinned_at IS NOT NULL) OR (candidates IS NOT NULL)) THEN false
    WHEN (status = 'waiting'::public.geocode_status) THEN ((latitude IS NULL) AND (longitude IS NULL))
    ELSE ((status = 'located'::public.geocode_status) AND public.has_answer(shared_from, latitude, longitude, "precision", placemark, provider, is_weak, expires_at, is_lent))
END);

CREATE POLICY new_tokens ON public.tokens FOR INSERT TO waypost_admin WITH CHECK (((account = public.current_account()) AND (revoked_at IS NULL)));

CREATE POLICY only_removed_ones ON public.pending_locations AS RESTRICTIVE FOR DELETE TO waypost_worker USING (removed);

CREATE POLICY open_questions_and_own_pins ON public.geocodes FOR UPDATE USING (((account = public.current_account()) OR ((account IS NULL) AND (pinned_at IS NULL) AND (status = ANY (ARRAY['waiting'::public.geocode_status, 'forgotten'::public.geocode_status, 'not_found'::public.geocode_status, 'failed'::public.geocode_status])) AND (public.current_account() > 0)))) WITH CHECK (((account = public.current_account()) OR ((account IS NULL) AND (pinned_at IS NULL) AND (status = 'waiting'::public.geocode_status) AND (latitude IS NULL) AND (longitude IS NULL) AND (public.current_account() > 0))));

CREATE POLICY own_account ON public.accounts USING ((id = public.current_account()));

CREATE POLICY own_address_tallies ON public.address_tallies USING ((account = public.current_account()));

CREATE POLICY own_addresses ON public.addresses USING (((owner = public.current_account()) IS TRUE)) WITH CHECK (((owner = public.current_account()) AND (( SELECT friends.account
   FROM public.friends
  WHERE (friends.id = addresses.friend)) = public.current_account())));

CREATE POLICY own_batches ON public.import_batches USING ((( SELECT imports.account
   FROM public.imports
  WHERE (imports.id = import_batches.import)) = public.current_account()));

CREATE POLICY own_fixes ON public.fixes USING ((account = public.current_account()));

CREATE POLICY own_friend_tallies ON public.friend_tallies USING ((account = public.current_account()));

CREATE POLICY own_friends ON public.friends USING (((account = public.current_account()) IS TRUE));

CREATE POLICY own_imports ON public.imports USING ((account = public.current_account()));

CREATE POLICY own_keys ON public.idempotency_keys USING ((account = public.current_account()));

CREATE POLICY own_locations ON public.pending_locations USING ((account = public.current_account()));

CREATE POLICY own_refusals ON public.refused_fixes USING ((account = public.current_account()));

CREATE POLICY own_sign_ins ON public.sign_ins USING ((account = public.current_account()));

CREATE POLICY own_sinks ON public.sinks USING ((account = public.current_account()));

CREATE POLICY own_tokens ON public.tokens FOR SELECT TO waypost_admin USING ((account = public.current_account()));

CREATE POLICY own_trackers ON public.trackers USING ((account = public.current_account()));

ALTER TABLE public.pending_locations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pending_locations_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.refused_fixes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sign_ins ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sinks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.tokens ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.trackers ENABLE ROW LEVEL SECURITY;
