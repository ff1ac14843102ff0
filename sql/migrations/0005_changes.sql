-- Lets a client of the API list the friends that changed since its last request. functions/changes.sql maintains the
-- columns.

-- The number of the transaction that last changed the row. A time would miss changes: a transaction may commit long
-- after one that began later, and a request between the two commits would skip it for ever. PostgreSQL lists the
-- transactions that are still open, so a request can stop before their numbers.
ALTER TABLE friends ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;
ALTER TABLE addresses ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;

ALTER TABLE accounts
    -- How often friends of this account were deleted for good.
    ADD COLUMN purges    bigint NOT NULL DEFAULT 0,

    -- The greatest `changed_in` of these friends. For a friend that was not soft-deleted before, the number of the
    -- deleting transaction counts instead. A client that has read up to this number has missed no deletion.
    ADD COLUMN purged_in bigint NOT NULL DEFAULT 0;

-- Find the friends that changed after a transaction, soft-deleted ones too. A change of an address is noted in its own
-- row.
CREATE INDEX friends_by_transaction ON friends (account, changed_in, id);
CREATE INDEX addresses_by_transaction ON addresses (owner, changed_in, friend);
