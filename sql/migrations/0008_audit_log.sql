-- The changes that people made to the cluster, by command or over the API: one row for each act, written in the
-- transaction of the act. So each act has a row, and a failed act has none.
--
-- A row contains nothing of a contact: only the ids of things and the values of settings.
CREATE TABLE audit_log (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),

    -- The name of the command, such as 'lanes.pause'.
    verb       text        NOT NULL,

    -- The changed thing: the name of a lane or chain, or the id of a job, question or token. Empty if the act changed
    -- many things.
    target     text        NOT NULL,

    -- The author of an act over the API: id and name of the token, and the name of its account. The id is null if the
    -- API needed no token.
    token      integer,
    author     text        NOT NULL,
    of_account text,

    -- The machine of an act by command. Its author is the user of the operating system.
    host       text,

    -- The changed values by name, before and after the act. If the act changed many things, these contain the selection
    -- and the number of things.
    before     jsonb,
    after      jsonb,

    CONSTRAINT a_verb_has_a_group CHECK (verb ~ '^[a-z]+\.[a-z-]+$'),
    CONSTRAINT who_acts_is_a_user_of_a_host_or_works_for_an_account CHECK ((host IS NULL) <> (of_account IS NULL)),
    CONSTRAINT only_an_account_has_tokens CHECK (token IS NULL OR of_account IS NOT NULL)
);

-- Finds acts that are old enough to delete, and the acts since a time.
CREATE INDEX audit_log_by_time ON audit_log (at);

-- A person's decision on a question, with the answer before it, so that the decision can be undone. A row contains only
-- the answer, not the address. It is deleted with its question (functions/forget_decisions.sql), or when the answer may
-- no longer be kept.
CREATE TABLE decisions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    geocode    bigint      NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),

    -- The columns of `geocodes` that a decision writes, before and after it.
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL
);

-- Finds the last decision on a question.
CREATE INDEX decisions_by_geocode ON decisions (geocode, id);

-- Finds the decisions that are old enough to delete.
CREATE INDEX decisions_by_time ON decisions (decided_at);

-- Dropped because the new version also returns the name of the token.
DROP FUNCTION IF EXISTS bearer_of_token(integer, bytea);
