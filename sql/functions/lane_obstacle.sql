-- The reasons why no job of a lane is claimed. `claim_jobs` returns the first of them as `obstacle`, and the state of a
-- lane that people see is made of the same functions. The other obstacles follow from the jobs and the limits.

-- Returns the reason that lies in the lane itself: `paused` by a person, or because the provider refuses our calls; or
-- `blocked` for a while by the breaker or the provider. Null if there is none.
CREATE OR REPLACE FUNCTION lane_obstacle(the_lane lanes, moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN the_lane.paused_at IS NOT NULL THEN 'paused' WHEN the_lane.blocked_until > moment THEN 'blocked' END;

-- Returns true if so many calls failed in a row that calls are made one at a time, as probes.
CREATE OR REPLACE FUNCTION is_probing(the_lane lanes) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN the_lane.faults >= the_lane.breaker_after;

-- Returns the most jobs of a lane that all workers together may hold; null if any number.
CREATE OR REPLACE FUNCTION most_at_once(the_lane lanes) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN is_probing(the_lane) THEN 1 ELSE the_lane.calls_at_once END;

-- Returns the reason that lies in the worker: it was removed as dead, or a person made it quiet, or this server's clock
-- is not as it expects. For `claim_jobs`, under its settings.
CREATE OR REPLACE FUNCTION worker_obstacle(
    worker_id integer, known_epoch integer, earliest timestamptz, latest timestamptz)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    obstacle text;
BEGIN
    SELECT CASE WHEN quiet THEN 'quiet'
                -- The time of arrival, because the statement may have waited for a lock.
                WHEN statement_timestamp() NOT BETWEEN earliest AND latest
                    OR known_epoch <> (SELECT epoch FROM server_clock WHERE only_row) THEN 'clock' END
    INTO obstacle
    FROM workers
    WHERE id = worker_id;
    RETURN CASE WHEN FOUND THEN obstacle ELSE 'struck off' END;
END
$$;

-- Returns the reason that lies in the worker's machine: calls come from as many other machines as the lane permits.
-- Machines that hold jobs of the lane are first, then those with the oldest workers. For `claim_jobs`, which locks the
-- lane. To the worker this is as if a person had made it quiet in this lane. A container counts as a machine.
CREATE OR REPLACE FUNCTION machine_obstacle(the_lane lanes, worker_id integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF the_lane.machines IS NULL THEN RETURN NULL; END IF;
    RETURN CASE WHEN NOT EXISTS (
        SELECT
        FROM (
            SELECT host
            FROM workers
            WHERE the_lane.name = ANY (lanes)
            GROUP BY host
            ORDER BY bool_or(EXISTS (SELECT FROM jobs WHERE lane = the_lane.id AND worker = workers.id)) DESC, min(id)
            LIMIT the_lane.machines
        ) AS first_hosts
        WHERE host = (SELECT host FROM workers WHERE id = worker_id)
    ) THEN 'quiet' END;
END
$$;
