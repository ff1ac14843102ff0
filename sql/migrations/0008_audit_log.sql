-- What people did to the cluster, by command or over the API: who, what, when. Each row is written in the transaction of the act that it is
-- about, so there is no act without a row, and no row of an act that failed.
--
-- Nothing of a contact stands here: things have their numbers, and settings their values.
CREATE TABLE audit_log (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),

    -- What was done, as the command is called: 'lanes.pause'.
    verb       text        NOT NULL,

    -- To what: a lane's or a chain's name, the number of a job, a question or a token. Empty where it was to many things.
    target     text        NOT NULL,

    -- Who did it. Over the API: the number and the name of the token, and the name of its account. No number where no token was needed.
    token      integer,
    author     text        NOT NULL,
    of_account text,

    -- By command: the user of the operating system is the author, and this is the machine.
    host       text,

    -- What was changed, by name, as it was and as it is; or which things were meant, and how many they were.
    before     jsonb,
    after      jsonb,

    CONSTRAINT a_verb_has_a_group CHECK (verb ~ '^[a-z]+\.[a-z-]+$'),
    CONSTRAINT who_acts_is_a_user_of_a_host_or_works_for_an_account CHECK ((host IS NULL) <> (of_account IS NULL)),
    CONSTRAINT only_an_account_has_tokens CHECK (token IS NULL OR of_account IS NOT NULL)
);

-- What is old enough to go? What was done since then?
CREATE INDEX audit_log_by_time ON audit_log (at);

-- What a person decided of a question, and the answer that it had before: so that the decision can be taken back. Of the answer, and of nothing
-- that was asked. It goes with the question (functions/forget_decisions.sql), and with the time for which the answer could be kept.
CREATE TABLE decisions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    geocode    bigint      NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),

    -- The columns of `geocodes` that a decision writes, as they were, and as it left them.
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL
);

-- What was decided last of this question?
CREATE INDEX decisions_by_geocode ON decisions (geocode, id);

-- What is old enough to go?
CREATE INDEX decisions_by_time ON decisions (decided_at);

-- It tells the name of the token as well from now on.
DROP FUNCTION IF EXISTS bearer_of_token(integer, bytea);
