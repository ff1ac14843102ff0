-- Makes partitions of fixes and pending_locations for each day (UTC) from yesterday to `ahead` days from now. Deletes
-- uploaded locations older than `kept` with their fixes, and drops the partitions that are then empty. Locations that
-- are not uploaded stay. A null `kept` keeps everything. Returns the partitions made and dropped, and 'more' if there
-- is more to delete than one call deletes. May be called at any time, any number of times.
--
-- A caller could delete everything that was uploaded, so it refuses values outside those that WAYPOST_KEEP_LOCATIONS
-- allows.
CREATE OR REPLACE FUNCTION keep_location_partitions(ahead integer, kept interval)
RETURNS TABLE (partition text, happened text)
LANGUAGE plpgsql AS $$
DECLARE
    parent text;
    day date;
    name text;
    begins timestamptz;
    ends timestamptz;
    oldest timestamptz := date_trunc('day', now() - kept, 'UTC');
    is_empty boolean;
    -- At most this many locations in one transaction, because its locks stop the phones of these users.
    most CONSTANT integer := 5000;
    deleted_locations integer;
BEGIN
    IF kept < interval '1 day' OR ahead > 31 THEN
        RAISE EXCEPTION 'locations are kept for at least 1 day, and partitions made for at most 31 days ahead'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- One call at a time. A call that makes no partition locks pending_locations first, and would deadlock with one that
    -- makes some.
    PERFORM pg_advisory_xact_lock('fixes'::regclass::bigint);
    -- Attaching a partition needs the default partition to be unused. Writers lock both tables, fixes first. A writer
    -- that holds one table while we hold the other would deadlock with us. So all writers wait for the lock on fixes,
    -- for a moment.
    IF EXISTS (
        SELECT FROM generate_series(-1, ahead) AS n
        WHERE to_regclass('fixes_' || to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD')) IS NULL
           OR to_regclass('pending_locations_' || to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD')) IS NULL)
    THEN
        LOCK TABLE fixes IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE pending_locations IN SHARE ROW EXCLUSIVE MODE;
    END IF;

    FOREACH parent IN ARRAY ARRAY['fixes', 'pending_locations'] LOOP
        FOR day IN SELECT (now() AT TIME ZONE 'UTC')::date + n FROM generate_series(-1, ahead) AS n LOOP
            name := parent || '_' || to_char(day, 'YYYYMMDD');
            CONTINUE WHEN to_regclass(name) IS NOT NULL;
            begins := day::timestamp AT TIME ZONE 'UTC';
            ends := (day + 1)::timestamp AT TIME ZONE 'UTC';
            EXECUTE format(
                'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES) WITH (fillfactor = 80)',
                name, parent);
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
            EXECUTE format(
                'WITH moved AS (DELETE FROM %I WHERE at >= %L AND at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
                parent || '_default', begins, ends, name);
            -- Attaching, unlike PARTITION OF, does not block readers of other days.
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, begins, ends);
            partition := name;
            happened := 'made';
            RETURN NEXT;
        END LOOP;
    END LOOP;

    -- The newest location of a tracker stays, because the next fix may extend it. The fixes of a location are those up
    -- to the next one.
    WITH old AS MATERIALIZED (
        SELECT location.tracker, location.at, location.id
        FROM pending_locations AS location
        JOIN trackers ON trackers.id = location.tracker
        WHERE location.at < oldest AND location.uploaded AND NOT location.removed
          AND (location.at, location.id) < (trackers.start_at, trackers.start_id)
        LIMIT most
        -- Writers for one of these users lock the tracker first, too. A tracker that is locked is left for the next
        -- call.
        FOR UPDATE OF trackers SKIP LOCKED
    ), gone AS (
        DELETE FROM pending_locations AS location
        USING old
        WHERE location.tracker = old.tracker AND location.at = old.at AND location.id = old.id
        RETURNING location.tracker, location.at, location.id
    ), spans AS (
        SELECT gone.tracker, gone.at, gone.id, next.at AS next_at, next.id AS next_id
        FROM gone
        CROSS JOIN LATERAL (
            SELECT at, id
            FROM pending_locations AS location
            WHERE location.tracker = gone.tracker AND NOT removed
              AND location.at >= gone.at AND (location.at, location.id) > (gone.at, gone.id)
            ORDER BY at, id
            LIMIT 1
        ) AS next
    ), deleted AS (
        DELETE FROM fixes
        USING spans
        WHERE fixes.tracker = spans.tracker AND fixes.at BETWEEN spans.at AND spans.next_at
          AND (fixes.at, fixes.id) >= (spans.at, spans.id) AND (fixes.at, fixes.id) < (spans.next_at, spans.next_id)
    )
    SELECT count(*) INTO deleted_locations FROM gone;
    IF deleted_locations = most THEN
        partition := 'pending_locations';
        happened := 'more';
        RETURN NEXT;
        RETURN;
    END IF;

    FOR parent, name IN
        SELECT inhparent::regclass::text, relname
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent IN ('fixes'::regclass, 'pending_locations'::regclass) AND relname ~ '_\d{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') + 1 <= oldest AT TIME ZONE 'UTC'
        ORDER BY relname
    LOOP
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', name) INTO is_empty;
        CONTINUE WHEN NOT is_empty;
        -- Lock the parent first, as writers do. A writer may have inserted a row since the first look.
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', name) INTO is_empty;
        CONTINUE WHEN NOT is_empty;
        EXECUTE format('DROP TABLE %I', name);
        partition := name;
        happened := 'dropped';
        RETURN NEXT;
    END LOOP;
END
$$;

-- A coordinator then need not own the tables.
SELECT run_as_owner(ARRAY['keep_location_partitions(integer, interval)']);
