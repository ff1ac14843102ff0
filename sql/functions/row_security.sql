-- The account that a session works for: the setting waypost.account. Null, which matches no account, if it isn't set.
CREATE OR REPLACE FUNCTION current_account() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('waypost.account', true), '')::integer;

-- Row-level security applies to every role except the owner of the tables. A session sees the rows of its account;
-- without an account it sees none. roles.sql lists the roles that see more. A policy can't be replaced, so each is
-- dropped and created again.

DROP POLICY IF EXISTS own_account ON accounts;
CREATE POLICY own_account ON accounts USING (id = current_account());

-- IS TRUE keeps this condition from being used for an index lookup. Otherwise, before the first ANALYZE, a lookup of
-- one friend by id may use an index that begins with the account and ends with the id, and read the whole account.
DROP POLICY IF EXISTS own_friends ON friends;
CREATE POLICY own_friends ON friends USING ((account = current_account()) IS TRUE);

-- The owner column of a new address is not trusted: its friend must belong to the account too.
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

-- All accounts share the answers, so no account may write them. A session with an account may ask: insert a row without
-- an answer, or with an answer that another spelling has. It may move a waiting question to another job, and keep its
-- own pins. A session without an account sees no rows.

-- Returns true if a question has exactly this answer, so that another spelling may have it too.
CREATE OR REPLACE FUNCTION has_answer(
    question bigint, its_latitude double precision, its_longitude double precision, its_precision text, its_placemark jsonb,
    its_provider text, its_weakness boolean, its_end timestamptz, its_lending boolean)
RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (
        SELECT
        FROM geocodes
        WHERE id = question AND may_be_shared(status, pinned_at, expires_at)
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

DROP POLICY IF EXISTS own_files ON file_runs;
CREATE POLICY own_files ON file_runs USING (account = current_account());

DROP POLICY IF EXISTS own_traffic ON gateway_minutes;
CREATE POLICY own_traffic ON gateway_minutes USING (account = current_account());

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
