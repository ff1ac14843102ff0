-- The sessions of browsers. The cookie of a browser contains 256 random bits, and `hash` is their SHA-256. A session
-- belongs to a token and ends with it.
CREATE TABLE sessions (
    hash       bytea       PRIMARY KEY,
    token      integer     NOT NULL REFERENCES tokens ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT a_hash_has_256_bits CHECK (octet_length(hash) = 32)
);

CREATE INDEX sessions_by_token ON sessions (token);

CREATE INDEX sessions_by_end ON sessions (expires_at);
