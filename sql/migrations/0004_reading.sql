-- What lets each route of the API read what it answers and little more. functions/standing.sql keeps the columns and tables right.

-- An address knows its account and the standing of its question. Without a copy of either no index can have both what is asked
-- for and the account, and a few addresses among a million are found by reading the million.
--
-- The names are others than in `friends` and `geocodes`, with which the table is joined.
ALTER TABLE addresses
    -- The friend's account.
    ADD COLUMN owner           integer,

    -- geocodes.status; 'waiting' where there is no question yet. A text, for row-level security lets no index look for a value of
    -- an enumeration, whose comparison PostgreSQL does not trust.
    ADD COLUMN place_status    text    NOT NULL DEFAULT 'waiting',
    ADD COLUMN place_precision text,
    ADD COLUMN place_is_weak   boolean NOT NULL DEFAULT false,

    -- Where a located address is on the map: functions/map_key.sql, which also fills it in for those that are there already.
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

-- Who has an address in this country, with this label, of this status? By the friends' numbers, as pages are.
CREATE INDEX addresses_by_country ON addresses (owner, country_code, friend);
CREATE INDEX addresses_by_label ON addresses (owner, label, friend);
CREATE INDEX addresses_by_status ON addresses (owner, place_status, friend);

-- What is in this part of the map?
CREATE INDEX addresses_on_the_map ON addresses (owner, map_key) WHERE map_key IS NOT NULL;

-- Pages of addresses in Monica's two orders.
CREATE INDEX addresses_by_creation ON addresses (owner, created_at, id);
CREATE INDEX addresses_by_change ON addresses (owner, updated_at, id);

-- Pages of friends: of a feed, and in Monica's two orders.
CREATE INDEX friends_by_feed ON friends (account, feed, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_creation ON friends (account, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX friends_by_change ON friends (account, updated_at, id) WHERE deleted_at IS NULL;

-- How many addresses of friends who are not soft-deleted an account has, by standing, and how many friends. The sum over all rows
-- of an account is the number. Each statement that changes something adds rows, so that two never wait for each other; the
-- leading coordinator adds them up (functions/add_up_tallies.sql).
CREATE TABLE address_tallies (
    account   integer NOT NULL,
    status    text    NOT NULL,
    precision text,
    is_weak   boolean NOT NULL,
    addresses bigint  NOT NULL,

    -- Only grows: what was read under the same sum is still so.
    changes   bigint  NOT NULL
);

CREATE INDEX address_tallies_of_an_account ON address_tallies (account);

CREATE TABLE friend_tallies (
    account integer NOT NULL,
    friends bigint  NOT NULL,

    -- Only grows, as above.
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

-- Questions that changed while somebody was storing an address for them: that address is not visible yet, and learns of the change
-- from the leading coordinator.
CREATE TABLE unsettled_geocodes (
    geocode bigint NOT NULL
);
