-- Fixes that are not kept are counted, and stays outlast strays, a gap or a stop. See functions/record_fixes.sql.

-- How many fixes were not kept, by the words of Locations.FixRefusal. A fix that a phone sent again counts again.
CREATE TABLE refused_fixes (
    account integer     NOT NULL REFERENCES accounts ON DELETE CASCADE,

    -- Null: no tracker had the user that the phone named.
    tracker integer     REFERENCES trackers ON DELETE CASCADE,
    reason  text        NOT NULL,
    count   bigint      NOT NULL,
    last_at timestamptz NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT a_reason_is_counted_once UNIQUE NULLS NOT DISTINCT (tracker, account, reason),
    CONSTRAINT a_count_is_not_zero CHECK (count > 0)
);

ALTER TABLE refused_fixes ENABLE ROW LEVEL SECURITY;

ALTER TABLE trackers
    -- In seconds. A stay does not go on after a longer time without a fix.
    ADD COLUMN longest_gap double precision NOT NULL DEFAULT 43200,

    -- When tracking was turned off, or the newest fix then, if that is later. A stay does not go on across one of these moments.
    ADD COLUMN stops       timestamptz[]    NOT NULL DEFAULT '{}',

    -- The last fix at the location under way: up to there nothing changes but by a late fix. Those after it may be strays. The columns
    -- seen_… and start_… are as of this fix.
    ADD COLUMN settled_at  timestamptz,
    ADD COLUMN settled_id  text             COLLATE "C",

    ADD CONSTRAINT a_gap_is_some_seconds CHECK (longest_gap BETWEEN 60 AND 31622400);

UPDATE trackers
SET settled_at = newest_at, settled_id = newest_id,
    stops = ARRAY (SELECT greatest(upper(times), newest_at) FROM unnest(on_times) AS times WHERE NOT upper_inf(times));

ALTER TABLE lanes
    -- Since when the sink has refused all calls; its lane is probed until a day has passed. Null while it takes them.
    ADD COLUMN denied_since timestamptz;

ALTER TABLE tokens
    -- The token is good for this user of the account only: for one person's phone. Null: for all of the account.
    ADD COLUMN user_id text,
    ADD CONSTRAINT a_token_of_one_user_is_for_positions
        CHECK (user_id IS NULL OR length(user_id) BETWEEN 1 AND 200 AND scopes <@ '{track,locate}');

-- They return one column more from now on.
DROP FUNCTION IF EXISTS due_locations(text, bigint[], bigint[], integer), bearer_of_token(integer, bytea);
