-- The contacts: friends and where they live.

CREATE TABLE accounts (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text    NOT NULL UNIQUE
);

CREATE TABLE friends (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL REFERENCES accounts,

    -- How the source calls this friend, so that importing the same file again finds them.
    source_key text        NOT NULL,
    name       text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT a_source_key_names_one_friend UNIQUE (account, source_key)
);

CREATE TABLE addresses (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    friend     bigint      NOT NULL REFERENCES friends ON DELETE CASCADE,

    -- A friend's addresses in the order of the source: 1, 2, …
    position   smallint    NOT NULL,
    label      text        NOT NULL DEFAULT '',
    street     text        NOT NULL DEFAULT '',
    city       text        NOT NULL DEFAULT '',
    region     text        NOT NULL DEFAULT '',
    postcode   text        NOT NULL DEFAULT '',
    country    text        NOT NULL DEFAULT '',

    -- The only way to a coordinate. Null until the sweep has hashed what another program wrote.
    hash       bytea       REFERENCES geocodes (hash),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT a_friend_has_one_address_at_a_position UNIQUE (friend, position),
    CONSTRAINT an_address_says_something CHECK (concat(street, city, region, postcode, country) ~ '[^[:space:]]')
);

-- Who lives there? Asked when an answer changes, and by the foreign key.
CREATE INDEX addresses_by_hash ON addresses (hash);

-- The sweep asks: what did another program write?
CREATE INDEX addresses_unhashed ON addresses (id) WHERE hash IS NULL;

-- An address that changes loses its coordinate in the same transaction. Our own writers set the
-- hash of the new text themselves; for any other program this clears it, and the sweep fills it in.
CREATE FUNCTION forget_the_hash_of_a_changed_address() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.hash := NULL;
    RETURN NEW;
END
$$;

CREATE TRIGGER a_changed_address_has_another_hash
BEFORE UPDATE OF street, city, region, postcode, country ON addresses
FOR EACH ROW
WHEN ((OLD.street, OLD.city, OLD.region, OLD.postcode, OLD.country)
      IS DISTINCT FROM (NEW.street, NEW.city, NEW.region, NEW.postcode, NEW.country)
      AND NEW.hash IS NOT DISTINCT FROM OLD.hash)
EXECUTE FUNCTION forget_the_hash_of_a_changed_address();
