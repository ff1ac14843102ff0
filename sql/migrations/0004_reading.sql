-- Columns, tables and indexes for the API. With them a route reads little more than it returns. functions/standing.sql
-- maintains the columns and tables.

ALTER TABLE addresses
    ADD COLUMN owner           integer,
    ADD COLUMN place_status    text    NOT NULL DEFAULT 'waiting',
    ADD COLUMN place_precision text,
    ADD COLUMN place_is_weak   boolean NOT NULL DEFAULT false,
    ADD COLUMN map_key         bigint;

UPDATE addresses
SET owner = friends.account,
    place_status = coalesce(geocodes.status::text, 'waiting'),
    place_precision = geocodes.precision,
    place_is_weak = coalesce(geocodes.status = 'located' AND geocodes.is_weak, false)
FROM addresses AS own
JOIN friends ON friends.id = own.friend
LEFT JOIN geocodes ON geocodes.hash = own.hash
WHERE own.id = addresses.id;

ALTER TABLE addresses ALTER owner SET NOT NULL;

CREATE INDEX addresses_by_country ON addresses (owner, country_code, friend);
CREATE INDEX addresses_by_label ON addresses (owner, label, friend);
CREATE INDEX addresses_by_status ON addresses (owner, place_status, friend);

CREATE INDEX addresses_on_the_map ON addresses (owner, map_key) WHERE map_key IS NOT NULL;

CREATE INDEX addresses_by_creation ON addresses (owner, created_at, id);
CREATE INDEX addresses_by_change ON addresses (owner, updated_at, id);

CREATE INDEX friends_by_feed ON friends (account, feed, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_creation ON friends (account, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_change ON friends (account, updated_at, id) WHERE deleted_at IS NULL;

CREATE TABLE address_tallies (
    account   integer NOT NULL,
    status    text    NOT NULL,
    precision text,
    is_weak   boolean NOT NULL,
    addresses bigint  NOT NULL,
    changes   bigint  NOT NULL
);

CREATE INDEX address_tallies_of_an_account ON address_tallies (account);

CREATE TABLE friend_tallies (
    account integer NOT NULL,
    friends bigint  NOT NULL,
    changes bigint  NOT NULL
);

CREATE INDEX friend_tallies_of_an_account ON friend_tallies (account);

ALTER TABLE address_tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE friend_tallies ENABLE ROW LEVEL SECURITY;

INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
SELECT owner, place_status, place_precision, place_is_weak, count(*), count(*)
FROM addresses
JOIN friends ON friends.id = friend
WHERE deleted_at IS NULL
GROUP BY 1, 2, 3, 4;

INSERT INTO friend_tallies (account, friends, changes)
SELECT account, count(*), count(*)
FROM friends
WHERE deleted_at IS NULL
GROUP BY 1;

CREATE TABLE unsettled_geocodes (
    geocode bigint NOT NULL
);
