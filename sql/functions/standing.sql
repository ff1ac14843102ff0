-- Maintains the copies in `addresses` (owner, place_…, map_key) and the tallies, in the transaction of each change,
-- whichever program makes it. The functions run with the owner's rights: a change concerns two tables, and the role
-- that makes it may see only one.
--
-- The rows of a statement are handled together. A plan is made once for a session. It must serve batches of any size,
-- and tables that were just filled and have no statistics. So each row is looked up by LATERAL, with LIMIT or OFFSET,
-- which no plan can turn around. As a join, an import of 100,000 read all friends for each batch, at a tenth of the
-- speed.

-- Copies the standing of their questions to addresses. Addresses that have it already are not written.
CREATE OR REPLACE FUNCTION settle_addresses(ids bigint[]) RETURNS void
LANGUAGE sql
AS $$
    UPDATE addresses
    SET place_status = found.status, place_precision = found.precision, place_is_weak = found.is_weak,
        place_is_provisional = found.is_provisional, map_key = found.map_key
    FROM (
        SELECT own.id, coalesce(geocodes.status::text, 'waiting') AS status, geocodes.precision,
               coalesce(geocodes.is_weak, false) AS is_weak, geocodes.ask_again_at IS NOT NULL AS is_provisional,
               map_key(own.id, geocodes.latitude, geocodes.longitude) AS map_key
        FROM unnest(settle_addresses.ids) AS given (id)
        CROSS JOIN LATERAL (SELECT id, hash FROM addresses WHERE addresses.id = given.id LIMIT 1) AS own
        LEFT JOIN LATERAL (
            SELECT status, precision, is_weak, ask_again_at, latitude, longitude
            FROM geocodes
            WHERE geocodes.hash = own.hash
            LIMIT 1
        ) AS geocodes ON true
        OFFSET 0
    ) AS found
    WHERE addresses.id = ANY (settle_addresses.ids) AND addresses.id = found.id
      AND (addresses.place_status, addresses.place_precision, addresses.place_is_weak, addresses.place_is_provisional,
           addresses.map_key) IS DISTINCT FROM
          (found.status, found.precision, found.is_weak, found.is_provisional, found.map_key)
$$;

-- Copies the standing of these questions to all of their addresses.
--
-- An address that another transaction has stored but not committed can't be seen here. A writer that stores an address
-- holds a lock on its question, for the foreign key. So questions that can't be locked are noted. A writer that comes
-- later waits for us, and then sees the new standing.
CREATE OR REPLACE FUNCTION settle_geocodes(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    locked bigint[] := ARRAY(SELECT id FROM geocodes WHERE id = ANY (settle_geocodes.ids) FOR UPDATE SKIP LOCKED);
BEGIN
    PERFORM settle_addresses(ARRAY(
        SELECT own.id
        FROM unnest(settle_geocodes.ids) AS given (id)
        CROSS JOIN LATERAL (SELECT hash FROM geocodes WHERE geocodes.id = given.id LIMIT 1) AS asked
        CROSS JOIN LATERAL (SELECT id FROM addresses WHERE addresses.hash = asked.hash OFFSET 0) AS own));
    IF cardinality(locked) < cardinality(settle_geocodes.ids) THEN
        -- Deleted questions have no standing.
        INSERT INTO unsettled_geocodes (geocode)
        SELECT id FROM geocodes WHERE id = ANY (settle_geocodes.ids) EXCEPT SELECT unnest(locked);
    END IF;
END
$$;

-- Processes up to `most` rows of `unsettled_geocodes`: questions that changed while another transaction stored an
-- address for them. Returns how many.
CREATE OR REPLACE FUNCTION settle_left_overs(most integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    ids bigint[];
BEGIN
    WITH taken AS (
        DELETE FROM unsettled_geocodes
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM unsettled_geocodes LIMIT most FOR UPDATE SKIP LOCKED))
        RETURNING geocode
    )
    SELECT array_agg(DISTINCT geocode) INTO ids FROM taken;
    IF ids IS NULL THEN RETURN 0; END IF;
    PERFORM settle_geocodes(ids);
    RETURN cardinality(ids);
END
$$;

CREATE OR REPLACE FUNCTION geocodes_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[] := ARRAY(
        SELECT id
        FROM (SELECT id, status, precision, is_weak, latitude, longitude, ask_again_at IS NOT NULL FROM changed
              EXCEPT
              SELECT id, status, precision, is_weak, latitude, longitude, ask_again_at IS NOT NULL FROM former) AS others);
BEGIN
    IF cardinality(ids) > 0 THEN PERFORM settle_geocodes(ids); END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION set_address_owner() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.owner := (SELECT account FROM friends WHERE id = NEW.friend);
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION addresses_added() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, is_provisional, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional, count(*), count(*)
    FROM added
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = added.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4, 5;
    -- Most are new questions, which wait.
    ids := ARRAY(
        SELECT added.id
        FROM added
        CROSS JOIN LATERAL (SELECT status FROM geocodes WHERE geocodes.hash = added.hash LIMIT 1) AS geocodes
        WHERE geocodes.status <> 'waiting');
    IF cardinality(ids) > 0 THEN PERFORM settle_addresses(ids); END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION addresses_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, is_provisional, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional, sum(number), count(*)
    FROM (
        SELECT friend, owner, place_status, place_precision, place_is_weak, place_is_provisional, 1 AS number FROM changed
        UNION ALL
        SELECT friend, owner, place_status, place_precision, place_is_weak, place_is_provisional, -1 FROM former
    ) AS turned
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = turned.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4, 5;
    ids := ARRAY(SELECT id FROM (SELECT id, hash FROM changed EXCEPT SELECT id, hash FROM former) AS others);
    IF cardinality(ids) > 0 THEN PERFORM settle_addresses(ids); END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION addresses_removed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO address_tallies (account, status, precision, is_weak, is_provisional, addresses, changes)
    SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional, -count(*), count(*)
    FROM removed
    CROSS JOIN LATERAL (SELECT deleted_at FROM friends WHERE friends.id = removed.friend LIMIT 1) AS friends
    WHERE deleted_at IS NULL
    GROUP BY 1, 2, 3, 4, 5;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION friends_added() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, count(*), count(*) FROM added WHERE deleted_at IS NULL GROUP BY 1;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION friends_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    gone bigint[];
    back bigint[];
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, sum(number), count(*)
    FROM (
        SELECT account, CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END AS number FROM changed
        UNION ALL
        SELECT account, CASE WHEN deleted_at IS NULL THEN -1 ELSE 0 END FROM former
    ) AS turned
    GROUP BY 1;
    gone := ARRAY(SELECT id FROM changed WHERE deleted_at IS NOT NULL EXCEPT SELECT id FROM former WHERE deleted_at IS NOT NULL);
    back := ARRAY(SELECT id FROM changed WHERE deleted_at IS NULL EXCEPT SELECT id FROM former WHERE deleted_at IS NULL);
    IF cardinality(gone) + cardinality(back) > 0 THEN
        INSERT INTO address_tallies (account, status, precision, is_weak, is_provisional, addresses, changes)
        SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional, sum(number), count(*)
        FROM (SELECT unnest(gone) AS friend, -1 AS number UNION ALL SELECT unnest(back), 1) AS turned
        CROSS JOIN LATERAL (
            SELECT owner, place_status, place_precision, place_is_weak, place_is_provisional
            FROM addresses
            WHERE friend = turned.friend
            OFFSET 0
        ) AS own
        GROUP BY 1, 2, 3, 4, 5;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION friends_removed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO friend_tallies (account, friends, changes)
    SELECT account, -count(*), count(*) FROM removed WHERE deleted_at IS NULL GROUP BY 1;
    RETURN NULL;
END
$$;

-- Deletes the addresses before the friend is gone, while the trigger can still see that they count.
CREATE OR REPLACE FUNCTION remove_friend_addresses() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM addresses WHERE friend = OLD.id;
    RETURN OLD;
END
$$;

CREATE OR REPLACE FUNCTION move_friend_addresses() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE addresses SET owner = NEW.account WHERE friend = NEW.id;
    RETURN NULL;
END
$$;

SELECT run_as_owner(
    ARRAY[
        'settle_addresses(bigint[])', 'settle_geocodes(bigint[])', 'settle_left_overs(integer)', 'geocodes_changed()',
        'set_address_owner()', 'addresses_added()', 'addresses_changed()', 'addresses_removed()',
        'friends_added()', 'friends_changed()', 'friends_removed()', 'remove_friend_addresses()',
        'move_friend_addresses()'],
    'SET enable_seqscan = off SET jit = off');

CREATE OR REPLACE TRIGGER geocodes_changed
AFTER UPDATE ON geocodes REFERENCING OLD TABLE AS former NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION geocodes_changed();

-- Our own writers set the owner, which saves the call of this trigger.
CREATE OR REPLACE TRIGGER address_owner_set
BEFORE INSERT ON addresses
FOR EACH ROW WHEN (NEW.owner IS NULL) EXECUTE FUNCTION set_address_owner();

CREATE OR REPLACE TRIGGER address_owner_changed
BEFORE UPDATE OF friend ON addresses
FOR EACH ROW WHEN (NEW.friend <> OLD.friend) EXECUTE FUNCTION set_address_owner();

CREATE OR REPLACE TRIGGER addresses_added
AFTER INSERT ON addresses REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION addresses_added();

CREATE OR REPLACE TRIGGER addresses_changed
AFTER UPDATE ON addresses REFERENCING OLD TABLE AS former NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION addresses_changed();

CREATE OR REPLACE TRIGGER addresses_removed
AFTER DELETE ON addresses REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION addresses_removed();

CREATE OR REPLACE TRIGGER friends_added
AFTER INSERT ON friends REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION friends_added();

CREATE OR REPLACE TRIGGER friends_changed
AFTER UPDATE ON friends REFERENCING OLD TABLE AS former NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION friends_changed();

CREATE OR REPLACE TRIGGER friends_removed
AFTER DELETE ON friends REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION friends_removed();

CREATE OR REPLACE TRIGGER friend_removed
BEFORE DELETE ON friends
FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION remove_friend_addresses();

CREATE OR REPLACE TRIGGER friend_account_changed
AFTER UPDATE OF account ON friends
FOR EACH ROW WHEN (NEW.account <> OLD.account) EXECUTE FUNCTION move_friend_addresses();
