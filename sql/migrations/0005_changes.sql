-- Lets a client of the API list the friends that changed since its last request. functions/changes.sql maintains the
-- columns.

ALTER TABLE friends ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;
ALTER TABLE addresses ADD COLUMN changed_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint;

ALTER TABLE accounts
    ADD COLUMN purges    bigint NOT NULL DEFAULT 0,
    ADD COLUMN purged_in bigint NOT NULL DEFAULT 0;

CREATE INDEX friends_by_transaction ON friends (account, changed_in, id);
CREATE INDEX addresses_by_transaction ON addresses (owner, changed_in, friend);
