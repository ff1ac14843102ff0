-- Returns the locations that the jobs of a sink's lane are to upload. For each tracker that is on and still belongs to
-- its job, these are the first locations that the sink does not have, in the order that the tracker wants. The trackers
-- of one job share the room for `most` locations. `jobs` and `carried` have an element for each tracker of each job.
CREATE OR REPLACE FUNCTION due_locations(lane_name text, jobs bigint[], carried bigint[], most integer)
RETURNS TABLE (
    job bigint, tracker integer, user_id text, piece integer, sign_in integer,
    id text, lat double precision, lng double precision, accuracy double precision, at double precision,
    wait_time double precision, removed boolean, changed_at double precision)
LANGUAGE plpgsql
SET enable_seqscan = off
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT given.job, trackers.id, trackers.user_id, trackers.piece, sign_in.id,
           location.id, location.lat, location.lng, location.accuracy,
           extract(epoch FROM location.at)::double precision, location.wait_time, location.removed,
           extract(epoch FROM location.changed_at)::double precision
    FROM (
        SELECT job, tracker::integer, count(*) OVER (PARTITION BY job) AS neighbours, place
        FROM unnest(due_locations.jobs, carried) WITH ORDINALITY AS given (job, tracker, place)
    ) AS given
    JOIN trackers ON trackers.id = given.tracker AND trackers.job = given.job AND trackers.is_on
    JOIN sinks ON sinks.id = trackers.sink
    JOIN lanes ON lanes.id = sinks.lane AND lanes.name = lane_name
    LEFT JOIN LATERAL (
        SELECT sign_ins.id
        FROM sign_ins
        WHERE sinks.signs_in AND sign_ins.sink = sinks.id
          AND (sign_ins.tracker = trackers.id OR sign_ins.tracker IS NULL)
        ORDER BY sign_ins.tracker NULLS LAST
        LIMIT 1
    ) AS sign_in ON true
    CROSS JOIN LATERAL (
        (
            SELECT *, row_number() OVER (ORDER BY at, id) AS number
            FROM pending_locations AS location
            WHERE NOT trackers.newest_first AND location.tracker = trackers.id AND NOT uploaded AND refusal IS NULL
            ORDER BY at, id
            LIMIT greatest(1, least(most, trackers.piece) / given.neighbours)
        )
        UNION ALL
        (
            SELECT *, row_number() OVER (ORDER BY at DESC, id DESC) AS number
            FROM pending_locations AS location
            WHERE trackers.newest_first AND location.tracker = trackers.id AND NOT uploaded AND refusal IS NULL
            ORDER BY at DESC, id DESC
            LIMIT greatest(1, least(most, trackers.piece) / given.neighbours)
        )
    ) AS location
    ORDER BY given.place, location.number;
END
$$;
