-- Files that clients sent to be geocoded and that still wait for answers: see `/v1/geocode/file`. The contacts are not
-- stored: the result is made from the file and the answers each time.
CREATE TABLE file_runs (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     integer     NOT NULL REFERENCES accounts,

    -- SHA-256 of the file and its settings: the same file again is the same run.
    digest      bytea       NOT NULL,
    name        text        NOT NULL,

    -- Names and values alternate.
    settings    text[]      NOT NULL,
    file        bytea       NOT NULL,
    contacts    integer     NOT NULL,

    -- Contacts, and parts of them, that were left out.
    refused     integer     NOT NULL,

    -- Addresses with a position of their own, which are not asked.
    pinned      integer     NOT NULL,

    -- The hash of each other address. All of them were asked before the row was inserted.
    hashes      bytea[]     NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),

    -- The leader sets it when no question waits any more. A day later the row is deleted.
    finished_at timestamptz,

    -- The URL of a webhook that is called then, and the secret that signs the message, sealed as in sinks.
    notify          text,
    notify_secret   bytea,

    -- When the webhook is called next. Null before the end, and after the webhook has accepted the message.
    notify_at       timestamptz,
    notify_failures integer NOT NULL DEFAULT 0,

    UNIQUE (account, digest),
    CONSTRAINT a_digest_is_a_sha256 CHECK (octet_length(digest) = 32),
    CONSTRAINT a_file_has_at_most_32_mebibytes CHECK (octet_length(file) <= 33554432),
    CONSTRAINT a_file_name_is_short CHECK (length(name) <= 200),
    CONSTRAINT a_webhook_of_a_file_is_signed CHECK ((notify IS NULL) = (notify_secret IS NULL))
);

ALTER TABLE file_runs ENABLE ROW LEVEL SECURITY;
