-- The API: its tokens, sessions, replies to requests with an idempotency key, and the log of acts. The policies of row-level security are in
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

    -- The only user for whom the token is valid, for one person's phone. Null: valid for the whole account.
    user_id      text,

    -- For the scope geocode: how long a request waits for a call; what it gets then, the best coarse place or 503; and
    -- whether its question is still asked if the client has left.
    wait_at_most interval,
    when_late    text,
    when_left    text,

    -- Nominatim's door passes its requests on to a Nominatim server, and the replies back as they are.
    relays       boolean     NOT NULL DEFAULT false,

    CONSTRAINT a_token_has_a_name CHECK (name <> ''),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin,track,locate,geocode}' AND scopes <> '{}'),
    CONSTRAINT a_token_to_geocode_is_for_nothing_else CHECK (NOT 'geocode' = ANY (scopes) OR scopes = '{geocode}'),
    CONSTRAINT only_a_token_to_geocode_waits
        CHECK (num_nulls(wait_at_most, when_late, when_left) = CASE WHEN scopes = '{geocode}' THEN 0 ELSE 3 END),
    CONSTRAINT a_wait_is_short CHECK (wait_at_most BETWEEN '0' AND '30 s'),
    CONSTRAINT late_is_known CHECK (when_late IN ('coarse', 'retry')),
    CONSTRAINT left_is_known CHECK (when_left IN ('keep', 'drop')),
    CONSTRAINT only_a_token_to_geocode_relays CHECK (NOT relays OR scopes = '{geocode}'),
    CONSTRAINT a_token_of_one_user_is_for_positions
        CHECK (user_id IS NULL OR length(user_id) BETWEEN 1 AND 200 AND scopes <@ '{track,locate}'),
    CONSTRAINT a_user_id_is_in_the_form_nfc CHECK (user_id IS NFC NORMALIZED)
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

-- The sessions of browsers. The cookie of a browser contains 256 random bits, and `hash` is their SHA-256. A session
-- belongs to a token and ends with it.
CREATE TABLE sessions (
    hash       bytea       PRIMARY KEY,
    token      integer     NOT NULL REFERENCES tokens ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,

    CONSTRAINT a_hash_has_256_bits CHECK (octet_length(hash) = 32)
);

-- Finds the sessions of a token that is deleted.
CREATE INDEX sessions_by_token ON sessions (token);

-- Finds the expired sessions.
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- The requests at the gateway in the last day, by minute and token. Each coordinator keeps the sums of its present minute
-- in memory, and writes them repeatedly into rows of its own. So a write that is repeated counts nothing twice.
CREATE TABLE gateway_minutes (
    minute    timestamptz NOT NULL,

    -- 0 for requests that were refused before their account was known.
    account   integer     NOT NULL,

    -- 0 for requests without a valid token.
    token     integer     NOT NULL,

    -- A random number of the coordinator's process.
    process   bigint      NOT NULL,

    -- The token's name; empty without a token.
    name      text        NOT NULL,

    -- Requests by the source of the answer, as in the header Waypost-Source. `missed`: nothing was found.
    local     integer     NOT NULL,
    cache     integer     NOT NULL,
    call      integer     NOT NULL,
    waiting   integer     NOT NULL,
    missed    integer     NOT NULL,
    refused   integer     NOT NULL,

    -- Requests that were not refused, by duration. Element 1 has those below 64 microseconds, element n those up to
    -- twice the time of element n - 1, and the last one also has all that took longer.
    durations integer[]   NOT NULL,

    PRIMARY KEY (minute, account, token, process),
    CONSTRAINT durations_have_20_classes CHECK (cardinality(durations) = 20)
)
WITH (fillfactor = 50);

ALTER TABLE gateway_minutes ENABLE ROW LEVEL SECURITY;

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
