-- Limits that are exact at a distance: what a worker doesn't know of this server's clock is made room for.

-- A worker knows this clock within a width, which is about its round trip. It makes a call for the slot s some time
-- within [s, s + g] on this clock, where g is the grace and the width. So the calls of a window [a, b] have slots in
-- [a - g, b]. Slots that keep to a burst of C' = C - rate * g then keep the window within C + rate * (b - a). The g for
-- which room is made is the grace and the spread, the widest width of the workers that claimed of late.
--
-- Where the burst is too small for that, C' is 1, and slots come one by one. What is lacking is paid for where one
-- worker's slots end and another's begin, with a gap, and not in each slot: one worker's width is the same from call
-- to call, as long as it times them all by the same reckoning of this clock. Then its calls are as far apart as its
-- slots, but for the grace. A window that holds calls of two workers holds a gap as well.
ALTER TABLE lanes
    -- The widest of this period, a minute or more, and of the one before. So a claim seldom writes them.
    ADD spread        interval    NOT NULL DEFAULT '0',
    ADD spread_before interval    NOT NULL DEFAULT '0',
    ADD spread_since  timestamptz NOT NULL DEFAULT 'epoch';

-- The breaker's memory. When the lane was last well after a fault, and until when it picks its jobs with care.
ALTER TABLE lanes
    ADD well_at    timestamptz NOT NULL DEFAULT 'epoch',
    ADD wary_until timestamptz NOT NULL DEFAULT 'epoch';

-- Whose claim was the last.
ALTER TABLE token_buckets ADD worker integer;

-- What the grace and the spread make of a limit of `refill` calls in `per` and `capacity` at once: the capacity and
-- the seconds between slots, so that calls keep to it that are late by up to the grace and the spread; and the gap in
-- seconds where another worker's slots begin.
--
-- A worker's reckoning of the clock may creep by 500 millionths, and no slot comes sooner for that.
CREATE FUNCTION careful_limit(
    refill double precision, per interval, burst double precision, pace real, grace interval, spread interval)
RETURNS TABLE (capacity double precision, spacing double precision, gap double precision)
-- A table, of one row, because only then the planner writes it out in the statement that asks.
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT greatest(1, burst - (late + wide) * rate),
           1 / (rate * pace) * CASE WHEN late + wide > slack AND wide > 0 THEN 1.0005 ELSE 1 END + greatest(0, late - slack),
           least(wide, greatest(0, late + wide - slack))
    FROM (
        SELECT refill / extract(epoch FROM per)::double precision AS rate,
               (burst - 1) / refill * extract(epoch FROM per)::double precision AS slack,
               extract(epoch FROM grace)::double precision AS late,
               extract(epoch FROM spread)::double precision AS wide
    ) AS seconds
$$;

-- The epochs of this server's clock: one ends when the clock is set, or when a server with another clock takes over.
CREATE TABLE server_clock (
    only_row boolean PRIMARY KEY DEFAULT true,
    epoch    integer NOT NULL DEFAULT 0,

    CONSTRAINT there_is_one_clock CHECK (only_row)
);

INSERT INTO server_clock DEFAULT VALUES;

-- By how much the clock was set, forwards or back.
CREATE TABLE clock_steps (
    -- The one that it began.
    epoch      integer     PRIMARY KEY,
    -- By the new clock. It was set shortly before.
    noticed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    size       interval    NOT NULL
);

-- Moves all that waits for a moment, or counts from one, to the clock as it was set: by `size`, which a process found
-- that knew the clock of `known_epoch`. False, and nothing happens, when somebody else was first.
--
-- Between the step and its discovery some was written by the new clock, and doesn't say so. What can't be told apart is
-- taken for what does less harm: nobody is struck off for it, no limit is broken, and a wait ends early but not late.
--
-- The order of locks is that of others: the leader's acts have the leadership first, claims the lane, then its buckets;
-- the end of a call its jobs, then the lane.
CREATE FUNCTION shift_clock(known_epoch integer, size interval) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    is_ahead CONSTANT boolean := size > '0';
    -- No slot is promised farther ahead, as in `claim_jobs`.
    farthest CONSTANT interval := '4 seconds';
    moment timestamptz;
BEGIN
    UPDATE server_clock SET epoch = epoch + 1 WHERE epoch = known_epoch;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO clock_steps (epoch, size) VALUES (known_epoch + 1, size);
    UPDATE leadership SET until = until + size;
    moment := clock_timestamp();
    UPDATE coordinators SET seen_at = past_moment(seen_at, size, moment), heard_since = past_moment(heard_since, size, moment);
    UPDATE workers SET seen_at = past_moment(seen_at, size, moment);
    UPDATE jobs SET run_at = run_at + size WHERE run_at > moment;
    UPDATE jobs
    SET starts_at = CASE WHEN is_ahead THEN least(starts_at + size, moment + farthest) ELSE starts_at + size END
    WHERE worker IS NOT NULL AND (is_ahead OR starts_at > moment + farthest);
    UPDATE lanes
    SET blocked_until = CASE WHEN blocked_until > least(moment, moment - size) THEN blocked_until + size
                             ELSE blocked_until END,
        wary_until = CASE WHEN wary_until > least(moment, moment - size) THEN wary_until + size ELSE wary_until END,
        well_at = past_moment(well_at, size, moment),
        pace_changed_at = past_moment(pace_changed_at, size, moment),
        spread_since = past_moment(spread_since, size, moment),
        limits_changed_at = past_moment(limits_changed_at, size, moment);
    UPDATE token_buckets
    SET full_at = full_at + size,
        -- Whoever counts anew counts by another bound.
        worker = NULL
    WHERE is_ahead OR full_at > moment + farthest + capacity / refill * per;
    PERFORM pg_notify('waypost_lanes', name) FROM lanes;
    RETURN true;
END
$$;

-- A moment that was in the past, when the clock is set by `size` and shows `moment`.
CREATE FUNCTION past_moment(past timestamptz, size interval, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        -- What was written since would be in the future.
        WHEN size > '0' THEN least(past + size, moment)
        WHEN past > moment THEN past + size
        ELSE past
    END
$$;

DROP FUNCTION claim_jobs;

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
CREATE FUNCTION claim_jobs(
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

-- Notes how uncertain a worker is that claims at `moment`, under the lane's lock. Returns the spread from now on.
--
-- A spread that grows leaves less burst, and needs nothing else. One that shrinks leaves more, while slots that were
-- promised before may still be called as late as was thought: so the difference is charged.
CREATE FUNCTION note_spread(the_lane lanes, uncertainty interval, moment timestamptz) RETURNS interval
LANGUAGE plpgsql AS $$
DECLARE
    old_spread CONSTANT interval := greatest(the_lane.spread, the_lane.spread_before);
    age CONSTANT interval := moment - the_lane.spread_since;
BEGIN
    IF age >= interval '1 minute' THEN
        -- The last period may have ended long ago.
        the_lane.spread_before := CASE WHEN age < interval '2 minutes' THEN the_lane.spread ELSE '0' END;
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
    END IF;
    RETURN greatest(the_lane.spread, the_lane.spread_before);
END
$$;

-- Up to `most` jobs of a lane that never failed: higher priority first, then newer first. Where there are fewer, the
-- jobs that failed follow in the lane's order. A single one is the one that waits longest, of any priority: so a probe is never
-- the job of the last one while others wait.
CREATE FUNCTION fresh_jobs(lane_id smallint, moment timestamptz, most integer) RETURNS tid[]
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
DECLARE
    picks tid[] := '{}';
BEGIN
    FOR the_priority IN REVERSE 3 .. 0 LOOP
        picks := picks || ARRAY (
            SELECT ctid
            FROM jobs
            WHERE lane = lane_id AND priority = the_priority AND worker IS NULL AND run_at <= moment AND history IS NULL
            ORDER BY run_at DESC, id DESC
            LIMIT most - cardinality(picks)
            FOR UPDATE SKIP LOCKED
        );
        EXIT WHEN cardinality(picks) >= most;
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
    RETURN picks;
END
$$;

-- A worker's report about jobs that it holds, each named with the lease under which the work was done. A job that is
-- held under another lease, or by nobody, is not touched. Returns a row for each job that was still held, with what
-- became of it, and one for each job that was made of its left-overs.
--
-- outcome   the job                                      the call                  the lane
-- --------  -------------------------------------------  ------------------------  ---------------------------
-- done      ends                                         is logged                 is well
-- moved     ends; its left-overs are queued elsewhere    is logged                 is well
-- retry     waits, a little longer each time; is dead    is logged                 one more fault; too many in
--           after the lane's most failures                                         a row open the breaker. None where
--                                                                                  other calls went well since the
--                                                                                  job's last failure: it is the job's
-- failed    is dead                                      is logged                 is well
-- snoozed   waits for `pause`, and is not charged        is logged                 is well
-- rate      waits, and is not charged                    is logged                 blocked for `pause`, slower
-- quota     waits, and is not charged                    is logged                 blocked for `pause`
-- released  waits as before                              was not made
-- void      waits as before                              was not made; is counted
--
-- `started` is in seconds since 1970 on this server's clock, null for a call that was not made. Left-overs are subjects of a job that ended as done or
-- moved which need another call: `left_lanes` says where, null in the same lane as one more failure of theirs. Those
-- for whom it was the last are dead, and reported as given up.
CREATE OR REPLACE FUNCTION finish_jobs(
    lane_name text, worker_id integer,
    jobs bigint[], leases bigint[], outcomes text[],
    started double precision[], took real[],
    pauses interval[], reasons text[],
    left_jobs bigint[] DEFAULT '{}', left_subjects bigint[] DEFAULT '{}', left_lanes text[] DEFAULT '{}',
    left_pauses interval[] DEFAULT '{}')
RETURNS TABLE (job bigint, fate text, successor bigint, subjects bigint[])
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    the_lane lanes%ROWTYPE;
    in_trouble boolean;
    faults_seen integer := 0;
    pause_seen interval;
    is_too_fast boolean := false;
    is_well boolean := false;
    outcome text;
    pause interval;
    was_made boolean;
    is_own boolean;
BEGIN
    SELECT * INTO STRICT the_lane FROM lanes WHERE name = lane_name;
    in_trouble := the_lane.faults >= the_lane.breaker_after
        OR coalesce(the_lane.blocked_until > clock_timestamp(), false);

    FOR job, fate, successor, subjects, outcome, pause, was_made, is_own IN
    WITH mine AS (
        SELECT id, lease, outcome, to_timestamp(started) AS started_at, took, pause, reason
        FROM unnest(finish_jobs.jobs, leases, outcomes, started, took, pauses, reasons)
            AS report (id, lease, outcome, started, took, pause, reason)
    ), ended AS (
        DELETE FROM jobs
        USING mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('done', 'moved', 'failed')
               OR outcome = 'retry'
                  AND (NOT in_trouble OR (history -> -1 ->> 'at')::timestamptz < the_lane.well_at)
                  AND failures + 1 >= the_lane.most_failures)
        RETURNING jobs.id, jobs.priority, jobs.failures, jobs.losses, jobs.subjects, jobs.history,
                  mine.outcome, mine.started_at, mine.took, mine.pause, mine.reason,
                  outcome IN ('retry', 'failed') AS is_dead,
                  coalesce((jobs.history -> -1 ->> 'at')::timestamptz < the_lane.well_at, false) AS is_own
    ), kept AS (
        UPDATE jobs
        SET worker = NULL,
            lease = NULL,
            starts_at = NULL,
            run_at = CASE outcome
                WHEN 'retry' THEN clock_timestamp() + greatest(
                    pause, random() * least(the_lane.longest_retry, the_lane.first_retry * power(2, least(failures, 30))))
                WHEN 'snoozed' THEN clock_timestamp() + pause
                ELSE run_at
            END,
            failures = failures + CASE
                WHEN outcome = 'retry'
                     AND (NOT in_trouble OR (history -> -1 ->> 'at')::timestamptz < the_lane.well_at)
                THEN 1 ELSE 0 END,
            history = CASE outcome
                WHEN 'retry' THEN coalesce(history, '[]') || jsonb_build_object(
                    'at', clock_timestamp(), 'worker', worker_id, 'reason', reason)
                ELSE history
            END
        FROM mine
        WHERE jobs.id = mine.id
          AND jobs.lease = mine.lease
          AND (outcome IN ('snoozed', 'rate', 'quota', 'released', 'void')
               OR outcome = 'retry'
                  AND (failures + 1 < the_lane.most_failures
                       OR in_trouble AND ((history -> -1 ->> 'at')::timestamptz < the_lane.well_at) IS NOT TRUE))
        -- The history has this failure by now.
        RETURNING jobs.id, jobs.subjects, mine.outcome, mine.started_at, mine.took, mine.pause,
                  coalesce((jobs.history -> -2 ->> 'at')::timestamptz < the_lane.well_at, false) AS is_own
    ), buried AS (
        INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)
        SELECT id, the_lane.id, priority, failures + 1, losses, subjects, coalesce(reason, 'it gave no reason'),
               coalesce(history, '[]') || jsonb_build_object(
                   'at', clock_timestamp(), 'worker', worker_id, 'reason', reason)
        FROM ended
        WHERE is_dead
    ), known AS (
        SELECT id, outcome, started_at, took, subjects FROM ended
        UNION ALL
        SELECT id, outcome, started_at, took, subjects FROM kept
    ), logged AS (
        INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
        SELECT started_at, took, the_lane.id, worker_id, cardinality(subjects), outcome::call_outcome
        FROM known
        WHERE started_at IS NOT NULL AND outcome NOT IN ('released', 'void')
    ), counted AS (
        INSERT INTO throughput AS t (minute, lane, worker, calls, subjects, retries, voided, late)
        SELECT date_trunc('minute', now()), the_lane.id, worker_id,
               count(known.started_at) FILTER (WHERE outcome NOT IN ('released', 'void')),
               coalesce(sum(cardinality(subjects)) FILTER (WHERE outcome IN ('done', 'moved', 'failed')), 0),
               count(*) FILTER (WHERE outcome IN ('retry', 'rate', 'quota')),
               count(*) FILTER (WHERE outcome = 'void'),
               cardinality(finish_jobs.jobs) - count(*)
        FROM known
        ON CONFLICT (minute, lane, worker) DO UPDATE
        SET calls = t.calls + excluded.calls,
            subjects = t.subjects + excluded.subjects,
            retries = t.retries + excluded.retries,
            voided = t.voided + excluded.voided,
            late = t.late + excluded.late
    ), left_over AS (
        SELECT ended.id AS job, ended.priority, ended.failures, ended.history, target.id AS lane, target.batch,
               left_out.subject, left_out.pause, left_out.lane IS NULL AS is_again,
               left_out.lane IS NULL AND ended.failures + 1 >= the_lane.most_failures AS is_last,
               row_number() OVER (PARTITION BY ended.id, target.id, left_out.pause ORDER BY left_out.place) AS number
        FROM unnest(left_jobs, left_subjects, left_lanes, left_pauses)
            WITH ORDINALITY AS left_out (job, subject, lane, pause, place)
        JOIN ended ON ended.id = left_out.job AND NOT ended.is_dead
        -- An unknown lane is an error of the insert below, and not a subject that nobody carries.
        LEFT JOIN lanes AS target ON target.name = coalesce(left_out.lane, lane_name)
    ), requeued AS (
        INSERT INTO jobs (id, lane, priority, run_at, failures, history, subjects)
        OVERRIDING SYSTEM VALUE
        SELECT nextval(pg_get_serial_sequence('jobs', 'id')), lane, priority, clock_timestamp() + pause,
               CASE WHEN is_again THEN failures + 1 ELSE 0 END, history, array_agg(subject ORDER BY number)
        FROM left_over
        WHERE NOT is_last
        GROUP BY job, lane, pause, priority, failures, history, is_again, (number - 1) / batch
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
    SELECT id, CASE WHEN is_dead THEN 'dead' ELSE 'ended' END, NULL::bigint, NULL::bigint[], outcome, pause,
           started_at IS NOT NULL, is_own
    FROM ended
    UNION ALL
    SELECT id, 'kept', NULL, NULL, outcome, pause, started_at IS NOT NULL, is_own FROM kept
    UNION ALL
    SELECT DISTINCT ON (made.id) left_over.job, made.fate, made.id, made.subjects, NULL, NULL, false, false
    FROM (SELECT *, 'left over' AS fate FROM requeued UNION ALL SELECT *, 'given up' FROM given_up) AS made
    JOIN left_over ON left_over.subject = ANY (made.subjects) AND left_over.lane = made.lane
    LOOP
        RETURN NEXT;
        CASE
            WHEN outcome = 'retry' THEN faults_seen := faults_seen + CASE WHEN is_own THEN 0 ELSE 1 END;
            WHEN outcome IN ('rate', 'quota') THEN
                pause_seen := greatest(pause_seen, pause);
                is_too_fast := is_too_fast OR outcome = 'rate';
            ELSE is_well := is_well OR was_made AND outcome <> 'void';
        END CASE;
    END LOOP;

    -- What the calls say about the lane. One that is well, as nearly always, is not touched.
    IF faults_seen > 0 OR pause_seen IS NOT NULL
        OR is_well AND (the_lane.faults > 0 OR the_lane.trips > 0 OR the_lane.wary_until > clock_timestamp())
    THEN
        PERFORM heed_calls(the_lane.id, faults_seen, is_well, pause_seen, is_too_fast);
    END IF;
    PERFORM pg_notify('waypost_jobs', name) FROM unnest(left_lanes) AS name WHERE name IS NOT NULL GROUP BY name;
END
$$;

-- What calls that just ended mean for their lane: the breaker, the block, and the learned rate.
CREATE OR REPLACE FUNCTION heed_calls(
    lane_id smallint, faults_seen integer, is_well boolean, pause interval, is_too_fast boolean)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    the_lane lanes%ROWTYPE;
    moment timestamptz;
BEGIN
    SELECT * INTO the_lane FROM lanes WHERE id = lane_id FOR NO KEY UPDATE;
    moment := clock_timestamp();
    IF is_well THEN
        the_lane.faults := 0;
        the_lane.trips := 0;
        the_lane.well_at := moment;
    ELSIF the_lane.blocked_until IS NULL OR the_lane.blocked_until <= moment THEN
        -- Calls that were under way when the breaker opened say nothing new.
        the_lane.faults := the_lane.faults + faults_seen;
        IF faults_seen > 0 AND the_lane.faults >= the_lane.breaker_after THEN
            the_lane.blocked_until := moment
                + least(interval '5 minutes', interval '5 seconds' * power(2, least(the_lane.trips, 10)));
            the_lane.blocked_because := the_lane.faults || ' calls in a row failed';
            the_lane.trips := the_lane.trips + 1;
            the_lane.wary_until := the_lane.blocked_until + interval '1 minute';
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
        well_at = the_lane.well_at, wary_until = the_lane.wary_until
    WHERE id = lane_id;
    -- One cut for all the calls that were under way together.
    IF is_too_fast AND (the_lane.pace_changed_at IS NULL OR the_lane.pace_changed_at < moment - interval '5 seconds')
    THEN
        PERFORM set_pace(lane_id, greatest(0.01, the_lane.pace * 0.7)::real);
    END IF;
    IF the_lane.blocked_until > moment THEN
        PERFORM pg_notify('waypost_lanes', the_lane.name);
    END IF;
END
$$;
