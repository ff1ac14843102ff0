-- The changes that people made to the cluster, by command or over the API: one row for each act, written in the
-- transaction of the act. So each act has a row, and a failed act has none.
--
-- A row contains nothing of a contact: only the ids of things and the values of settings.
CREATE TABLE audit_log (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    verb       text        NOT NULL,
    target     text        NOT NULL,
    token      integer,
    author     text        NOT NULL,
    of_account text,
    host       text,
    before     jsonb,
    after      jsonb,
    CONSTRAINT a_verb_has_a_group CHECK (verb ~ '^[a-z]+\.[a-z-]+$'),
    CONSTRAINT who_acts_is_a_user_of_a_host_or_works_for_an_account CHECK ((host IS NULL) <> (of_account IS NULL)),
    CONSTRAINT only_an_account_has_tokens CHECK (token IS NULL OR of_account IS NOT NULL)
);

CREATE INDEX audit_log_by_time ON audit_log (at);

CREATE TABLE decisions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    geocode    bigint      NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL
);

CREATE INDEX decisions_by_geocode ON decisions (geocode, id);

CREATE INDEX decisions_by_time ON decisions (decided_at);

-- Dropped because the new version also returns the name of the token.
DROP FUNCTION IF EXISTS bearer_of_token(integer, bytea);
