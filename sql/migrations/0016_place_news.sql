-- Lets a webhook receive messages about changed places of an account's friends instead of locations. See
-- functions/latest_change.sql.

ALTER TABLE sinks
    ADD COLUMN about      text   NOT NULL DEFAULT 'locations',
    ADD COLUMN job        bigint,
    ADD COLUMN told_in    bigint NOT NULL DEFAULT 0,
    ADD COLUMN noticed_at timestamptz,
    ADD CONSTRAINT a_sink_has_a_known_subject CHECK (about IN ('locations', 'places')),
    ADD CONSTRAINT only_a_webhook_tells_of_places CHECK (about = 'locations' OR (kind = 'webhook' AND NOT is_default));
