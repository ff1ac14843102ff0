-- Lets a cluster begin again after its database was restored to an earlier moment. `waypost migrate --restored` calls it
-- before any process starts. The calls, claims and changes since that moment are not in the database.
CREATE OR REPLACE FUNCTION begin_after_restore() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- More than there can have been of claims, or of transactions, since that moment.
    many CONSTANT bigint := 1000000000;
BEGIN
    -- Each bucket is as empty as it can be, because the last calls may have taken all tokens.
    UPDATE token_buckets
    SET full_at = clock_timestamp() + longest_fill(refill, per, capacity, pace), worker = NULL,
        charged_at = clock_timestamp()
    FROM lanes
    WHERE lanes.id = lane;

    -- The processes of that moment have ended. The leader frees jobs whose worker has no row.
    DELETE FROM workers;
    DELETE FROM coordinators;
    UPDATE leadership SET until = '-infinity';

    -- A late report names a job and its lease. Both numbers would be used again, for another address.
    PERFORM setval('leases', nextval('leases') + many);

    -- The numbers of transactions are used again too. So each client of `updated_since` must begin with 0.
    UPDATE accounts
    SET purges = purges + many, purged_in = pg_current_xact_id()::text::bigint + many;

    -- A dump contains the numbers of its server. Those of a new server are smaller at first.
    UPDATE friends SET changed_in = 0 WHERE changed_in > pg_current_xact_id()::text::bigint;
    UPDATE addresses SET changed_in = 0 WHERE changed_in > pg_current_xact_id()::text::bigint;

    -- Such a number is in `told_in` too. Each webhook about places gets one more message.
    UPDATE sinks SET told_in = -1 WHERE about = 'places';
END
$$;
