-- What happened: a row for each call, and counters by the minute.

-- How a call ended. `lost`: its worker vanished, and may or may not have made it.
CREATE TYPE call_outcome AS ENUM ('done', 'moved', 'retry', 'failed', 'snoozed', 'rate', 'quota', 'lost');

-- Append-only and never updated: its day is dropped whole when it is too old.
CREATE TABLE calls (
    -- When the provider was asked, on the database's clock.
    started_at timestamptz  NOT NULL,

    -- Seconds; null when nobody knows.
    took       real,
    worker     integer      NOT NULL,
    subjects   integer      NOT NULL,
    lane       smallint     NOT NULL,
    outcome    call_outcome NOT NULL
)
PARTITION BY RANGE (started_at);

-- The calls of a time. BRIN, because rows come in the order of time and a B-tree would cost as much as the rows.
CREATE INDEX calls_by_time ON calls USING brin (started_at) WITH (pages_per_range = 16, autosummarize = on);

-- Takes what no day has a place for: all of it before the first coordinator came, and nothing is lost should it be
-- away for long.
CREATE TABLE calls_default PARTITION OF calls DEFAULT;

-- Makes a partition for each day (UTC) from yesterday to `ahead` days from now, and drops those older than `kept`.
-- Returns the partitions made and dropped. May be called at any time, any number of times.
CREATE FUNCTION keep_call_partitions(ahead integer, kept interval)
RETURNS TABLE (partition text, happened text)
LANGUAGE plpgsql AS $$
DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    day date;
    name text;
    begins timestamptz;
    ends timestamptz;
BEGIN
    FOR day IN SELECT today + n FROM generate_series(-1, ahead) AS n LOOP
        name := 'calls_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        begins := day::timestamp AT TIME ZONE 'UTC';
        ends := (day + 1)::timestamp AT TIME ZONE 'UTC';
        EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
        EXECUTE format(
            'WITH moved AS (DELETE FROM calls_default WHERE started_at >= %L AND started_at < %L RETURNING *) '
            'INSERT INTO %I SELECT * FROM moved', begins, ends, name);
        -- Attaching, unlike PARTITION OF, does not stop those who are writing to the other days.
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

-- What was done, by minute. A row for each worker, so that no two wait for each other to count; old minutes are
-- rolled up into hours of worker 0.
ALTER TABLE throughput
    -- Calls that went wrong by the job's fault, the provider's, or a worker's.
    ALTER retries SET DEFAULT 0,

    -- Slots that could not be used in their time: tokens lost.
    ADD voided    integer NOT NULL DEFAULT 0,

    -- Results that came after the lease was lost, and changed nothing.
    ADD late      integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT throughput_lane_fkey;
