-- Infinity, NaN and years after 9999 mean nothing in these columns. Another program could write them, and a process
-- that read them ended. A row that has such a value gets the nearest possible one.

-- step
DO $$
DECLARE
    place record;
BEGIN
    FOR place IN
        SELECT table_name AS relation, column_name AS name
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND data_type = 'timestamp with time zone'
          AND table_name IN ('lanes', 'token_buckets', 'server_clock', 'backlogs', 'sinks')
    LOOP
        EXECUTE format(
            'UPDATE %1$I SET %2$I = CASE WHEN %2$I > now() THEN ''9999-12-31 Z''::timestamptz '
            'ELSE ''0001-01-01 Z''::timestamptz END WHERE NOT %2$I BETWEEN ''0001-01-01 Z'' AND ''9999-12-31 Z''',
            place.relation, place.name);
    END LOOP;
END
$$;
UPDATE lanes
SET call_limit = least(call_limit, '366 days'), first_retry = least(first_retry, '366 days'),
    longest_retry = least(longest_retry, '366 days'), spread = least(spread, '366 days'),
    spread_before = least(spread_before, '366 days')
WHERE greatest(call_limit, first_retry, longest_retry, spread, spread_before) > '366 days';
DELETE FROM backlogs WHERE NOT (least(ready, later, dead) >= 0 AND greatest(ready, later, dead) <= 1000000000000);
UPDATE token_buckets SET refill = 1e9 WHERE refill >= 'Infinity';
UPDATE token_buckets SET capacity = 1e9 WHERE capacity >= 'Infinity';
UPDATE server_clock SET checked_at = NULL, checked_boot = NULL, checked_from = NULL, checked_to = NULL
WHERE NOT (least(checked_from, checked_to) > '-Infinity' AND greatest(checked_from, checked_to) < 'Infinity');
ALTER TABLE lanes
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(
            paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at,
            wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) >= '0001-01-01 Z'
        AND greatest(
            paused_at, blocked_until, pace_changed_at, limits_changed_at, spread_since, well_at,
            wary_until, probed_run_at, buckets_converted_at, denied_since, failed_at) <= '9999-12-31 Z'),
    ADD CONSTRAINT waits_are_finite CHECK (
        greatest(grace, call_limit, first_retry, longest_retry, spread, spread_before) <= '366 days');
ALTER TABLE token_buckets
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(full_at, charged_at) >= '0001-01-01 Z'
        AND greatest(full_at, charged_at) <= '9999-12-31 Z'),
    ADD CONSTRAINT a_limit_is_finite CHECK (refill < 'Infinity' AND capacity < 'Infinity');
ALTER TABLE server_clock
    ADD CONSTRAINT moments_have_a_date CHECK (checked_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z'),
    ADD CONSTRAINT boot_times_are_finite CHECK (
        least(checked_from, checked_to) > '-Infinity' AND greatest(checked_from, checked_to) < 'Infinity');
ALTER TABLE backlogs
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(counted_at, last_due) >= '0001-01-01 Z'
        AND greatest(counted_at, last_due) <= '9999-12-31 Z'),
    ADD CONSTRAINT a_backlog_is_possible CHECK (
        least(ready, later, dead) >= 0 AND greatest(ready, later, dead) <= 1000000000000);
ALTER TABLE sinks
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(changed_at, noticed_at) >= '0001-01-01 Z'
        AND greatest(changed_at, noticed_at) <= '9999-12-31 Z');

-- step
ALTER TABLE jobs
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(run_at, starts_at) >= '0001-01-01 Z'
        AND greatest(run_at, starts_at) <= '9999-12-31 Z') NOT VALID;
ALTER TABLE dead_jobs
    ADD CONSTRAINT moments_have_a_date CHECK (died_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID;
ALTER TABLE geocodes
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(geocoded_at, expires_at, pinned_at) >= '0001-01-01 Z'
        AND greatest(geocoded_at, expires_at, pinned_at) <= '9999-12-31 Z') NOT VALID;
ALTER TABLE trackers
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(newest_at, seen_at, start_at, uploaded_at, settled_at) >= '0001-01-01 Z'
        AND greatest(newest_at, seen_at, start_at, uploaded_at, settled_at) <= '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT periods_have_a_date CHECK (
        NOT lower_inf(on_times) AND lower(on_times) >= '0001-01-01 Z'
        AND coalesce(upper(on_times), '0001-01-01 Z') <= '9999-12-31 Z'
        AND '0001-01-01 Z' <= ALL (stops) AND '9999-12-31 Z' >= ALL (stops)) NOT VALID;
ALTER TABLE clock_steps
    ADD CONSTRAINT moments_have_a_date CHECK (noticed_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID;
ALTER TABLE calls
    ADD CONSTRAINT moments_have_a_date CHECK (started_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT a_call_takes_some_time CHECK (took >= 0 AND took < 'Infinity') NOT VALID;
ALTER TABLE throughput
    ADD CONSTRAINT moments_have_a_date CHECK (minute BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT subjects_are_counted CHECK (subjects BETWEEN 0 AND 1000000000000000) NOT VALID;
ALTER TABLE fixes
    ADD CONSTRAINT moments_have_a_date CHECK (at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID;
ALTER TABLE pending_locations
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(at, changed_at) >= '0001-01-01 Z'
        AND greatest(at, changed_at) <= '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT a_location_is_on_earth CHECK (lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180) NOT VALID,
    ADD CONSTRAINT an_accuracy_is_not_negative CHECK (accuracy >= 0 AND accuracy < 'Infinity') NOT VALID;

-- step in batches of jobs
UPDATE jobs SET run_at = greatest(least(run_at, '9999-12-31 Z'), '0001-01-01 Z')
WHERE id BETWEEN :first AND :last AND NOT run_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z';

-- step in batches of dead_jobs
UPDATE dead_jobs SET died_at = greatest(least(died_at, '9999-12-31 Z'), '0001-01-01 Z')
WHERE id BETWEEN :first AND :last AND NOT died_at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z';

-- step in batches of geocodes
UPDATE geocodes
SET geocoded_at = CASE
        WHEN geocoded_at IS NOT NULL THEN greatest(least(geocoded_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    expires_at = CASE
        WHEN expires_at IS NOT NULL THEN greatest(least(expires_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    pinned_at = CASE
        WHEN pinned_at IS NOT NULL THEN greatest(least(pinned_at, '9999-12-31 Z'), '0001-01-01 Z') END
WHERE id BETWEEN :first AND :last
  AND NOT (least(geocoded_at, expires_at, pinned_at) >= '0001-01-01 Z'
           AND greatest(geocoded_at, expires_at, pinned_at) <= '9999-12-31 Z');

-- step in batches of trackers
UPDATE trackers
SET newest_at = CASE
        WHEN newest_at IS NOT NULL THEN greatest(least(newest_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    seen_at = CASE
        WHEN seen_at IS NOT NULL THEN greatest(least(seen_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    start_at = CASE
        WHEN start_at IS NOT NULL THEN greatest(least(start_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    uploaded_at = CASE
        WHEN uploaded_at IS NOT NULL THEN greatest(least(uploaded_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    settled_at = CASE
        WHEN settled_at IS NOT NULL THEN greatest(least(settled_at, '9999-12-31 Z'), '0001-01-01 Z') END,
    on_times = on_times * tstzmultirange(
        tstzrange('0001-01-01 Z', CASE WHEN NOT upper_inf(on_times) THEN '9999-12-31 Z'::timestamptz END)),
    stops = ARRAY (
        SELECT stop FROM unnest(stops) AS stop WHERE stop BETWEEN '0001-01-01 Z' AND '9999-12-31 Z' ORDER BY stop)
WHERE id BETWEEN :first AND :last
  AND NOT (coalesce(least(newest_at, seen_at, start_at, uploaded_at, settled_at), '0001-01-01 Z') >= '0001-01-01 Z'
           AND coalesce(greatest(newest_at, seen_at, start_at, uploaded_at, settled_at), '0001-01-01 Z')
               <= '9999-12-31 Z'
           AND NOT lower_inf(on_times) AND coalesce(lower(on_times), '0001-01-01 Z') >= '0001-01-01 Z'
           AND coalesce(upper(on_times), '0001-01-01 Z') <= '9999-12-31 Z'
           AND '0001-01-01 Z' <= ALL (stops) AND '9999-12-31 Z' >= ALL (stops));

-- step
ALTER TABLE jobs VALIDATE CONSTRAINT moments_have_a_date;

-- step
ALTER TABLE dead_jobs VALIDATE CONSTRAINT moments_have_a_date;

-- step
ALTER TABLE geocodes VALIDATE CONSTRAINT moments_have_a_date;

-- step
ALTER TABLE trackers VALIDATE CONSTRAINT moments_have_a_date;

-- step
ALTER TABLE trackers VALIDATE CONSTRAINT periods_have_a_date;

-- step
ALTER TABLE clock_steps VALIDATE CONSTRAINT moments_have_a_date;
