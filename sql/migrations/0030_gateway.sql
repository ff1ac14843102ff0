-- Tokens with the scope geocode, for programs that use the doors of the gateway. tables/api.sql explains the columns.

ALTER TABLE tokens
    ADD COLUMN wait_at_most interval,
    ADD COLUMN when_late    text,
    ADD COLUMN when_left    text,
    DROP CONSTRAINT scopes_are_known,
    ADD CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin,track,locate,geocode}' AND scopes <> '{}'),
    ADD CONSTRAINT a_token_to_geocode_is_for_nothing_else CHECK (NOT 'geocode' = ANY (scopes) OR scopes = '{geocode}'),
    ADD CONSTRAINT only_a_token_to_geocode_waits
        CHECK (num_nulls(wait_at_most, when_late, when_left) = CASE WHEN scopes = '{geocode}' THEN 0 ELSE 3 END),
    ADD CONSTRAINT a_wait_is_short CHECK (wait_at_most BETWEEN '0' AND '30 s'),
    ADD CONSTRAINT late_is_known CHECK (when_late IN ('coarse', 'retry')),
    ADD CONSTRAINT left_is_known CHECK (when_left IN ('keep', 'drop'));

-- Dropped because the new version returns more columns.
DROP FUNCTION IF EXISTS bearer_of_token(integer, bytea);
