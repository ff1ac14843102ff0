-- The pace of a lane: the share of the permitted rate that it uses. It is cut when the provider replies "too fast", and
-- raised step by step by answered calls.

-- Cuts the pace to 0.7 of itself, but never below a hundredth of the permitted rate.
CREATE OR REPLACE FUNCTION slower_pace(pace real) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN greatest(0.01, pace * 0.7)::real;

-- Calls that were under way together cause one cut: the next one is possible after 5 s.
CREATE OR REPLACE FUNCTION may_slow_down(pace_changed_at timestamptz, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN pace_changed_at IS NULL OR pace_changed_at < moment - interval '5 seconds';

-- Returns the pace by this server's clock. While the clock is slewed ahead, slots are farther apart on it, so that calls
-- are not closer together.
CREATE OR REPLACE FUNCTION clock_pace(pace real) RETURNS real
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (pace / (1 + (SELECT rate FROM server_clock)))::real;

-- Raises the pace by 0.05 of the permitted rate.
CREATE OR REPLACE FUNCTION faster_pace(pace real) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(1, pace + 0.05)::real;

-- The next raise is possible 10 s after the last change, by the next answered call.
CREATE OR REPLACE FUNCTION may_speed_up(pace_changed_at timestamptz, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN pace_changed_at IS NULL OR pace_changed_at <= moment - interval '10 seconds';

-- Returns the start of the last promised slot of a lane; the present time if there is none.
--
-- Until then a bucket whose rate changes is converted at the old rate. After it, the number of missing tokens stays the
-- same. So a promised slot keeps its old charge, because its worker may use it without knowing of the change.
CREATE OR REPLACE FUNCTION last_promise(lane_id smallint) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT greatest(clock_timestamp(), max(starts_at)) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL
$$;

-- Changes a lane's pace.
CREATE OR REPLACE FUNCTION set_pace(lane_id smallint, new_pace real) RETURNS void
LANGUAGE plpgsql AS $$
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
