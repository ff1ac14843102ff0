-- Begins a session for the token with this id and this hash of its secret, if the token is valid now. Returns true if
-- it was. Also deletes expired sessions, so that there are never many more rows than sessions.
CREATE OR REPLACE FUNCTION begin_session(token integer, secret_hash bytea, session_hash bytea, lasts interval) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM sessions WHERE expires_at <= now();
    INSERT INTO sessions (hash, token, expires_at)
    SELECT session_hash, tokens.id, least(now() + lasts, tokens.expires_at)
    FROM tokens
    WHERE tokens.id = begin_session.token
      AND tokens.hash = begin_session.secret_hash
      -- The pages show whole accounts. A token of one user is for a phone.
      AND tokens.user_id IS NULL
      AND is_valid_token(tokens.revoked_at, tokens.expires_at);
    RETURN FOUND;
END
$$;

-- Returns the bearer of this session, if the session and its token are valid now.
CREATE OR REPLACE FUNCTION bearer_of_session(session_hash bytea)
RETURNS TABLE (token integer, token_name text, account integer, account_name text, scopes text[])
LANGUAGE sql STABLE
AS $$
    SELECT tokens.id, tokens.name, accounts.id, accounts.name, tokens.scopes
    FROM sessions
    JOIN tokens ON tokens.id = sessions.token
    JOIN accounts ON accounts.id = tokens.account
    WHERE sessions.hash = bearer_of_session.session_hash
      AND sessions.expires_at > now()
      AND is_valid_token(tokens.revoked_at, tokens.expires_at)
$$;

CREATE OR REPLACE FUNCTION end_session(session_hash bytea) RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM sessions WHERE hash = end_session.session_hash
$$;

SELECT run_as_owner(ARRAY[
    'begin_session(integer, bytea, bytea, interval)', 'bearer_of_session(bytea)', 'end_session(bytea)']);
