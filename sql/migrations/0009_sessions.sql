-- Who has signed in with a browser. What is kept of a session is the SHA-256 of the 256 random bits that the browser has in a cookie.
-- A session is its token's, and ends with it.
CREATE TABLE sessions (
    hash       bytea       PRIMARY KEY,
    token      integer     NOT NULL REFERENCES tokens ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,

    CONSTRAINT a_hash_has_256_bits CHECK (octet_length(hash) = 32)
);

-- Finds those of a token that goes.
CREATE INDEX sessions_by_token ON sessions (token);

-- Finds those that are over.
CREATE INDEX sessions_by_end ON sessions (expires_at);
