-- After each change of friends: the tallies of friends and of their addresses. See also standing.sql.

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
        'friends_added()', 'friends_changed()', 'friends_removed()', 'remove_friend_addresses()',
        'move_friend_addresses()'],
    'SET enable_seqscan = off SET jit = off');

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
