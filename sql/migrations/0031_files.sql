-- Files that wait for answers. tables/files.sql explains the columns.

CREATE TABLE file_runs (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account     integer     NOT NULL REFERENCES accounts,
    digest      bytea       NOT NULL,
    name        text        NOT NULL,
    settings    text[]      NOT NULL,
    file        bytea       NOT NULL,
    contacts    integer     NOT NULL,
    refused     integer     NOT NULL,
    pinned      integer     NOT NULL,
    hashes      bytea[]     NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    UNIQUE (account, digest),
    CONSTRAINT a_digest_is_a_sha256 CHECK (octet_length(digest) = 32),
    CONSTRAINT a_file_has_at_most_32_mebibytes CHECK (octet_length(file) <= 33554432),
    CONSTRAINT a_file_name_is_short CHECK (length(name) <= 200)
);

ALTER TABLE file_runs ENABLE ROW LEVEL SECURITY;
