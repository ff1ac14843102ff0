-- Counts the fixes that are not kept. A stray fix does not end a stay; a long gap or a stop does. See
-- functions/record_fixes.sql.

CREATE TABLE refused_fixes (
    account integer     NOT NULL REFERENCES accounts ON DELETE CASCADE,
    tracker integer     REFERENCES trackers ON DELETE CASCADE,
    reason  text        NOT NULL,
    count   bigint      NOT NULL,
    last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT a_reason_is_counted_once UNIQUE NULLS NOT DISTINCT (tracker, account, reason),
    CONSTRAINT a_count_is_not_zero CHECK (count > 0)
);

ALTER TABLE refused_fixes ENABLE ROW LEVEL SECURITY;

ALTER TABLE trackers
    ADD COLUMN longest_gap double precision NOT NULL DEFAULT 43200,
    ADD COLUMN stops       timestamptz[]    NOT NULL DEFAULT '{}',
    ADD COLUMN settled_at  timestamptz,
    ADD COLUMN settled_id  text             COLLATE "C",
    ADD CONSTRAINT a_gap_is_some_seconds CHECK (longest_gap BETWEEN 60 AND 31622400);

UPDATE trackers
SET settled_at = newest_at, settled_id = newest_id,
    stops = ARRAY (SELECT greatest(upper(times), newest_at) FROM unnest(on_times) AS times WHERE NOT upper_inf(times));

ALTER TABLE lanes
    ADD COLUMN denied_since timestamptz;

ALTER TABLE tokens
    ADD COLUMN user_id text,
    ADD CONSTRAINT a_token_of_one_user_is_for_positions
        CHECK (user_id IS NULL OR length(user_id) BETWEEN 1 AND 200 AND scopes <@ '{track,locate}');

-- Dropped because the new versions return one more column.
DROP FUNCTION IF EXISTS due_locations(text, bigint[], bigint[], integer), bearer_of_token(integer, bytea);
