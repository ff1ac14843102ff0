-- Stores fixes and divides them into locations. A fix near the current location extends its wait time. The third fix in
-- a row elsewhere shows that the user has left. Fixes may come in any order and more than once; the locations are the
-- same in the end. The algorithm is that of Sources/Tracking/TrackWalk.swift.
--
-- The arrays have an element for each fix; `times` are in seconds since 1970. Returns the result of each fix by its
-- place in the arrays, counted from 1:
--
-- taken      it is part of a location
-- doubted    it is stored, but part of no location: its speed from the fix before is impossible
-- too_fast   the same, but not stored, because the tracker does not keep doubted fixes
-- repeated   it was stored already
-- untracked  its tracker was off at its time, so it is not stored
-- off        its tracker is off, so it is not stored
-- unknown    its user has no tracker
--
-- Writers for one user wait for each other at the tracker's row. They lock trackers in the order of their ids, so that
-- no deadlock can occur.
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
    -- `stored` are the fixes that are new, or whose wait grew. `news` are those of one tracker, in their order.
    stored fixes[];
    news fixes[];
    the trackers;
    turn record;
    -- The walk reads `news`, or all stored fixes from (from_at, from_id) on. A walk for a late fix ends at the
    -- beginning of a location that has not changed.
    is_late boolean;
    reads_stored boolean;
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
    is_end boolean;
    is_fast boolean;
    is_new boolean;
    -- The last believed fix.
    seen fixes;
    -- The first fix of the current location, with the wait time of the whole location; null before the first location.
    start fixes;
    -- `away` are the believed fixes since the last one at the location. `todo` are the fixes that are to be placed
    -- next.
    away fixes[];
    todo fixes[];
    one fixes;
    is_interrupted boolean;
    is_too_late boolean;
    -- The last fix at the current location, and the state of the walk at that fix. `was_at` and `was_id` are the
    -- settled fix before this call.
    settled fixes;
    settled_seen fixes;
    settled_start fixes;
    was_at timestamptz;
    was_id text;
    checked timestamptz;
    -- The locations of all trackers, each as its first fix. Those of the present tracker begin at `first_made`.
    made fixes[] := '{}';
    first_made integer;
    -- The fixes whose doubt changed, the fixes that are not kept, and the trackers whose newest location changed.
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
        seen := NULL;
        start := NULL;
        away := '{}';
        settled := NULL;
        until_at := NULL;
        checked := NULL;
        n := 0;
        first_made := cardinality(made) + 1;
        was_at := the.settled_at;
        was_id := the.settled_id;
        is_late := coalesce((news[1].at, news[1].id) <= (was_at, was_id), false);
        reads_stored := is_late OR coalesce((was_at, was_id) < (the.newest_at, the.newest_id), false);
        IF is_late THEN
            -- Start two locations before the one that contains the first late fix. A fix may change where the next two
            -- locations begin, because three fixes decide about a beginning.
            SELECT at, id INTO from_at, from_id
            FROM (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = the.id AND NOT removed AND at <= news[1].at AND (at, id) <= (news[1].at, news[1].id)
                ORDER BY at DESC, id DESC
                LIMIT 3
            ) AS last_three
            ORDER BY at, id
            LIMIT 1;
            IF NOT FOUND THEN
                from_at := news[1].at;
                from_id := news[1].id;
            END IF;
        ELSIF the.start_at IS NOT NULL THEN
            -- Continue from the settled fix. The stored fixes after it are read again.
            from_at := was_at;
            from_id := was_id;
            start := ROW(the.id, the.start_at, the.start_id, the_account, the.start_lat, the.start_lng, the.start_accuracy,
                         the.wait_time, false);
            seen := ROW(the.id, the.seen_at, '', the_account, the.seen_lat, the.seen_lng, the.seen_accuracy, the.seen_wait, false);
            settled := ROW(the.id, was_at, was_id, the_account, 0, 0, NULL, 0, false);
            settled_seen := seen;
            settled_start := start;
        END IF;
        IF reads_stored THEN
            OPEN later;
        END IF;

        LOOP
            IF reads_stored THEN
                FETCH later INTO fix;
                is_end := NOT FOUND;
                CONTINUE WHEN NOT is_late AND (fix.at, fix.id) = (from_at, from_id);
            ELSE
                n := n + 1;
                is_end := n > cardinality(news);
                fix := news[n];
            END IF;
            IF NOT is_end THEN
                is_fast := seen.at IS NOT NULL AND is_too_fast(
                    metres_between(seen.lat, seen.lng, fix.lat, fix.lng),
                    extract(epoch FROM fix.at)::double precision
                        - (extract(epoch FROM seen.at)::double precision + seen.wait_time),
                    the.radius, the.top_speed, seen.accuracy, fix.accuracy);
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
                IF is_fast THEN
                    IF away = '{}' THEN
                        settled := fix;
                    END IF;
                    CONTINUE;
                END IF;
                is_interrupted := seen.at IS NOT NULL AND (
                    extract(epoch FROM fix.at)::double precision
                        - (extract(epoch FROM seen.at)::double precision + seen.wait_time) > the.longest_gap
                    OR the.stops <> '{}' AND EXISTS (
                        SELECT FROM unnest(the.stops) AS stop WHERE stop >= seen.at AND stop < fix.at));
                seen := fix;
            END IF;

            -- At the end, and before an interruption, the fixes in `away` are not strays.
            is_interrupted := is_interrupted OR is_end;
            todo := CASE WHEN is_interrupted THEN '{}' ELSE ARRAY[fix] END;
            LOOP
                IF todo <> '{}' THEN
                    one := todo[1];
                    todo := todo[2 :];
                    IF start.at IS NULL THEN
                        start := one;
                        CONTINUE;
                    END IF;
                    is_too_late := away <> '{}' AND extract(epoch FROM one.at)::double precision
                        - extract(epoch FROM away[1].at)::double precision > longest_stray();
                    IF NOT is_too_late AND is_near(
                        metres_between(start.lat, start.lng, one.lat, one.lng), the.radius, start.accuracy, one.accuracy)
                    THEN
                        start.wait_time := greatest(start.wait_time, round((
                            extract(epoch FROM one.at)::double precision + one.wait_time
                            - extract(epoch FROM start.at)::double precision) * 1000) / 1000);
                        away := '{}';
                        CONTINUE;
                    END IF;
                    away := away || one;
                    CONTINUE WHEN NOT is_too_late AND cardinality(away) <= most_strays();
                ELSE
                    EXIT WHEN NOT is_interrupted OR away = '{}';
                END IF;
                -- The user has left: the next location begins with the first fix of `away`.
                made := made || start;
                start := away[1];
                todo := away[2 :] || todo;
                away := '{}';
                IF NOT is_end THEN
                    settled := start;
                    settled_seen := start;
                    settled_start := start;
                END IF;
            END LOOP;
            IF is_interrupted AND start.at IS NOT NULL THEN
                made := made || start;
            END IF;
            EXIT WHEN is_end;
            IF is_interrupted THEN
                start := fix;
            END IF;
            IF away = '{}' THEN
                settled := fix;
                settled_seen := seen;
                settled_start := start;
            END IF;
            IF is_late AND start.at IS DISTINCT FROM checked AND (start.at, start.id) <= (was_at, was_id)
                AND (start.at, start.id) > (news[cardinality(news)].at, news[cardinality(news)].id)
            THEN
                checked := start.at;
                IF EXISTS (
                    SELECT FROM pending_locations
                    WHERE tracker = the.id AND at = start.at AND id = start.id AND NOT removed)
                THEN
                    until_at := start.at;
                    until_id := start.id;
                    EXIT;
                END IF;
            END IF;
        END LOOP;

        IF reads_stored THEN
            CLOSE later;
        END IF;
        IF until_at IS NULL AND settled_start.at IS NOT NULL THEN
            the.settled_at := settled.at;
            the.settled_id := settled.id;
            the.seen_at := settled_seen.at;
            the.seen_lat := settled_seen.lat;
            the.seen_lng := settled_seen.lng;
            the.seen_accuracy := settled_seen.accuracy;
            the.seen_wait := settled_seen.wait_time;
            the.start_at := settled_start.at;
            the.start_id := settled_start.id;
            the.start_lat := settled_start.lat;
            the.start_lng := settled_start.lng;
            the.start_accuracy := settled_start.accuracy;
            the.wait_time := settled_start.wait_time;
            moved := moved || the;
        END IF;
        IF reads_stored THEN
            WITH vanished AS MATERIALIZED (
                SELECT at, id
                FROM pending_locations
                WHERE tracker = the.id AND NOT removed AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
                  AND (until_at IS NULL OR at <= until_at AND (at, id) < (until_at, until_id COLLATE "C"))
                  AND (at, id) NOT IN (SELECT at, id FROM unnest(made[first_made :]))
            ), marked AS (
                -- The sink may have the location, and must delete it.
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
    SET newest_at = m.newest_at, newest_id = m.newest_id, settled_at = m.settled_at, settled_id = m.settled_id, seen_at = m.seen_at, seen_lat = m.seen_lat,
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
