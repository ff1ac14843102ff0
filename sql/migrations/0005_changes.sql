-- Lets a client of the API ask which friends have changed since it last asked. functions/changes.sql keeps the columns right.

-- The number of the transaction that last changed the row. A time would not do: a transaction may commit long after one that began
-- later, and who has asked in between would never hear of it. Which numbers are still open, PostgreSQL knows.
ALTER TABLE friends ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;
ALTER TABLE addresses ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;

ALTER TABLE accounts
    -- How often friends were deleted for good.
    ADD COLUMN purges    bigint NOT NULL DEFAULT 0,

    -- The greatest number under which one of them could have been heard of.
    ADD COLUMN purged_in bigint NOT NULL DEFAULT 0;

-- Who has changed since, soft-deleted friends as well? Of a change of an address its own row tells.
CREATE INDEX friends_by_transaction ON friends (account, changed_in, id);
CREATE INDEX addresses_by_transaction ON addresses (owner, changed_in, friend);
