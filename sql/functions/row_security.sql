-- The account that a session works for: the setting waypost.account. Null, which is no account, where it isn't set.
CREATE OR REPLACE FUNCTION current_account() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('waypost.account', true), '')::integer;

-- Row-level security holds for everybody but the owner of the tables. A session sees the rows of its account; without one
-- it sees none. roles.sql says who sees more. A policy can't be replaced, so each is dropped and made again.

DROP POLICY IF EXISTS own_account ON accounts;
CREATE POLICY own_account ON accounts USING (id = current_account());

-- IS TRUE: not a condition that an index is looked up by. Else, before the first ANALYZE, a look for one friend by their number may take an
-- index that begins with the account and has the number at its end, and go through all of the account.
DROP POLICY IF EXISTS own_friends ON friends;
CREATE POLICY own_friends ON friends USING ((account = current_account()) IS TRUE);

-- Who writes an address is not believed whose it is.
DROP POLICY IF EXISTS own_addresses ON addresses;
CREATE POLICY own_addresses ON addresses
    USING ((owner = current_account()) IS TRUE)
    WITH CHECK (
        owner = current_account()
        AND (SELECT account FROM friends WHERE friends.id = addresses.friend) = current_account());

DROP POLICY IF EXISTS own_imports ON imports;
CREATE POLICY own_imports ON imports USING (account = current_account());

DROP POLICY IF EXISTS own_batches ON import_batches;
CREATE POLICY own_batches ON import_batches USING (
    (SELECT account FROM imports WHERE imports.id = import_batches.import) = current_account());

-- Answers are shared by all accounts, so no account may say what they are. Whoever works for one may ask, which is a row without an
-- answer, or with one that another spelling has; may move a waiting question to another job; and may keep its own pins. Who works for
-- none, sees none.

-- Whether a question has this very answer, so that another spelling may have it as well.
CREATE OR REPLACE FUNCTION has_answer(
    question bigint, its_latitude double precision, its_longitude double precision, its_precision text, its_placemark jsonb,
    its_provider text, its_weakness boolean, its_end timestamptz, its_lending boolean)
RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (
        SELECT
        FROM geocodes
        WHERE id = question AND status = 'located' AND pinned_at IS NULL
          AND (latitude, longitude, precision, placemark, provider, is_weak, expires_at, is_lent) IS NOT DISTINCT FROM
              (its_latitude, its_longitude, its_precision, its_placemark, its_provider, its_weakness, its_end, its_lending))
$$;

DROP POLICY IF EXISTS answers_and_own_pins ON geocodes;
CREATE POLICY answers_and_own_pins ON geocodes FOR SELECT
    USING ((account IS NULL OR account = current_account()) AND current_account() > 0);

DROP POLICY IF EXISTS new_questions_and_own_pins ON geocodes;
CREATE POLICY new_questions_and_own_pins ON geocodes FOR INSERT WITH CHECK (
    CASE
        WHEN shadow_of IS NOT NULL THEN false
        WHEN account IS NOT NULL THEN account = current_account()
        WHEN current_account() IS NULL OR current_account() <= 0 OR pinned_at IS NOT NULL OR candidates IS NOT NULL THEN false
        WHEN status = 'waiting' THEN latitude IS NULL AND longitude IS NULL
        ELSE status = 'located'
             AND has_answer(shared_from, latitude, longitude, precision, placemark, provider, is_weak, expires_at, is_lent)
    END);

DROP POLICY IF EXISTS open_questions_and_own_pins ON geocodes;
CREATE POLICY open_questions_and_own_pins ON geocodes FOR UPDATE
    USING (
        account = current_account()
        OR account IS NULL AND pinned_at IS NULL AND status IN ('waiting', 'forgotten', 'not_found', 'failed')
           AND current_account() > 0)
    WITH CHECK (
        account = current_account()
        OR account IS NULL AND pinned_at IS NULL AND status = 'waiting' AND latitude IS NULL AND longitude IS NULL
           AND current_account() > 0);

DROP POLICY IF EXISTS own_address_tallies ON address_tallies;
CREATE POLICY own_address_tallies ON address_tallies USING (account = current_account());

DROP POLICY IF EXISTS own_friend_tallies ON friend_tallies;
CREATE POLICY own_friend_tallies ON friend_tallies USING (account = current_account());

DROP POLICY IF EXISTS own_keys ON idempotency_keys;
CREATE POLICY own_keys ON idempotency_keys USING (account = current_account());

DROP POLICY IF EXISTS own_trackers ON trackers;
CREATE POLICY own_trackers ON trackers USING (account = current_account());

DROP POLICY IF EXISTS own_fixes ON fixes;
CREATE POLICY own_fixes ON fixes USING (account = current_account());

DROP POLICY IF EXISTS own_refusals ON refused_fixes;
CREATE POLICY own_refusals ON refused_fixes USING (account = current_account());

DROP POLICY IF EXISTS own_locations ON pending_locations;
CREATE POLICY own_locations ON pending_locations USING (account = current_account());

DROP POLICY IF EXISTS own_sinks ON sinks;
CREATE POLICY own_sinks ON sinks USING (account = current_account());

DROP POLICY IF EXISTS own_sign_ins ON sign_ins;
CREATE POLICY own_sign_ins ON sign_ins USING (account = current_account());
