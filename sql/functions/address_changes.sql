-- After each change of addresses: their owners, their standings and their tallies. See also standing.sql.

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

SELECT run_as_owner(
    ARRAY['set_address_owner()', 'addresses_added()', 'addresses_changed()', 'addresses_removed()'],
    'SET enable_seqscan = off SET jit = off');

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
