-- Takes up to `room` due jobs of a lane for a worker: higher priority first, then older first.
--
-- Each row with a job is a call that the worker may make between `starts_at` and `void_at`, moments on this
-- server's clock; a lane without limits never voids. One last row has no job. It says what the clock showed
-- (`told_at`), how long a call may take, and, where the room was not filled, which obstacle was met and when to look
-- again; null means that there is nothing to wait for but a notification.
--
-- To turn moments into its own, a worker keeps two bounds between which this server's clock surely is. It calls when
-- the clock has surely reached `starts_at`, and not when it has perhaps passed `void_at`. `uncertainty` is how far its
-- bounds are apart: `void_at` comes as much later, so that the grace is left. `steady` says that it turned all moments
-- since its last claim by the same bound, or one that moved by 500 millionths at most. It costs a gap not to.
--
-- `hint` is the last answer's `next_hint`: a place in the order of the lane before which nothing was left. Behind a
-- transaction that keeps vacuum from cleaning up, thousands of dead jobs lie there. Leave it out now and then, for
-- a job may come back to an earlier place.
--
-- `lead` is how long an answer usually takes to reach the worker: no slot comes earlier, for it would be void.
--
-- `known_epoch` is the epoch of this server's clock to which the worker's bounds belong, `earliest` and `latest` are the
-- moments between which it expects the clock to be when the question arrives. Nothing is given where that is not so.
--
-- For a while after the breaker opened, jobs that never failed go first, and the newest of them: those that came before
-- may be what fails, and not the provider.
CREATE OR REPLACE FUNCTION claim_jobs(
    lane_name text, worker_id integer, room integer, hint text DEFAULT NULL, lead interval DEFAULT '0',
    uncertainty interval DEFAULT '0', steady boolean DEFAULT false,
    known_epoch integer DEFAULT NULL, earliest timestamptz DEFAULT NULL, latest timestamptz DEFAULT NULL)
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
    -- How far ahead slots are promised: to a distant worker farther, for an answer that is lost on its way and sent again
    -- takes several round trips.
    farthest CONSTANT double precision := 4;
    horizon CONSTANT double precision := least(
        farthest, 2 + 5 * coalesce(greatest(extract(epoch FROM uncertainty), 0), 0));
    -- A lead beyond the horizon would leave no slot to give.
    lead_seconds CONSTANT double precision := least(greatest(extract(epoch FROM lead), 0), horizon / 2);
    the_lane lanes%ROWTYPE;
    is_quiet boolean;
    is_limited boolean;
    new_lease bigint;
    most integer := room;
    permitted integer;
    the_spread interval;
    fulls double precision[];
    capacities double precision[];
    spacings double precision[];
    pers interval[];
    wait double precision;
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
    uncertainty := coalesce(greatest(uncertainty, '0'), '0');
    call_limit := the_lane.call_limit;

    SELECT quiet INTO is_quiet FROM workers WHERE id = worker_id;
    obstacle := CASE
        WHEN is_quiet IS NULL THEN 'struck off'
        WHEN is_quiet THEN 'quiet'
        -- Not told_at: the question may have waited for the lock.
        WHEN statement_timestamp() NOT BETWEEN earliest AND latest
            OR known_epoch <> (SELECT epoch FROM server_clock WHERE only_row) THEN 'clock'
        WHEN the_lane.paused_at IS NOT NULL THEN 'paused'
        WHEN the_lane.blocked_until > told_at THEN 'blocked'
        WHEN is_limited AND uncertainty > interval '1 second' THEN 'too far'
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
        the_spread := greatest(the_lane.spread, the_lane.spread_before);
        IF uncertainty > the_lane.spread OR the_spread > '0' AND told_at >= the_lane.spread_since + interval '1 minute'
        THEN
            the_spread := note_spread(the_lane, uncertainty, told_at);
        END IF;
        -- The wait is for so much time before the horizon that a gap is a small part of it.
        SELECT array_agg(least(greatest(missing + gap, 0), farthest + capacity * spacing + gap) ORDER BY per),
               array_agg(careful ORDER BY per), array_agg(spacing ORDER BY per), array_agg(per ORDER BY per),
               max(CASE WHEN gap > 0 THEN
                   missing + gap - greatest(lead_seconds, horizon - least(20 * gap, 0.75 * horizon)) END)
        INTO fulls, capacities, spacings, pers, wait
        FROM (
            SELECT per, token_buckets.capacity, limits.capacity AS careful, limits.spacing,
                   extract(epoch FROM full_at - told_at)::double precision AS missing,
                   CASE WHEN steady AND worker = worker_id THEN 0 ELSE limits.gap END AS gap
            FROM token_buckets,
            LATERAL careful_limit(refill, per, token_buckets.capacity, the_lane.pace, the_lane.grace, the_spread)
                AS limits
            WHERE lane = the_lane.id
        ) AS bucket;
        -- The limits may be gone since.
        is_limited := fulls IS NOT NULL;
    END IF;
    IF is_limited THEN
        the_slots := slots(fulls, capacities, spacings, CASE WHEN wait > 0 THEN 0 ELSE most END, lead_seconds, horizon);
        permitted := cardinality(the_slots.starts);
        IF permitted = 0 THEN
            obstacle := 'tokens';
            look_at := told_at + make_interval(secs => greatest(wait, the_slots.next - horizon));
            RETURN NEXT;
            RETURN;
        END IF;
    END IF;

    IF the_lane.wary_until > told_at THEN
        picks := fresh_jobs(the_lane.id, told_at, permitted);
        hint := NULL;
    END IF;
    -- A sub-select in an ARRAY: the planner takes a LIMIT it can't see for a tenth of the table, and would read all
    -- of it for a join. Row addresses leave it no choice.
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        EXIT WHEN cardinality(picks) >= permitted;
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = the_lane.id
              AND priority = the_priority
              AND worker IS NULL
              AND run_at <= told_at
              AND ctid <> ALL (picks)
              AND (run_at, id) >= (
                  CASE WHEN past_priority = the_priority THEN past_run_at ELSE '-infinity' END,
                  CASE WHEN past_priority = the_priority THEN past_id ELSE 0 END)
            ORDER BY run_at, id
            LIMIT permitted - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
    END LOOP;

    IF cardinality(picks) > 0 THEN
        new_lease := nextval('leases');
        SELECT concat_ws(' ', priority, id, to_char(run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        INTO next_hint FROM jobs WHERE ctid = picks[1] AND the_lane.wary_until <= told_at;
        IF is_limited THEN
            IF cardinality(picks) < permitted THEN
                -- Tokens are spent on jobs only.
                the_slots := slots(fulls, capacities, spacings, cardinality(picks), lead_seconds, horizon);
            END IF;
            UPDATE token_buckets
            -- The server's clock ticks in microseconds: rounding must not give any away.
            SET full_at = told_at + make_interval(secs => charged.full_in) + interval '1 microsecond',
                worker = worker_id
            FROM unnest(pers, the_slots.fulls) AS charged (per, full_in)
            WHERE lane = the_lane.id AND token_buckets.per = charged.per;
            RETURN QUERY
                UPDATE jobs
                SET worker = worker_id,
                    lease = new_lease,
                    starts_at = told_at + make_interval(secs => the_slots.starts[array_position(picks, jobs.ctid)])
                WHERE ctid = ANY (picks)
                RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at,
                          jobs.starts_at + the_lane.grace + uncertainty, NULL::timestamptz, NULL::interval,
                          NULL::text, NULL::timestamptz, NULL::text;
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
