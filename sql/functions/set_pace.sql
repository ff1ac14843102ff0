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
    UPDATE lanes SET pace = new_pace, pace_changed_at = clock_timestamp() WHERE id = lane_id;
END
$$;
