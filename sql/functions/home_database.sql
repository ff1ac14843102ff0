-- A copy of the cluster's database must not call providers next to the original: each of both would use the limits in
-- full. So the row of `home_database` identifies the database for which the cluster was set up.
--
-- A dump that was restored, and a database that was made from a template, are copies. A copy of the server's files
-- (pg_basebackup, a snapshot of the disk) can't be recognized: it has the same numbers, as a standby has.

-- Returns the number that initdb gave to this server's files; null if this role may not read it.
CREATE OR REPLACE FUNCTION server_number() RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
        RETURN (SELECT system_identifier FROM pg_control_system());
    END IF;
    RETURN NULL;
END
$$;

-- Makes this database the cluster's own.
CREATE OR REPLACE FUNCTION settle_here() RETURNS void
LANGUAGE sql AS $$
    DELETE FROM home_database;
    INSERT INTO home_database (server, database)
    SELECT server_number(), oid
    FROM pg_database
    WHERE datname = current_database()
$$;

-- Returns true if the cluster was set up in another database.
CREATE OR REPLACE FUNCTION is_copy() RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN EXISTS (
        SELECT
        FROM home_database
        WHERE database <> (SELECT oid FROM pg_database WHERE datname = current_database())
           OR server <> server_number());
END
$$;

-- Returns true for a lane of a copy that must rest: it has limits, which another cluster may use, or it sends positions of
-- users to a sink.
CREATE OR REPLACE FUNCTION is_of_copy(the_lane lanes) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RETURN (the_lane.kind = 'upload' OR EXISTS (SELECT FROM token_buckets WHERE lane = the_lane.id)) AND is_copy();
END
$$;

-- A database of an older version is the cluster's own, as far as is known.
INSERT INTO home_database (server, database)
SELECT server_number(), oid
FROM pg_database
WHERE datname = current_database()
ON CONFLICT DO NOTHING;
