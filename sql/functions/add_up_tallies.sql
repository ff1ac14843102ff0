-- Merges the tally rows of accounts that have many, so that readers find few. Returns how many rows that saved.
CREATE OR REPLACE FUNCTION add_up_tallies() RETURNS bigint
LANGUAGE sql
AS $$
    WITH addresses AS (
        DELETE FROM address_tallies
        WHERE account IN (SELECT account FROM address_tallies GROUP BY account HAVING count(*) > 60)
        RETURNING account, status, precision, is_weak, is_provisional, addresses, changes
    ), friends AS (
        DELETE FROM friend_tallies
        WHERE account IN (SELECT account FROM friend_tallies GROUP BY account HAVING count(*) > 20)
        RETURNING account, friends, changes
    ), address_sums AS (
        INSERT INTO address_tallies (account, status, precision, is_weak, is_provisional, addresses, changes)
        SELECT account, status, precision, is_weak, is_provisional, sum(addresses), sum(changes)
        FROM addresses
        GROUP BY 1, 2, 3, 4, 5
        RETURNING 1
    ), friend_sums AS (
        INSERT INTO friend_tallies (account, friends, changes)
        SELECT account, sum(friends), sum(changes)
        FROM friends
        GROUP BY 1
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM addresses) + (SELECT count(*) FROM friends)
           - (SELECT count(*) FROM address_sums) - (SELECT count(*) FROM friend_sums)
$$;

SELECT run_as_owner(ARRAY['add_up_tallies()']);
