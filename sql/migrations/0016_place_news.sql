-- Lets a webhook receive messages about changed places of an account's friends instead of locations. See
-- functions/latest_change.sql.

ALTER TABLE sinks
    -- The subject of the sink's messages: locations of trackers, or places of friends.
    ADD COLUMN about      text   NOT NULL DEFAULT 'locations',

    -- About places: the job that sends the next message. If there is nothing to send, this is null or the id of a job
    -- that no longer exists.
    ADD COLUMN job        bigint,

    -- About places: the last message covered all changes up to this transaction. See friends.changed_in.
    ADD COLUMN told_in    bigint NOT NULL DEFAULT 0,

    -- About places: when that job was enqueued.
    ADD COLUMN noticed_at timestamptz,

    ADD CONSTRAINT a_sink_has_a_known_subject CHECK (about IN ('locations', 'places')),
    ADD CONSTRAINT only_a_webhook_tells_of_places CHECK (about = 'locations' OR (kind = 'webhook' AND NOT is_default));
