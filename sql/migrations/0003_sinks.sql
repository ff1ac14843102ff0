-- Sinks, to which locations are uploaded. The policies of row-level security are in functions/row_security.sql.

-- The kind of a lane's jobs: questions to a provider, or uploads of trackers' locations to a sink.
ALTER TABLE lanes
    ADD COLUMN kind text NOT NULL DEFAULT 'geocoding',
    ADD CONSTRAINT a_lane_is_of_a_known_kind CHECK (kind IN ('geocoding', 'upload'));

-- A service, a file or a table that receives an account's locations.
CREATE TABLE sinks (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL UNIQUE,
    kind         text        NOT NULL,
    lane         smallint    NOT NULL UNIQUE REFERENCES lanes,

    -- The settings that are not secret, by the names of Sinks.SinkSettings.
    settings     jsonb       NOT NULL DEFAULT '{}',

    -- The secret: an API key, a signing secret or a connection URL, encrypted with a key that is not in the database.
    -- Null if the sink needs none.
    sealed       bytea,

    -- Each call of this sink contains the token of a signed-in user. See sign_ins.
    signs_in     boolean     NOT NULL DEFAULT false,

    -- New trackers of the account use this sink.
    is_default   boolean     NOT NULL DEFAULT false,

    -- The wait between two uploads of one tracker. Without a wait, each fix of a user who stays would cost a call.
    pause        interval    NOT NULL DEFAULT '5 seconds',

    -- Workers create their object for the sink again when this has changed.
    changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT a_sink_is_of_a_known_kind CHECK (kind IN ('firestore', 'webhook', 'file', 'table')),
    CONSTRAINT a_sink_name_is_short CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'),
    CONSTRAINT a_pause_is_not_negative CHECK (pause >= '0')
);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON sinks (account) WHERE is_default;
ALTER TABLE sinks ENABLE ROW LEVEL SECURITY;

ALTER TABLE trackers
    -- The sink for the tracker's locations. Null: they are not uploaded.
    ADD COLUMN sink         integer REFERENCES sinks,
    ADD COLUMN newest_first boolean NOT NULL DEFAULT false,

    -- The only job that uploads this tracker's locations, so that they arrive in order. Null while there is none.
    ADD COLUMN job          bigint,
    ADD COLUMN uploaded_at  timestamptz,

    -- The most locations in this tracker's next call, after the sink refused a larger call. Null: as many as the sink
    -- accepts.
    ADD COLUMN piece        integer;

-- Finds the trackers of a sink.
CREATE INDEX trackers_by_sink ON trackers (sink) WHERE sink IS NOT NULL;

-- A user's sign-in at the service behind a sink, or a shared one for all users without their own.
CREATE TABLE sign_ins (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL,
    sink       integer     NOT NULL REFERENCES sinks ON DELETE CASCADE,

    -- Null: the shared sign-in, for all trackers of the sink.
    tracker    integer     REFERENCES trackers ON DELETE CASCADE,

    -- The tokens, as JSON, encrypted like the secrets of sinks.
    sealed     bytea       NOT NULL,

    -- Incremented with each new token. A result for an older token changes nothing.
    number     integer     NOT NULL DEFAULT 1,

    -- The expiry of the token for calls.
    ends_at    timestamptz NOT NULL,

    -- True if the token may be renewed when the service refuses it. False after a renewal, until a call with the new
    -- token succeeds.
    may_renew  boolean     NOT NULL DEFAULT true,

    -- The reason why the user must sign in again. Nothing is uploaded until then.
    refusal    text,

    -- A worker is renewing the token. Until this time no other worker tries.
    renewed_by timestamptz,

    CONSTRAINT a_tracker_signs_in_once UNIQUE NULLS NOT DISTINCT (sink, tracker)
);

ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;

-- The reason why the sink refuses this location. The location is sent again only after `waypost locations retry`, or
-- when it has changed.
ALTER TABLE pending_locations ADD COLUMN refusal text;

DROP INDEX pending_locations_due;

-- Finds the locations that a tracker's sink does not have yet and has not refused.
CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded AND refusal IS NULL;

-- Finds the locations that sinks have refused.
CREATE INDEX pending_locations_refused ON pending_locations (tracker, at, id) WHERE refusal IS NOT NULL;
