-- Returns the number of the last transaction that changed a friend or an address of an account. Only transactions older
-- than every open one count, so no earlier number can appear later. Null if there is none. See friends.changed_in.
CREATE OR REPLACE FUNCTION latest_change(the_account integer) RETURNS bigint
LANGUAGE sql STABLE
SET enable_seqscan = off
SET jit = off
RETURN greatest(
    (SELECT changed_in
     FROM friends
     WHERE account = the_account AND changed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     ORDER BY changed_in DESC, id DESC
     LIMIT 1),
    (SELECT changed_in
     FROM addresses
     WHERE owner = the_account AND changed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     ORDER BY changed_in DESC, friend DESC
     LIMIT 1));
