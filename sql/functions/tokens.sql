-- The token with this number, if it is good now. Whether the secret is right is for the caller to see.
CREATE OR REPLACE FUNCTION token_holder(token integer)
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
CREATE OR REPLACE FUNCTION note_token_use(token integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE tokens SET last_used_at = now()
    WHERE id = note_token_use.token AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
$$;

-- Whether there is a token that is good now: without one the server listens on loopback only.
CREATE OR REPLACE FUNCTION any_token_is_good() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
$$;

-- Whether there ever was one: from then on nobody is served without.
CREATE OR REPLACE FUNCTION any_token_was_made() RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM tokens)
$$;

-- These run with the owner's rights, so they are not for everybody, and find the owner's tables whatever the caller's search
-- path is.
DO $$
DECLARE
    the_function text;
BEGIN
    FOREACH the_function IN ARRAY ARRAY['token_holder(integer)', 'note_token_use(integer)', 'any_token_is_good()',
                                        'any_token_was_made()'] LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', the_function);
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', the_function, current_schema());
    END LOOP;
END
$$;
