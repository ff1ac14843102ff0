-- Takes fixes in, and divides them into locations: one near the location before it extends that one's wait time, one elsewhere
-- begins a location. The fixes may come in any order and more than once; the locations are the same in the end.
--
-- The arrays have an element for each fix; `times` are in seconds since 1970. Returns what came of each, by its place in the
-- arrays, from 1 on:
--
-- taken      it is part of a location
-- doubted    it is kept, and part of none: nobody gets there so fast from the fix before
-- too_fast   the same, where the tracker does not keep what is doubted
-- repeated   it was there already
-- untracked  its tracker was off at its time, so it is not kept
-- off        its tracker is off, so it is not kept
-- unknown    its user has no tracker
--
-- Writers for one user wait for each other at the tracker's row, in the order of the trackers, so that no two wait in a circle.
CREATE OR REPLACE FUNCTION record_fixes(
    the_account integer, users text[], ids text[], times double precision[],
    lats double precision[], lngs double precision[], accuracies double precision[], waits double precision[])
RETURNS TABLE (place integer, outcome text)
LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    known trackers[];
    -- The fixes that are new, or whose wait grew; those of one tracker, in their order.
    stored fixes[];
    news fixes[];
    the trackers;
    turn record;
    -- The walk goes through `news`, or from here on through all fixes until a location begins where one began before.
    is_late boolean;
    from_at timestamptz;
    from_id text;
    until_at timestamptz;
    until_id text;
    later CURSOR FOR
        SELECT *
        FROM fixes
        WHERE tracker = the.id AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
        ORDER BY at, id;
    n integer;
    fix fixes;
    is_fast boolean;
    is_new boolean;
    -- The first fix of the location under way, with the wait of all; null before the first.
    start fixes;
    -- The locations of all trackers, each as its first fix; from which on they are of this one.
    made fixes[] := '{}';
    first_made integer;
    -- The fixes whose doubt changes, those that are not kept, and the trackers whose newest location is another one.
    turned fixes[] := '{}';
    refused fixes[] := '{}';
    moved trackers[] := '{}';
    to_upload integer[];
BEGIN
    SELECT array_agg(t) INTO known
    FROM (
        SELECT * FROM trackers WHERE account = the_account AND user_id = ANY (users) ORDER BY id FOR UPDATE
    ) AS t;

    WITH given AS (
        SELECT DISTINCT ON (t.id, time, fix.id)
               t.id AS tracker, to_timestamp(time) AS at, fix.id, lat, lng, accuracy, coalesce(wait, 0) AS wait_time
        FROM unnest(users, ids, times, lats, lngs, accuracies, waits) WITH ORDINALITY
            AS fix (user_id, id, time, lat, lng, accuracy, wait, number)
        JOIN unnest(known) AS t ON t.user_id = fix.user_id AND t.is_on AND to_timestamp(time) <@ t.on_times
        ORDER BY t.id, time, fix.id, coalesce(wait, 0) DESC, number
    ), taken AS (
        INSERT INTO fixes AS f (tracker, account, at, id, lat, lng, accuracy, wait_time)
        SELECT tracker, the_account, at, id, lat, lng, accuracy, wait_time FROM given
        ON CONFLICT (tracker, at, id) DO UPDATE SET wait_time = excluded.wait_time
            WHERE f.wait_time < excluded.wait_time
        RETURNING f
    )
    SELECT array_agg(f) INTO stored FROM taken;

    FOR turn IN
        SELECT t, array_agg(f ORDER BY f.at, f.id) AS news
        FROM unnest(stored) AS f
        JOIN unnest(known) AS t ON t.id = f.tracker
        GROUP BY t.id, t
    LOOP
        the := turn.t;
        news := turn.news;
        start := NULL;
        until_at := NULL;
        n := 0;
        first_made := cardinality(made) + 1;
        is_late := coalesce((news[1].at, news[1].id) <= (the.newest_at, the.newest_id), false);
        IF is_late THEN
            -- From the beginning of the location in whose time the first of them falls.
            SELECT at, id INTO from_at, from_id
            FROM pending_locations
            WHERE tracker = the.id AND NOT removed AND at <= news[1].at AND (at, id) <= (news[1].at, news[1].id)
            ORDER BY at DESC, id DESC
            LIMIT 1;
            IF NOT FOUND THEN
                from_at := news[1].at;
                from_id := news[1].id;
            END IF;
            OPEN later;
        ELSIF the.start_at IS NOT NULL THEN
            -- On from where the last walk ended.
            start := ROW(the.id, the.start_at, the.start_id, the_account, the.start_lat, the.start_lng, the.start_accuracy,
                         the.wait_time, false);
        END IF;

        -- What happens after the beginning of a location depends on nothing before it.
        LOOP
            IF is_late THEN
                FETCH later INTO fix;
                EXIT WHEN NOT FOUND;
            ELSE
                n := n + 1;
                EXIT WHEN n > cardinality(news);
                fix := news[n];
            END IF;
            is_fast := start.at IS NOT NULL AND is_too_fast(
                metres_between(the.seen_lat, the.seen_lng, fix.lat, fix.lng),
                extract(epoch FROM fix.at)::double precision
                    - (extract(epoch FROM the.seen_at)::double precision + the.seen_wait),
                the.radius, the.top_speed, the.seen_accuracy, fix.accuracy);
            IF is_fast AND NOT the.keeps_doubted THEN
                is_new := EXISTS (SELECT FROM unnest(news) AS f WHERE f.at = fix.at AND f.id = fix.id);
                IF is_new THEN
                    refused := refused || fix;
                    CONTINUE;
                END IF;
            END IF;
            the.newest_at := fix.at;
            the.newest_id := fix.id;
            IF fix.is_doubted <> is_fast THEN
                fix.is_doubted := is_fast;
                turned := turned || fix;
            END IF;
            CONTINUE WHEN is_fast;

            the.seen_at := fix.at;
            the.seen_lat := fix.lat;
            the.seen_lng := fix.lng;
            the.seen_accuracy := fix.accuracy;
            the.seen_wait := fix.wait_time;
            IF start.at IS NOT NULL AND is_near(
                metres_between(start.lat, start.lng, fix.lat, fix.lng), the.radius, start.accuracy, fix.accuracy)
            THEN
                start.wait_time := greatest(start.wait_time, round((
                    extract(epoch FROM fix.at)::double precision + fix.wait_time
                    - extract(epoch FROM start.at)::double precision) * 1000) / 1000);
                CONTINUE;
            END IF;
            IF start.at IS NOT NULL THEN
                made := made || start;
            END IF;
            start := fix;
            IF is_late AND (fix.at, fix.id) > (news[cardinality(news)].at, news[cardinality(news)].id)
                AND EXISTS (
                    SELECT FROM pending_locations
                    WHERE tracker = the.id AND at = fix.at AND id = fix.id AND NOT removed)
            THEN
                until_at := fix.at;
                until_id := fix.id;
                EXIT;
            END IF;
        END LOOP;

        IF is_late THEN
            CLOSE later;
        END IF;
        IF until_at IS NULL AND start.at IS NOT NULL THEN
            made := made || start;
            the.start_at := start.at;
            the.start_id := start.id;
            the.start_lat := start.lat;
            the.start_lng := start.lng;
            the.start_accuracy := start.accuracy;
            the.wait_time := start.wait_time;
            moved := moved || the;
        END IF;
        IF is_late THEN
            WITH vanished AS MATERIALIZED (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = the.id AND NOT removed AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
                  AND (until_at IS NULL OR at <= until_at AND (at, id) < (until_at, until_id COLLATE "C"))
                  AND (at, id) NOT IN (SELECT at, id FROM unnest(made[first_made :]))
            ), marked AS (
                -- The sink may have it, and must delete it.
                UPDATE pending_locations AS location
                SET removed = true, uploaded = false, refusal = NULL, changed_at = clock_timestamp()
                FROM vanished
                WHERE the.sink IS NOT NULL
                  AND location.tracker = the.id AND location.at = vanished.at AND location.id = vanished.id
            )
            DELETE FROM pending_locations AS location
            USING vanished
            WHERE the.sink IS NULL
              AND location.tracker = the.id AND location.at = vanished.at AND location.id = vanished.id;
        END IF;
    END LOOP;

    INSERT INTO pending_locations AS location (tracker, account, at, id, lat, lng, accuracy, wait_time)
    SELECT tracker, account, at, id, lat, lng, accuracy, wait_time FROM unnest(made)
    ON CONFLICT (tracker, at, id) DO UPDATE
    SET wait_time = excluded.wait_time, uploaded = false, removed = false, refusal = NULL, changed_at = clock_timestamp()
        WHERE location.wait_time <> excluded.wait_time OR location.removed;
    UPDATE trackers
    SET newest_at = m.newest_at, newest_id = m.newest_id, seen_at = m.seen_at, seen_lat = m.seen_lat,
        seen_lng = m.seen_lng, seen_accuracy = m.seen_accuracy, seen_wait = m.seen_wait, start_at = m.start_at,
        start_id = m.start_id, start_lat = m.start_lat, start_lng = m.start_lng, start_accuracy = m.start_accuracy,
        wait_time = m.wait_time
    FROM unnest(moved) AS m
    WHERE trackers.id = m.id;
    IF turned <> '{}' THEN
        UPDATE fixes
        SET is_doubted = t.is_doubted
        FROM unnest(turned) AS t
        WHERE fixes.tracker = t.tracker AND fixes.at = t.at AND fixes.id = t.id;
    END IF;
    IF refused <> '{}' THEN
        DELETE FROM fixes
        USING unnest(refused) AS r
        WHERE fixes.tracker = r.tracker AND fixes.at = r.at AND fixes.id = r.id;
    END IF;

    to_upload := ARRAY(SELECT id FROM unnest(known) WHERE sink IS NOT NULL AND job IS NULL AND is_on);
    IF to_upload <> '{}' THEN
        PERFORM queue_uploads(to_upload);
    END IF;

    RETURN QUERY
    SELECT fix.number::integer, CASE
        WHEN t.id IS NULL THEN 'unknown'
        WHEN NOT t.is_on THEN 'off'
        WHEN NOT to_timestamp(fix.time) <@ t.on_times THEN 'untracked'
        WHEN f.id IS NULL THEN 'repeated'
        WHEN EXISTS (
            SELECT FROM unnest(refused) AS r WHERE r.tracker = f.tracker AND r.at = f.at AND r.id = f.id) THEN 'too_fast'
        WHEN EXISTS (
            SELECT FROM unnest(turned) AS d
            WHERE d.tracker = f.tracker AND d.at = f.at AND d.id = f.id AND d.is_doubted) THEN 'doubted'
        ELSE 'taken'
    END
    FROM unnest(users, ids, times) WITH ORDINALITY AS fix (user_id, id, time, number)
    LEFT JOIN unnest(known) AS t ON t.user_id = fix.user_id
    LEFT JOIN unnest(stored) AS f ON f.tracker = t.id AND f.at = to_timestamp(fix.time) AND f.id = fix.id;
END
$$;
