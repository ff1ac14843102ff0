-- The forecast of a lane: the number of calls that its jobs take. A question may be asked again in other words, so a call
-- is followed by others in the same lane. The share of calls that are followed depends on the chain, and on how many
-- calls the question has had. Learned for each of these, it is right in any order of the calls, from the first on.

-- Counts answered calls, given by the chain, the number of the call, and whether another call follows. The last few
-- hundred calls count most, because an import resembles itself more than the one before. A lane's row is updated by one
-- transaction at a time; the calls of the others are not counted, because none should wait for a forecast.
CREATE OR REPLACE FUNCTION note_followed_calls(
    lane_id smallint, chains integer[], numbers smallint[], are_followed boolean[])
RETURNS void
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO followed_calls AS known (lane, chain, call_number, calls, followed)
    SELECT lane_id, chain, number, count(*), count(*) FILTER (WHERE is_followed)
    FROM unnest(chains, numbers, are_followed) AS call (chain, number, is_followed)
    WHERE (SELECT pg_try_advisory_xact_lock(forecast_lock(), lane_id))
    GROUP BY chain, number
    ON CONFLICT (lane, chain, call_number) DO UPDATE
    SET calls = known.calls * power(forecast_memory(), excluded.calls) + excluded.calls,
        followed = known.followed * power(forecast_memory(), excluded.calls) + excluded.followed;
END;

-- Returns the calls that a job is expected to take in a lane, its next one included, by its chain and the number of its
-- next call: 1 + p(n) + p(n) · p(n + 1) + …, where p(n) is the share of calls with the number n that are followed. The
-- rows with the chain null are for chains without calls of their own.
CREATE OR REPLACE FUNCTION calls_of_jobs(lane_id smallint)
RETURNS TABLE (chain integer, call_number smallint, calls double precision)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH RECURSIVE known AS (
        -- One call more than counted: a single call proves nothing.
        SELECT chain, call_number, sum(followed) / (sum(calls) + 1) AS share
        FROM followed_calls
        WHERE lane = lane_id
        GROUP BY GROUPING SETS ((chain, call_number), (call_number))
    ), ahead AS (
        SELECT chain, max(call_number) + 1 AS call_number, 1::double precision AS calls FROM known GROUP BY chain
        UNION ALL
        SELECT ahead.chain, ahead.call_number - 1, 1 + coalesce(known.share, 0) * ahead.calls
        FROM ahead
        LEFT JOIN known ON known.chain IS NOT DISTINCT FROM ahead.chain AND known.call_number = ahead.call_number - 1
        WHERE ahead.call_number > 1
    )
    SELECT ahead.chain, ahead.call_number::smallint, ahead.calls FROM ahead;
END;
