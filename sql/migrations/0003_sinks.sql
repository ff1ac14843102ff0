-- Sinks, to which locations are uploaded. The policies of row-level security are in functions/row_security.sql.

ALTER TABLE lanes
    ADD COLUMN kind text NOT NULL DEFAULT 'geocoding',
    ADD CONSTRAINT a_lane_is_of_a_known_kind CHECK (kind IN ('geocoding', 'upload'));

CREATE TABLE sinks (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL UNIQUE,
    kind         text        NOT NULL,
    lane         smallint    NOT NULL UNIQUE REFERENCES lanes,
    settings     jsonb       NOT NULL DEFAULT '{}',
    sealed       bytea,
    signs_in     boolean     NOT NULL DEFAULT false,
    is_default   boolean     NOT NULL DEFAULT false,
    pause        interval    NOT NULL DEFAULT '5 seconds',
    changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT a_sink_is_of_a_known_kind CHECK (kind IN ('firestore', 'webhook', 'file', 'table')),
    CONSTRAINT a_sink_name_is_short CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'),
    CONSTRAINT a_pause_is_not_negative CHECK (pause >= '0')
);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON sinks (account) WHERE is_default;
ALTER TABLE sinks ENABLE ROW LEVEL SECURITY;

ALTER TABLE trackers
    ADD COLUMN sink         integer REFERENCES sinks,
    ADD COLUMN newest_first boolean NOT NULL DEFAULT false,
    ADD COLUMN job          bigint,
    ADD COLUMN uploaded_at  timestamptz,
    ADD COLUMN piece        integer;

CREATE INDEX trackers_by_sink ON trackers (sink) WHERE sink IS NOT NULL;

CREATE TABLE sign_ins (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL,
    sink       integer     NOT NULL REFERENCES sinks ON DELETE CASCADE,
    tracker    integer     REFERENCES trackers ON DELETE CASCADE,
    sealed     bytea       NOT NULL,
    number     integer     NOT NULL DEFAULT 1,
    ends_at    timestamptz NOT NULL,
    may_renew  boolean     NOT NULL DEFAULT true,
    refusal    text,
    renewed_by timestamptz,
    CONSTRAINT a_tracker_signs_in_once UNIQUE NULLS NOT DISTINCT (sink, tracker)
);

ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;

ALTER TABLE pending_locations ADD COLUMN refusal text;

DROP INDEX pending_locations_due;

CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded AND refusal IS NULL;

CREATE INDEX pending_locations_refused ON pending_locations (tracker, at, id) WHERE refusal IS NOT NULL;
