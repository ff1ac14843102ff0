-- Returns true if a chain's calls cost money or time. Then a question should wait for the answer to another spelling.
-- In a lane that takes many addresses per call, without limits or a price, asking is cheaper than waiting.
CREATE OR REPLACE FUNCTION is_spared(plan jsonb) RETURNS boolean
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT
        FROM jsonb_array_elements(plan->'links') AS link
        JOIN lanes ON lanes.name = link->>'lane'
        WHERE batch = 1 OR price_per_1000_calls > 0
           OR EXISTS (SELECT FROM token_buckets WHERE token_buckets.lane = lanes.id));
END;
