-- Replies that the gateway passes on as they are. tables/geocodes.sql explains the columns.

CREATE TABLE relayed_replies (
    id         bigint      PRIMARY KEY DEFAULT nextval('geocodes_id_seq'),
    hash       bytea       NOT NULL UNIQUE,
    request    text        NOT NULL,
    job        bigint,
    reply      bytea,
    expires_at timestamptz,
    CONSTRAINT a_relay_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT a_reply_expires CHECK (reply IS NULL OR expires_at IS NOT NULL)
);
CREATE INDEX relayed_replies_expiring ON relayed_replies (expires_at) WHERE expires_at IS NOT NULL;

ALTER TABLE tokens
    ADD COLUMN relays boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT only_a_token_to_geocode_relays CHECK (NOT relays OR scopes = '{geocode}');

-- Dropped because the new version returns more columns.
DROP FUNCTION IF EXISTS bearer_of_token(integer, bytea);
