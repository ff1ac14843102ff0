-- Accepts this server's clock as it is. A process calls it at start, when no living process knows whether the clock was
-- set since the last check. Changes nothing if another process was first.
--
-- It is unknown how much time has passed since the last check, so a bucket gains nothing for that time: it holds what
-- it held at that check, or at its last claim. That breaks no limit, whatever the clock did, and a full bucket stays
-- full.
--
-- A clock that shows less than at the last check was set back, by at least that difference. Waits that were set by the
-- old clock then end earlier by the same difference. A wait may end too early, but never lasts longer than its maximum.
CREATE OR REPLACE FUNCTION adopt_clock(
    known_epoch integer,
    -- `is_first` is false if another process was first. `unchecked` is the time that seems to have passed since the
    -- last check; null if there was none.
    OUT is_first boolean, OUT unchecked interval)
LANGUAGE plpgsql AS $$
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
    INSERT INTO clock_steps (epoch, size, rate) SELECT epoch, back, rate FROM server_clock;
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
