-- Whether any question follows another. Before the table's first ANALYZE the planner would take half of its rows for
-- followers and read it from the beginning, to its end where there is none.
CREATE OR REPLACE FUNCTION anybody_follows() RETURNS boolean
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM geocodes WHERE follows);
END
$$;
