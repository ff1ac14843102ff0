-- Returns true if any question follows another. Before the table's first ANALYZE the planner would assume that half of
-- its rows follow and read it from the beginning, to its end if no row follows.
CREATE OR REPLACE FUNCTION anybody_follows() RETURNS boolean
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET jit = off
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM geocodes WHERE follows);
END
$$;
