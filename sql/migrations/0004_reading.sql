-- Columns, tables and indexes for the API. With them a route reads little more than it returns. functions/standing.sql
-- maintains the columns and tables.

-- Copies of the friend's account and of the question's status in each address. Without the copies no index could
-- contain both the account and the searched value, so a search for a few addresses would read a million.
--
-- The names differ from those in `friends` and `geocodes`, because queries join these tables.
ALTER TABLE addresses
    -- The friend's account.
    ADD COLUMN owner           integer,

    -- geocodes.status; 'waiting' if there is no question yet. The type is text, because row-level security prevents an
    -- index search for a value of an enumeration: PostgreSQL does not mark its comparison as leakproof.
    ADD COLUMN place_status    text    NOT NULL DEFAULT 'waiting',
    ADD COLUMN place_precision text,
    ADD COLUMN place_is_weak   boolean NOT NULL DEFAULT false,

    -- The position of a located address on the map. functions/map_key.sql computes it, also for addresses that exist
    -- already.
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

-- Find the friends with an address in a country, with a label, or of a status. Sorted by the friend's id, as pages are.
CREATE INDEX addresses_by_country ON addresses (owner, country_code, friend);
CREATE INDEX addresses_by_label ON addresses (owner, label, friend);
CREATE INDEX addresses_by_status ON addresses (owner, place_status, friend);

-- Finds the addresses in a part of the map.
CREATE INDEX addresses_on_the_map ON addresses (owner, map_key) WHERE map_key IS NOT NULL;

-- List pages of addresses in the two orders of Monica's API.
CREATE INDEX addresses_by_creation ON addresses (owner, created_at, id);
CREATE INDEX addresses_by_change ON addresses (owner, updated_at, id);

-- List pages of friends: of one feed, and in the two orders of Monica's API.
CREATE INDEX friends_by_feed ON friends (account, feed, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_creation ON friends (account, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_change ON friends (account, updated_at, id) WHERE deleted_at IS NULL;

-- The number of an account's addresses by status, and of its friends, both without soft-deleted friends. A number is
-- the sum over the account's rows. Each statement that changes a number adds rows, so two statements never wait for
-- each other. The leading coordinator merges the rows (functions/add_up_tallies.sql).
CREATE TABLE address_tallies (
    account   integer NOT NULL,
    status    text    NOT NULL,
    precision text,
    is_weak   boolean NOT NULL,
    addresses bigint  NOT NULL,

    -- Its sum only grows. While the sum is the same, nothing has changed.
    changes   bigint  NOT NULL
);

CREATE INDEX address_tallies_of_an_account ON address_tallies (account);

CREATE TABLE friend_tallies (
    account integer NOT NULL,
    friends bigint  NOT NULL,

    -- Its sum only grows, as in `address_tallies`.
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

-- Questions that changed while another transaction stored an address for them. The change could not see that address,
-- so the leading coordinator updates it later.
CREATE TABLE unsettled_geocodes (
    geocode bigint NOT NULL
);
