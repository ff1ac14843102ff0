-- The learned rate of a lane as a share of the permitted one: it is cut when the provider says "too fast", and raised step by step
-- while it does not.

-- A cut to 0.7 of the pace, and never below a hundredth of the permitted rate.
CREATE OR REPLACE FUNCTION slower_pace(pace real) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN greatest(0.01, pace * 0.7)::real;

-- One cut for all the calls that were under way together: the next comes after 5 s at the earliest.
CREATE OR REPLACE FUNCTION may_slow_down(pace_changed_at timestamptz, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN pace_changed_at IS NULL OR pace_changed_at < moment - interval '5 seconds';

-- A step up by 0.05 of the permitted rate.
CREATE OR REPLACE FUNCTION faster_pace(pace real) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(1, pace + 0.05)::real;

-- The next step up comes 10 s after the last change.
CREATE OR REPLACE FUNCTION may_speed_up(pace_changed_at timestamptz, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN pace_changed_at IS NULL OR pace_changed_at <= moment - interval '10 seconds';

-- When the last slot of a lane that was promised will have gone by; now, when there is none.
--
-- A bucket whose rate changes is reckoned at the old rate until then. Past it, what is missing stays missing, in
-- tokens. So a promise, which may be kept by a worker that has not heard of the change, is charged as it was made.
CREATE OR REPLACE FUNCTION last_promise(lane_id smallint) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT greatest(clock_timestamp(), max(starts_at)) FROM jobs WHERE lane = lane_id AND worker IS NOT NULL
$$;

-- Changes a lane's learned rate.
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
