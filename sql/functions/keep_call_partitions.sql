-- Makes a partition for each day (UTC) from yesterday to `ahead` days from now, and drops those older than `kept`.
-- Returns the partitions made and dropped. May be called at any time, any number of times.
--
-- A caller could delete the whole log with it, so it refuses values outside those that WAYPOST_CALLS_KEPT allows.
CREATE OR REPLACE FUNCTION keep_call_partitions(ahead integer, kept interval)
RETURNS TABLE (partition text, happened text)
LANGUAGE plpgsql AS $$
DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    day date;
    name text;
    begins timestamptz;
    ends timestamptz;
BEGIN
    IF kept < interval '2 days' OR ahead > 31 THEN
        RAISE EXCEPTION 'calls are kept for at least 2 days, and partitions made for at most 31 days ahead'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Rows of a new partition's day are moved out of the default partition. A call inserted there meanwhile would make
    -- ATTACH fail, and one that waits there would fail after it. So a call waits for the lock on the parent, before its
    -- partition is chosen.
    IF EXISTS (
        SELECT FROM generate_series(-1, ahead) AS n WHERE to_regclass('calls_' || to_char(today + n, 'YYYYMMDD')) IS NULL)
    THEN
        LOCK TABLE ONLY calls IN SHARE ROW EXCLUSIVE MODE;
        LOCK TABLE calls_default IN ACCESS EXCLUSIVE MODE;
    END IF;
    FOR day IN SELECT today + n FROM generate_series(-1, ahead) AS n LOOP
        name := 'calls_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        begins := day::timestamp AT TIME ZONE 'UTC';
        ends := (day + 1)::timestamp AT TIME ZONE 'UTC';
        EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
        EXECUTE format(
            'WITH moved AS (DELETE FROM calls_default WHERE started_at >= %L AND started_at < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved', begins, ends, name);
        -- Attaching, unlike PARTITION OF, does not block writers of the other days.
        EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, begins, ends);
        partition := name;
        happened := 'made';
        RETURN NEXT;
    END LOOP;
    FOR name IN
        SELECT relname
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'calls'::regclass AND relname ~ '^calls_\d{8}$'
          AND to_date(right(relname, 8), 'YYYYMMDD') + 1 <= (now() - kept) AT TIME ZONE 'UTC'
    LOOP
        EXECUTE format('DROP TABLE %I', name);
        partition := name;
        happened := 'dropped';
        RETURN NEXT;
    END LOOP;
    DELETE FROM calls_default WHERE started_at < now() - kept;
END
$$;

-- A coordinator then need not own the log.
SELECT run_as_owner(ARRAY['keep_call_partitions(integer, interval)']);
