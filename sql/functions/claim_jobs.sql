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
-- `crowd`, in the last row, is how many workers share the claims that one would make: see `lane_crowd`. Each of them
-- follows only one of `crowd` notifications. If the limits permit no more jobs, it also waits longer by this factor.
-- Null if the claim filled the room.
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
    due_at timestamptz, trace text, crowd real)
LANGUAGE plpgsql
-- Planning at each call would cost as much as the claim itself. A generic plan must not depend on how full the table
-- was when it was planned: read the index in its order, whatever the statistics are.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    is_limited boolean;
    -- How many jobs the caps permit, and how many of these have slots.
    most integer;
    permitted integer;
    the_slots record;
    starts double precision[];
    picks tid[] := '{}';
    new_lease bigint;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE name = lane_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no lane called "%"', lane_name USING ERRCODE = 'no_data_found';
    END IF;
    is_limited := EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id);
    IF is_limited OR most_at_once(the_lane) IS NOT NULL OR the_lane.machines IS NOT NULL THEN
        -- One claim at a time, until commit.
        SELECT * INTO the_lane FROM lanes WHERE id = the_lane.id FOR NO KEY UPDATE;
    ELSE
        -- Each claim steps over the jobs of all claims that have not committed. With dozens of large claims this costs
        -- more than everything else, so the others wait.
        PERFORM pg_advisory_xact_lock(claim_lock(), the_lane.id * 65536 + worker_id % claims_at_once(room));
    END IF;
    -- Not now(), which is the start of the transaction: waiting for the lock may have taken a while.
    told_at := clock_timestamp();
    uncertainty := greatest(uncertainty, '0');
    call_limit := the_lane.call_limit;

    most := free_places(the_lane.id, worker_id, room, the_lane.calls_per_worker, most_at_once(the_lane));
    obstacle := coalesce(
        worker_obstacle(worker_id, known_epoch, earliest, latest), machine_obstacle(the_lane, worker_id),
        lane_obstacle(the_lane, told_at),
        CASE WHEN is_limited AND uncertainty > most_uncertainty() THEN 'too far' WHEN most <= 0 THEN 'full' END);
    IF obstacle IS NOT NULL THEN
        look_at := CASE obstacle WHEN 'blocked' THEN the_lane.blocked_until END;
        crowd := lane_crowd(the_lane, room);
        RETURN NEXT;
        RETURN;
    END IF;
    IF is_limited THEN
        the_slots := lane_slots(the_lane, CASE WHEN steady THEN worker_id END, told_at, most, uncertainty, lead);
        starts := the_slots.starts;
    END IF;
    -- If the limits were removed before the lane was locked, `starts` is null.
    permitted := coalesce(cardinality(starts), most);

    IF the_lane.wary_until > told_at AND permitted > 0 THEN
        picks := fresh_jobs(the_lane.id, told_at, permitted);
        hint := NULL;
    END IF;
    IF cardinality(picks) < permitted THEN picks := oldest_jobs(the_lane.id, told_at, permitted, hint, picks); END IF;

    IF cardinality(picks) > 0 THEN
        IF starts IS NOT NULL THEN
            starts := charge_tokens(
                the_lane.id, worker_id, told_at, the_slots, cardinality(picks), num_nulls(known_epoch, latest) = 0);
        END IF;
        new_lease := nextval('leases');
        SELECT concat_ws(' ', priority, id, to_char(run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
        INTO next_hint FROM jobs WHERE ctid = picks[1] AND the_lane.wary_until <= told_at;
        RETURN QUERY
            UPDATE jobs
            SET worker = worker_id, lease = new_lease,
                starts_at = told_at + CASE
                    WHEN starts IS NULL THEN '0' ELSE make_interval(secs => starts[array_position(picks, jobs.ctid)]) END
            WHERE ctid = ANY (picks)
            RETURNING id, new_lease, jobs.failures, jobs.subjects, jobs.starts_at,
                      CASE WHEN starts IS NOT NULL THEN jobs.starts_at + the_lane.grace + uncertainty END,
                      NULL::timestamptz, NULL::interval, NULL::text, NULL::timestamptz, NULL::text, run_at, jobs.trace,
                      NULL::real;
    END IF;

    IF cardinality(picks) < room THEN
        crowd := lane_crowd(the_lane, room);
        IF cardinality(picks) = most THEN
            obstacle := 'full';
        ELSIF cardinality(picks) = permitted THEN
            obstacle := 'tokens';
            look_at := the_slots.look_at;
        ELSE
            look_at := next_run_at(the_lane.id, told_at);
            obstacle := CASE WHEN look_at IS NULL THEN 'empty' ELSE 'scheduled' END;
        END IF;
    END IF;
    RETURN NEXT;
END
$$;
