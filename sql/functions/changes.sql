-- Maintains `changed_in`, whichever program writes: the number of the transaction that last changed a friend or an
-- address. New rows get it as a default. The functions run with the owner's rights, because a worker may not read
-- friends.

CREATE OR REPLACE FUNCTION set_changed_in() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_in := pg_current_xact_id()::text::bigint;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER friend_changed_in
BEFORE UPDATE ON friends
FOR EACH ROW WHEN (NEW.changed_in = OLD.changed_in AND OLD.* IS DISTINCT FROM NEW.*)
EXECUTE FUNCTION set_changed_in();

-- A change of the copied columns (place_…, map_key) counts too.
CREATE OR REPLACE TRIGGER address_changed_in
BEFORE UPDATE ON addresses
FOR EACH ROW WHEN (NEW.changed_in = OLD.changed_in AND OLD.* IS DISTINCT FROM NEW.*)
EXECUTE FUNCTION set_changed_in();

-- A deleted address leaves no row that shows the change, so its friend gets the new number. If the friend itself is
-- being deleted, nothing is noted here.
CREATE OR REPLACE FUNCTION note_removed_addresses() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    UPDATE friends
    SET changed_in = pg_current_xact_id()::text::bigint
    WHERE id = ANY (ARRAY(SELECT DISTINCT friend FROM removed)) AND deleted_at IS NULL
      AND changed_in <> pg_current_xact_id()::text::bigint;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER addresses_removed_friends
AFTER DELETE ON addresses REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION note_removed_addresses();

CREATE OR REPLACE FUNCTION note_moved_address() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE friends SET changed_in = pg_current_xact_id()::text::bigint WHERE id = OLD.friend;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER address_moved
AFTER UPDATE OF friend ON addresses
FOR EACH ROW WHEN (NEW.friend <> OLD.friend)
EXECUTE FUNCTION note_moved_address();

-- A friend deleted for good leaves no row that shows the deletion, so the account records it.
CREATE OR REPLACE FUNCTION note_purged_friends() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts
    SET purges = purges + 1, purged_in = greatest(purged_in, gone.number)
    FROM (
        -- A friend that was not soft-deleted before: no earlier reader has seen the deletion, so take this
        -- transaction's number.
        SELECT account, max(CASE WHEN deleted_at IS NULL THEN pg_current_xact_id()::text::bigint ELSE changed_in END) AS number
        FROM removed
        GROUP BY 1
    ) AS gone
    WHERE accounts.id = gone.account;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER friends_purged
AFTER DELETE ON friends REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION note_purged_friends();

SELECT run_as_owner(
    ARRAY['note_removed_addresses()', 'note_moved_address()', 'note_purged_friends()'],
    'SET enable_seqscan = off SET jit = off');
