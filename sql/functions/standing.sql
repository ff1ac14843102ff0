-- Maintains the copies of a question's standing in its addresses (place_…, map_key), in the transaction of each change,
-- whichever program makes it. address_changes.sql and friend_changes.sql maintain the tallies. The functions run with
-- the owner's rights: a change concerns two tables, and the role that makes it may see only one.
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

SELECT run_as_owner(
    ARRAY['settle_addresses(bigint[])', 'settle_geocodes(bigint[])', 'settle_left_overs(integer)', 'geocodes_changed()'],
    'SET enable_seqscan = off SET jit = off');

CREATE OR REPLACE TRIGGER geocodes_changed
AFTER UPDATE ON geocodes REFERENCING OLD TABLE AS former NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION geocodes_changed();
