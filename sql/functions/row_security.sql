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

DROP POLICY IF EXISTS answers_and_own_pins ON geocodes;
CREATE POLICY answers_and_own_pins ON geocodes USING (account IS NULL OR account = current_account());

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

DROP POLICY IF EXISTS own_locations ON pending_locations;
CREATE POLICY own_locations ON pending_locations USING (account = current_account());

DROP POLICY IF EXISTS own_sinks ON sinks;
CREATE POLICY own_sinks ON sinks USING (account = current_account());

DROP POLICY IF EXISTS own_sign_ins ON sign_ins;
CREATE POLICY own_sign_ins ON sign_ins USING (account = current_account());
