-- Claims up to `room` due jobs of a lane for a worker: higher priority first, then older first.
--
-- Each row with a job is a call that the worker may start between `starts_at` and `void_at`, moments on this server's
-- clock. In a lane without limits `void_at` is null. One last row has no job. It contains the server's time (`told_at`)
-- and how long a call may take (`call_limit`). If fewer jobs than `room` were claimed, it also contains the reason
-- (`obstacle`) and when to claim again (`look_at`). A null `look_at` means: wait for a notification.
--
-- To convert these moments to its own clock, a worker keeps two bounds between which this server's clock surely is. It
-- calls when the clock has surely reached `starts_at`, and not when it may have passed `void_at`. `uncertainty` is the
-- distance of the two bounds. `void_at` is later by the same amount, so that the grace remains. `steady` is true if the
-- worker has converted all moments since its last claim with the same bound, or with one that moved by at most 500
-- millionths. Otherwise the claim pays a gap.
--
-- `hint` is the `next_hint` of the last claim: a place in the lane's order before which no job was left. While a long
-- transaction keeps vacuum from cleaning up, thousands of dead rows lie before it. Leave `hint` out now and then,
-- because a job may come back to an earlier place.
--
-- `lead` is how long a reply usually takes to reach the worker. No slot is earlier than that, because it would be void.
--
-- `known_epoch` is the epoch of this server's clock to which the worker's bounds belong. `earliest` and `latest` are
-- the moments between which the worker expects the clock to be when the statement arrives. If the epoch or the clock
-- differs, no job is claimed.
--
-- For a while after the breaker opened, jobs that never failed are claimed first, starting with the newest: the older
-- jobs may be the cause of the failures, not the provider.
--
-- `due_at` is the time since which the job could have been claimed. `trace` is the header `traceparent` of the request
-- that queued the job, followed by a space and `tracestate`; null without tracing.

-- CREATE OR REPLACE can't change the columns of the result.
DROP FUNCTION IF EXISTS claim_jobs(
    text, integer, integer, text, interval, interval, boolean, integer, timestamptz, timestamptz);

CREATE FUNCTION claim_jobs(
    lane_name text, worker_id integer, room integer, hint text DEFAULT NULL, lead interval DEFAULT '0',
    uncertainty interval DEFAULT '0', steady boolean DEFAULT false,
    known_epoch integer DEFAULT NULL, earliest timestamptz DEFAULT NULL, latest timestamptz DEFAULT NULL)
RETURNS TABLE (
    job bigint, lease bigint, failures smallint, subjects bigint[], starts_at timestamptz, void_at timestamptz,
    told_at timestamptz, call_limit interval, obstacle text, look_at timestamptz, next_hint text,
    due_at timestamptz, trace text)
LANGUAGE plpgsql
-- Planning at each call would cost as much as the claim itself. A generic plan must not depend on how full the table
-- was when it was planned: read the index in its order, whatever the statistics are.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
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
