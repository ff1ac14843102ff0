-- Where locations are uploaded to. The policies of row-level security are in functions/row_security.sql.

-- What the jobs of a lane are about: questions to a provider, or the trackers whose locations a sink is to have.
ALTER TABLE lanes
    ADD COLUMN kind text NOT NULL DEFAULT 'geocoding',
    ADD CONSTRAINT a_lane_is_of_a_known_kind CHECK (kind IN ('geocoding', 'upload'));

-- A service, a file or a table that has an account's locations too.
CREATE TABLE sinks (
    id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account      integer     NOT NULL REFERENCES accounts,
    name         text        NOT NULL UNIQUE,
    kind         text        NOT NULL,
    lane         smallint    NOT NULL UNIQUE REFERENCES lanes,

    -- What is no secret, by the names of Sinks.SinkSettings.
    settings     jsonb       NOT NULL DEFAULT '{}',

    -- An API key, a signing secret, a connection URL: encrypted with a key that is not in the database. Null where there is none.
    sealed       bytea,

    -- Its calls carry a token of a user who is signed in. See sign_ins.
    signs_in     boolean     NOT NULL DEFAULT false,

    -- New trackers of the account use it.
    is_default   boolean     NOT NULL DEFAULT false,

    -- Between two uploads of one tracker. Without it each fix of a user who stays would be a call.
    pause        interval    NOT NULL DEFAULT '5 seconds',

    -- Workers make the sink anew when this has changed.
    changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT a_sink_is_of_a_known_kind CHECK (kind IN ('firestore', 'webhook', 'file', 'table')),
    CONSTRAINT a_sink_name_is_short CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'),
    CONSTRAINT a_pause_is_not_negative CHECK (pause >= '0')
);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON sinks (account) WHERE is_default;
ALTER TABLE sinks ENABLE ROW LEVEL SECURITY;

ALTER TABLE trackers
    -- Where its locations are uploaded to. Null: nowhere.
    ADD COLUMN sink         integer REFERENCES sinks,
    ADD COLUMN newest_first boolean NOT NULL DEFAULT false,

    -- The one job that uploads its locations, so that they come in their order. Null while there is nothing to upload.
    ADD COLUMN job          bigint,
    ADD COLUMN uploaded_at  timestamptz,

    -- The most locations in its next call, after the sink has refused more. Null: as many as the sink takes.
    ADD COLUMN piece        integer;

-- Which trackers use this sink?
CREATE INDEX trackers_by_sink ON trackers (sink) WHERE sink IS NOT NULL;

-- A user's sign-in at the service behind a sink, or the one of all users who have none of their own.
CREATE TABLE sign_ins (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account    integer     NOT NULL,
    sink       integer     NOT NULL REFERENCES sinks ON DELETE CASCADE,

    -- Null: of all trackers of the sink.
    tracker    integer     REFERENCES trackers ON DELETE CASCADE,

    -- The tokens, as JSON, encrypted like the secrets of sinks.
    sealed     bytea       NOT NULL,

    -- Counts the tokens. An answer that speaks of an older one changes nothing.
    number     integer     NOT NULL DEFAULT 1,

    -- When the token for calls ends.
    ends_at    timestamptz NOT NULL,

    -- If the service refuses this token, a new one may help. Not after a renewal, until a call has succeeded with it.
    may_renew  boolean     NOT NULL DEFAULT true,

    -- Why the user must sign in again; nothing is uploaded until then.
    refusal    text,

    -- A worker renews the token until then, and the others wait for it.
    renewed_by timestamptz,

    CONSTRAINT a_tracker_signs_in_once UNIQUE NULLS NOT DISTINCT (sink, tracker)
);

ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;

-- Why the sink doesn't take this location. It is not sent again before `waypost locations retry`.
ALTER TABLE pending_locations ADD COLUMN refusal text;

DROP INDEX pending_locations_due;

-- What does the sink of this tracker not have yet?
CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded AND refusal IS NULL;

-- What did sinks refuse?
CREATE INDEX pending_locations_refused ON pending_locations (tracker, at, id) WHERE refusal IS NOT NULL;
