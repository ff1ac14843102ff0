-- Rate-limited dequeue: jobs, and the moments at which their calls may start, in one round trip.

-- The first `most` moments, in seconds from now, at which all buckets hold a token, each moment charged to every
-- bucket. Charging at the moment itself, and not now, is what keeps a slow bucket from saving up a fast one's
-- tokens for a later burst. Moments before `lead` and beyond `horizon` are not given; `next` is the first of those
-- that could not be.
--
-- `fulls` says in how many seconds each bucket is full: before, and after.
CREATE FUNCTION slots(
    INOUT fulls double precision[], capacities double precision[], spacings double precision[],
    most integer, lead double precision, horizon double precision,
    OUT starts double precision[], OUT next double precision)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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

-- Takes up to `room` due jobs of a lane for a worker: higher priority first, then older first.
--
-- Each row with a job is a call that the worker may make between `starts_at` and `void_at`, moments on this
-- server's clock; a lane without limits never voids. One last row has no job. It says what the clock showed
-- (`told_at`), how long a call may take, and, where the room was not filled, which obstacle was met and when to look
-- again; null means that there is nothing to wait for but a notification.
--
-- To turn moments into its own, a worker counts from the receipt of the answer, `starts_at - told_at` for the start,
-- and from the sending of the question, `void_at - told_at` for the end. So it is never early, and never too late.
--
-- `hint` is the last answer's `next_hint`: a place in the order of the lane before which nothing was left. Behind a
-- transaction that keeps vacuum from cleaning up, thousands of dead jobs lie there. Leave it out now and then, for
-- a job may come back to an earlier place.
--
-- `lead` is how long an answer usually takes to reach the worker: no slot comes earlier, for it would be void.
CREATE FUNCTION claim_jobs(
    lane_name text, worker_id integer, room integer, hint text DEFAULT NULL, lead interval DEFAULT '0')
RETURNS TABLE (
    job bigint, lease bigint, failures smallint, subjects bigint[], starts_at timestamptz, void_at timestamptz,
    told_at timestamptz, call_limit interval, obstacle text, look_at timestamptz, next_hint text)
LANGUAGE plpgsql
-- Planning anew at each call would cost as much as the claim. A plan for all times must not depend on how full the
-- table was when it was made: read the index in its order, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
    -- How far ahead slots are promised.
    horizon CONSTANT double precision := 2;
    -- A lead beyond the horizon would leave no slot to give.
    lead_seconds CONSTANT double precision := least(greatest(extract(epoch FROM lead), 0), 1);
    the_lane lanes%ROWTYPE;
    is_quiet boolean;
    is_limited boolean;
    new_lease bigint;
    most integer := room;
    permitted integer;
    fulls double precision[];
    capacities double precision[];
    spacings double precision[];
    pers interval[];
    the_slots record;
    past_priority integer := split_part(hint, ' ', 1);
    past_id bigint := split_part(hint, ' ', 2);
    past_run_at timestamptz := split_part(hint, ' ', 3);
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
    -- Not now(), which is the start of the transaction: the lock may have taken a while.
    told_at := clock_timestamp();
    call_limit := the_lane.call_limit;

    SELECT quiet INTO is_quiet FROM workers WHERE id = worker_id;
    obstacle := CASE
        WHEN is_quiet IS NULL THEN 'struck off'
        WHEN is_quiet THEN 'quiet'
        WHEN the_lane.paused_at IS NOT NULL THEN 'paused'
        WHEN the_lane.blocked_until > told_at THEN 'blocked'
    END;
    IF obstacle IS NOT NULL THEN
        look_at := CASE obstacle WHEN 'blocked' THEN the_lane.blocked_until END;
        RETURN NEXT;
        RETURN;
    END IF;

    IF the_lane.calls_per_worker IS NOT NULL THEN
        most := least(most, the_lane.calls_per_worker - (
            SELECT count(*) FROM jobs WHERE lane = the_lane.id AND worker = worker_id));
    END IF;
    IF the_lane.faults >= the_lane.breaker_after THEN the_lane.calls_at_once := 1; END IF;
    IF the_lane.calls_at_once IS NOT NULL THEN
        most := least(most, the_lane.calls_at_once - (
            SELECT count(*) FROM jobs WHERE lane = the_lane.id AND worker IS NOT NULL));
    END IF;
    IF most <= 0 THEN
        obstacle := 'full';
        RETURN NEXT;
        RETURN;
    END IF;

    permitted := most;
    IF is_limited THEN
        -- The grace is taken out of the burst, or put between calls where there is no burst to take it from: calls
        -- that start late by up to the grace then stay within capacity + refill * t all the same.
        SELECT array_agg(least(greatest(extract(epoch FROM full_at - told_at), 0), horizon + c * s)
                         ORDER BY per),
               array_agg(c ORDER BY per), array_agg(s ORDER BY per), array_agg(per ORDER BY per)
        INTO fulls, capacities, spacings, pers
        FROM (
            SELECT per, full_at,
                   greatest(1, capacity - refill * grace / seconds) AS c,
                   seconds / (refill * the_lane.pace)
                       + greatest(0, grace - (capacity - 1) * seconds / refill) AS s
            FROM token_buckets,
            LATERAL (SELECT extract(epoch FROM per)::double precision AS seconds,
                            extract(epoch FROM the_lane.grace)::double precision AS grace) AS in_seconds
            WHERE lane = the_lane.id
        ) AS bucket;
        the_slots := slots(fulls, capacities, spacings, most, lead_seconds, horizon);
        permitted := cardinality(the_slots.starts);
        IF permitted = 0 THEN
            obstacle := 'tokens';
            look_at := told_at + make_interval(secs => the_slots.next - horizon);
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;

    -- A sub-select in an ARRAY: the planner takes a LIMIT it can't see for a tenth of the table, and would read all
    -- of it for a join. Row addresses leave it no choice.
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = the_lane.id
              AND priority = the_priority
              AND worker IS NULL
              AND run_at <= told_at
              AND (run_at, id) >= (
                  CASE WHEN past_priority = the_priority THEN past_run_at ELSE '-infinity' END,
                  CASE WHEN past_priority = the_priority THEN past_id ELSE 0 END)
            ORDER BY run_at, id
            LIMIT permitted - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
        EXIT WHEN cardinality(picks) >= permitted;
    END LOOP;

    IF cardinality(picks) > 0 THEN
        new_lease := nextval('leases');
        SELECT concat_ws(' ', priority, id, to_char(run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        INTO next_hint FROM jobs WHERE ctid = picks[1];
        IF is_limited THEN
            IF cardinality(picks) < permitted THEN
                -- Tokens are spent on jobs only.
                the_slots := slots(fulls, capacities, spacings, cardinality(picks), lead_seconds, horizon);
            END IF;
            UPDATE token_buckets
            -- The server's clock ticks in microseconds: rounding must not give any away.
            SET full_at = told_at + make_interval(secs => charged.full_in) + interval '1 microsecond'
            FROM unnest(pers, the_slots.fulls) AS charged (per, full_in)
            WHERE lane = the_lane.id AND token_buckets.per = charged.per;
            RETURN QUERY
                UPDATE jobs
                SET worker = worker_id,
                    lease = new_lease,
                    starts_at = told_at + make_interval(secs => the_slots.starts[array_position(picks, jobs.ctid)])
                WHERE ctid = ANY (picks)
                RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at,
                          jobs.starts_at + the_lane.grace, NULL::timestamptz, NULL::interval, NULL::text,
                          NULL::timestamptz, NULL::text;
        ELSE
            RETURN QUERY
                UPDATE jobs
                SET worker = worker_id, lease = new_lease, starts_at = told_at
                WHERE ctid = ANY (picks)
                RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at, NULL::timestamptz,
                          NULL::timestamptz, NULL::interval, NULL::text, NULL::timestamptz, NULL::text;
        END IF;
    END IF;

    IF cardinality(picks) < room THEN
        IF cardinality(picks) = most THEN
            obstacle := 'full';
        ELSIF cardinality(picks) = permitted THEN
            obstacle := 'tokens';
            look_at := told_at + make_interval(secs => the_slots.next - horizon);
        ELSE
            SELECT min(soonest.run_at)
            INTO look_at
            FROM generate_series(0, 3) AS p,
            LATERAL (
                SELECT run_at
                FROM jobs
                WHERE lane = the_lane.id AND priority = p AND worker IS NULL AND run_at > told_at
                ORDER BY run_at
                LIMIT 1
            ) AS soonest;
            obstacle := CASE WHEN look_at IS NULL THEN 'empty' ELSE 'scheduled' END;
        END IF;
    END IF;
    RETURN NEXT;
END
$$;
