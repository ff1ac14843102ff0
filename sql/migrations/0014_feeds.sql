-- Contacts come in feeds that are read again and again: what changed is told from what did not, and what is gone from what
-- was never there.

ALTER TABLE friends
    -- The feed that brings this friend; empty for one who came over the API or by another program.
    ADD feed       text NOT NULL DEFAULT '',

    -- The parts of the name, where the source has them. `name` is what to show.
    ADD first_name text NOT NULL DEFAULT '',
    ADD last_name  text NOT NULL DEFAULT '',
    ADD nickname   text NOT NULL DEFAULT '',

    -- Since when the friend is gone from the source. They keep their addresses, and nobody is shown them.
    ADD deleted_at timestamptz;

-- ISO 3166-1.
CREATE TABLE countries (
    code   text     PRIMARY KEY,
    alpha3 text     NOT NULL UNIQUE,
    number smallint NOT NULL UNIQUE,
    name   text     NOT NULL,

    CONSTRAINT a_country_code_is_two_capitals CHECK (code ~ '^[A-Z]{2}$'),
    CONSTRAINT a_long_country_code_is_three_capitals CHECK (alpha3 ~ '^[A-Z]{3}$')
);

ALTER TABLE addresses
    -- The country as ISO 3166-1 has it, where its spelling is known; set together with the hash. No foreign key: it would
    -- lock the same few countries for each of a million addresses.
    ADD country_code text,
    ADD CONSTRAINT a_country_code_is_two_capitals CHECK (country_code ~ '^[A-Z]{2}$'),
    DROP CONSTRAINT an_address_says_something,
    ADD CONSTRAINT an_address_says_where CHECK (concat(street, city, country) ~ '[^[:space:]]');

-- True once a contact of this account brought a position along: then each address is looked up among the pins first.
ALTER TABLE accounts ADD has_pins boolean NOT NULL DEFAULT false;
