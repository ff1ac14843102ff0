-- Updates a lane after calls ended: the breaker, the block, and the pace. The rules are in breaker.sql and pace.sql.
-- `failure` is the reason of one failed call; null if none failed.
CREATE OR REPLACE FUNCTION update_lane_health(
    lane_id smallint, faults_seen integer, is_well boolean, pause interval, is_too_fast boolean, failure text)
RETURNS void
LANGUAGE plpgsql AS $$
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
        IF NOT is_probing(the_lane) THEN
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
    ELSIF is_well AND the_lane.pace < 1 AND may_speed_up(the_lane.pace_changed_at, moment) THEN
        -- Only an answer proves that the provider accepts this pace. A lane that makes no calls learns nothing.
        PERFORM set_pace(lane_id, faster_pace(the_lane.pace));
    END IF;
END
$$;
