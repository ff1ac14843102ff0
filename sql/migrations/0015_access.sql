-- Who may ask over HTTP, and what of the contacts each of them sees.

-- A token is `wp_ID_SECRET`. The secret is shown when the token is made, and nowhere else after that.
CREATE TABLE tokens (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL,

    -- SHA-256 of the secret. A slow hash protects what a person thought up; 256 random bits can't be guessed at any speed.
    hash         bytea       NOT NULL UNIQUE,
    scopes       text[]      NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),

    -- To the hour: thousands of requests a second must not be as many writes.
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz,

    CONSTRAINT a_token_has_a_name CHECK (name <> ''),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin}' AND scopes <> '{}')
);

-- Answers to requests that carried an idempotency key: the same request again gets the same answer, and is not carried out.
CREATE TABLE idempotency_keys (
    account      integer     NOT NULL REFERENCES accounts,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    status       smallint    NOT NULL,

    -- Names and values by turns.
    headers      text[]      NOT NULL,

    -- Null where it was too large to keep.
    body         bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),

    PRIMARY KEY (account, key),
    CONSTRAINT a_key_is_short CHECK (length(key) BETWEEN 1 AND 255),
    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(request_hash) = 32),
    CONSTRAINT a_status_is_one_of_http CHECK (status BETWEEN 100 AND 599),
    CONSTRAINT a_kept_body_is_at_most_a_mebibyte CHECK (octet_length(body) <= 1048576)
);

-- Which answers of an account are too old to keep?
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account, created_at);

-- The account that a session works for: the setting waypost.account. Null, which is no account, where it isn't set.
CREATE FUNCTION current_account() RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('waypost.account', true), '')::integer;

-- Row-level security holds for everybody but the owner of the tables. A session sees the rows of its account; without one
-- it sees none. sql/roles.sql says who else sees more.
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON accounts USING (id = current_account());

ALTER TABLE friends ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_friends ON friends USING (account = current_account());

-- Not EXISTS, of which the planner makes a list of all friends of the account before it looks at the first address: with
-- 20,000 friends a page of 100 addresses takes 52 ms so.
ALTER TABLE addresses ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_addresses ON addresses USING (
    (SELECT account FROM friends WHERE friends.id = addresses.friend) = current_account());

ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_imports ON imports USING (account = current_account());

ALTER TABLE import_batches ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_batches ON import_batches USING (
    (SELECT account FROM imports WHERE imports.id = import_batches.import) = current_account());

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_keys ON idempotency_keys USING (account = current_account());

-- No policy: nobody but the owner sees a token. Others know one by its number, through these two functions.
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;

-- The token with this number, if it is good now. Whether the secret is right is for the caller to see.
CREATE FUNCTION token_holder(token integer)
RETURNS TABLE (account integer, account_name text, hash bytea, scopes text[], good_for interval, was_used_lately boolean)
LANGUAGE sql STABLE
AS $$
    SELECT accounts.id, accounts.name, tokens.hash, tokens.scopes, tokens.expires_at - now(),
           coalesce(tokens.last_used_at > now() - interval '1 hour', false)
    FROM tokens
    JOIN accounts ON accounts.id = tokens.account
    WHERE tokens.id = token_holder.token
      AND tokens.revoked_at IS NULL
      AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
$$;

-- Notes that a token was used, at most once an hour.
CREATE FUNCTION note_token_use(token integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE tokens SET last_used_at = now()
    WHERE id = note_token_use.token AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
$$;

-- Whether there is a token that is good now: without one the server listens on loopback only.
CREATE FUNCTION any_token_is_good() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
$$;

-- Whether there ever was one: from then on nobody is served without.
CREATE FUNCTION any_token_was_made() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens)
$$;

-- These run with the owner's rights, which is not for everybody, and find the owner's tables whatever the caller's search
-- path is. A coordinator makes the days of the call log by the last of them, and so need not own it.
DO $$
DECLARE
    the_function text;
BEGIN
    FOREACH the_function IN ARRAY ARRAY['token_holder(integer)', 'note_token_use(integer)', 'any_token_is_good()',
                                        'any_token_was_made()', 'keep_call_partitions(integer, interval)'] LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', the_function);
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', the_function, current_schema());
    END LOOP;
END
$$;
