-- Returns true if a token with these times is valid now.
CREATE OR REPLACE FUNCTION is_valid_token(revoked_at timestamptz, expires_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

-- Returns the account of the token with this id and this hash of its secret, if it is valid now. A caller without the
-- secret learns nothing: neither the account, nor whether the token exists.
CREATE OR REPLACE FUNCTION bearer_of_token(token integer, secret_hash bytea)
RETURNS TABLE (
    account integer, account_name text, token_name text, scopes text[], good_for interval, was_used_lately boolean,
    user_id text, wait_at_most interval, when_late text, when_left text, relays boolean)
LANGUAGE sql STABLE
AS $$
    SELECT accounts.id, accounts.name, tokens.name, tokens.scopes, tokens.expires_at - now(),
           coalesce(tokens.last_used_at > now() - interval '1 hour', false), tokens.user_id,
           tokens.wait_at_most, tokens.when_late, tokens.when_left, tokens.relays
    FROM tokens
    JOIN accounts ON accounts.id = tokens.account
    WHERE tokens.id = bearer_of_token.token
      AND tokens.hash = bearer_of_token.secret_hash
      AND is_valid_token(tokens.revoked_at, tokens.expires_at)
$$;

-- Stores when a token was used, at most once an hour.
CREATE OR REPLACE FUNCTION note_use_of_token(token integer, secret_hash bytea) RETURNS void
LANGUAGE sql
AS $$
    UPDATE tokens SET last_used_at = now()
    WHERE id = note_use_of_token.token AND hash = note_use_of_token.secret_hash
      AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
$$;

-- Returns true if any token is valid now. Without one the server listens on loopback only.
CREATE OR REPLACE FUNCTION any_token_is_good() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens WHERE is_valid_token(revoked_at, expires_at))
$$;

-- Returns true if a token was ever made. From then on every request needs one.
CREATE OR REPLACE FUNCTION any_token_was_made() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens)
$$;

SELECT run_as_owner(ARRAY[
    'bearer_of_token(integer, bytea)', 'note_use_of_token(integer, bytea)', 'any_token_is_good()', 'any_token_was_made()']);
