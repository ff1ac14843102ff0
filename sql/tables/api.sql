-- The API: its tokens, and its replies to requests with an idempotency key. The policies of row-level security are in
-- functions/row_security.sql.

-- A token is `wp_ID_SECRET`. The secret is shown once, when the token is made.
CREATE TABLE tokens (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL,

    -- SHA-256 of the secret. A slow hash would protect a password that a person invented; 256 random bits can't be
    -- guessed at any speed.
    hash         bytea       NOT NULL UNIQUE,
    scopes       text[]      NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),

    -- Precise to the hour, so that thousands of requests a second do not cause as many writes.
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz,

    CONSTRAINT a_token_has_a_name CHECK (name <> ''),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin}' AND scopes <> '{}')
);

-- No policy: only the owner sees a token. Other roles look one up by its id, through functions/tokens.sql.
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;

-- Replies to requests with an idempotency key. The same request again gets the same reply and is not executed again.
CREATE TABLE idempotency_keys (
    account      integer     NOT NULL REFERENCES accounts,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    status       smallint    NOT NULL,

    -- Names and values alternate.
    headers      text[]      NOT NULL,

    -- Null if it was too large to store.
    body         bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),

    PRIMARY KEY (account, key),
    CONSTRAINT a_key_is_short CHECK (length(key) BETWEEN 1 AND 255),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(request_hash) = 32),
    CONSTRAINT a_status_is_one_of_http CHECK (status BETWEEN 100 AND 599),
    CONSTRAINT a_kept_body_is_at_most_a_mebibyte CHECK (octet_length(body) <= 1048576)
);

-- Finds the replies of an account that are too old to keep.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account, created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
