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
-- off        its tracker is off, so it is not kept
-- unknown    its user has no tracker
--
-- Writers for one user wait for each other at the tracker's row, in the order of the trackers, so that no two wait in a circle.
CREATE OR REPLACE FUNCTION record_fixes(
    the_account integer, users text[], ids text[], times double precision[],
    lats double precision[], lngs double precision[], accuracies double precision[], waits double precision[])
RETURNS TABLE (place integer, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    the record;
    -- The fixes that are new, or whose wait grew, in their order.
    new_at timestamptz[];
    new_id text[];
    -- The walk goes from here on until a location begins where one began before; null where it goes to the end.
    is_late boolean;
    from_at timestamptz;
    from_id text;
    until_at timestamptz;
    until_id text;
    fix fixes;
    newest fixes;
    -- The last fix that was believed, the one with which the present location began, and how long that location lasts.
    seen fixes;
    start fixes;
    wait double precision;
    is_fast boolean;
    is_new boolean;
    -- The locations, each as its first fix with the wait of all. The fixes whose doubt changes, and those that are not kept.
    made fixes[];
    turned fixes[];
    refused fixes[];
BEGIN
    RETURN QUERY
    SELECT number::integer, 'unknown'
    FROM unnest(users) WITH ORDINALITY AS given (user_id, number)
    WHERE NOT EXISTS (SELECT FROM trackers WHERE account = the_account AND trackers.user_id = given.user_id);

    FOR the IN
        SELECT trackers.*, given.places
        FROM (
            SELECT user_id, array_agg(number::integer) AS places
            FROM unnest(users) WITH ORDINALITY AS given (user_id, number)
            GROUP BY user_id
        ) AS given
        JOIN trackers ON account = the_account AND trackers.user_id = given.user_id
        ORDER BY trackers.id
        FOR UPDATE OF trackers
    LOOP
        IF NOT the.is_on THEN
            RETURN QUERY SELECT unnest(the.places), 'off';
            CONTINUE;
        END IF;

        WITH given AS (
            SELECT DISTINCT ON (times[n], ids[n])
                   to_timestamp(times[n]) AS at, ids[n] AS id, lats[n] AS lat, lngs[n] AS lng,
                   accuracies[n] AS accuracy, coalesce(waits[n], 0) AS wait_time
            FROM unnest(the.places) AS n
            ORDER BY times[n], ids[n], coalesce(waits[n], 0) DESC, n
        ), stored AS (
            INSERT INTO fixes AS f (tracker, account, at, id, lat, lng, accuracy, wait_time)
            SELECT the.id, the_account, at, id, lat, lng, accuracy, wait_time FROM given
            ON CONFLICT (tracker, at, id) DO UPDATE SET wait_time = excluded.wait_time
                WHERE f.wait_time < excluded.wait_time
            RETURNING at, id
        )
        SELECT array_agg(at ORDER BY at, id), array_agg(id ORDER BY at, id) INTO new_at, new_id FROM stored;
        IF new_at IS NULL THEN
            RETURN QUERY SELECT unnest(the.places), 'repeated';
            CONTINUE;
        END IF;

        seen := NULL;
        start := NULL;
        until_at := NULL;
        newest := NULL;
        made := '{}';
        turned := '{}';
        refused := '{}';
        from_at := new_at[1];
        from_id := new_id[1];
        is_late := coalesce((from_at, from_id COLLATE "C") <= (the.newest_at, the.newest_id), false);
        IF is_late THEN
            -- From the beginning of the location in whose time the first of them falls.
            SELECT at, id INTO fix.at, fix.id
            FROM pending_locations
            WHERE tracker = the.id AND NOT removed AND at <= from_at AND (at, id) <= (from_at, from_id COLLATE "C")
            ORDER BY at DESC, id DESC
            LIMIT 1;
            IF FOUND THEN
                from_at := fix.at;
                from_id := fix.id;
            END IF;
        ELSIF the.newest_at IS NOT NULL THEN
            -- On from where the last walk ended.
            seen.at := the.seen_at;
            seen.lat := the.seen_lat;
            seen.lng := the.seen_lng;
            seen.accuracy := the.seen_accuracy;
            seen.wait_time := the.seen_wait;
            start.at := the.start_at;
            start.id := the.start_id;
            start.lat := the.start_lat;
            start.lng := the.start_lng;
            start.accuracy := the.start_accuracy;
            wait := the.wait_time;
        END IF;

        -- What happens after the beginning of a location depends on nothing before it.
        FOR fix IN
            SELECT *
            FROM fixes
            WHERE tracker = the.id AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
            ORDER BY at, id
        LOOP
            is_new := array_position(new_id, fix.id) IS NOT NULL AND fix.at = ANY (new_at);
            is_fast := start.at IS NOT NULL AND is_too_fast(
                metres_between(seen.lat, seen.lng, fix.lat, fix.lng),
                extract(epoch FROM fix.at)::double precision
                    - (extract(epoch FROM seen.at)::double precision + seen.wait_time),
                the.radius, the.top_speed, seen.accuracy, fix.accuracy);
            IF is_fast AND is_new AND NOT the.keeps_doubted THEN
                refused := refused || fix;
                CONTINUE;
            END IF;
            newest := fix;
            IF fix.is_doubted <> is_fast THEN
                fix.is_doubted := is_fast;
                turned := turned || fix;
            END IF;
            CONTINUE WHEN is_fast;

            seen := fix;
            IF start.at IS NOT NULL AND is_near(
                metres_between(start.lat, start.lng, fix.lat, fix.lng), the.radius, start.accuracy, fix.accuracy)
            THEN
                wait := greatest(wait, round((
                    extract(epoch FROM fix.at)::double precision + fix.wait_time
                    - extract(epoch FROM start.at)::double precision) * 1000) / 1000);
                CONTINUE;
            END IF;
            IF start.at IS NOT NULL THEN
                start.wait_time := wait;
                made := made || start;
            END IF;
            IF is_late AND (fix.at, fix.id COLLATE "C") > (new_at[cardinality(new_at)], new_id[cardinality(new_id)])
                AND EXISTS (
                    SELECT FROM pending_locations
                    WHERE tracker = the.id AND at = fix.at AND id = fix.id AND NOT removed)
            THEN
                until_at := fix.at;
                until_id := fix.id;
                EXIT;
            END IF;
            start := fix;
            wait := fix.wait_time;
        END LOOP;
        IF until_at IS NULL AND start.at IS NOT NULL THEN
            start.wait_time := wait;
            made := made || start;
        END IF;

        INSERT INTO pending_locations AS known (tracker, account, at, id, lat, lng, accuracy, wait_time)
        SELECT the.id, the_account, at, id, lat, lng, accuracy, wait_time FROM unnest(made)
        ON CONFLICT (tracker, at, id) DO UPDATE
        SET wait_time = excluded.wait_time, uploaded = false, removed = false, changed_at = clock_timestamp()
            WHERE known.wait_time <> excluded.wait_time OR known.removed;
        IF is_late THEN
            DELETE FROM pending_locations
            WHERE tracker = the.id AND NOT removed AND at >= from_at AND (at, id) >= (from_at, from_id COLLATE "C")
              AND (until_at IS NULL OR at <= until_at AND (at, id) < (until_at, until_id COLLATE "C"))
              AND (at, id) NOT IN (SELECT at, id FROM unnest(made));
        END IF;
        IF turned <> '{}' THEN
            UPDATE fixes
            SET is_doubted = t.is_doubted
            FROM unnest(turned) AS t
            WHERE fixes.tracker = the.id AND fixes.at = t.at AND fixes.id = t.id;
        END IF;
        IF refused <> '{}' THEN
            DELETE FROM fixes USING unnest(refused) AS r
            WHERE fixes.tracker = the.id AND fixes.at = r.at AND fixes.id = r.id;
        END IF;
        IF until_at IS NULL AND newest.at IS NOT NULL THEN
            UPDATE trackers
            SET newest_at = newest.at, newest_id = newest.id,
                seen_at = seen.at, seen_lat = seen.lat, seen_lng = seen.lng, seen_accuracy = seen.accuracy,
                seen_wait = seen.wait_time,
                start_at = start.at, start_id = start.id, start_lat = start.lat, start_lng = start.lng,
                start_accuracy = start.accuracy, wait_time = wait
            WHERE id = the.id;
        END IF;

        RETURN QUERY
        SELECT n, CASE
            WHEN array_position(new_id, ids[n]) IS NULL OR to_timestamp(times[n]) <> ALL (new_at) THEN 'repeated'
            WHEN EXISTS (SELECT FROM unnest(refused) WHERE id = ids[n] AND at = to_timestamp(times[n])) THEN 'too_fast'
            WHEN EXISTS (SELECT FROM unnest(turned) WHERE id = ids[n] AND at = to_timestamp(times[n]) AND is_doubted)
                THEN 'doubted'
            ELSE 'taken'
        END
        FROM unnest(the.places) AS n;
    END LOOP;
END
$$;
