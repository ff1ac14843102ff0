-- The positions of users: trackers, the fixes that phones send, the locations that are computed from the fixes, and the
-- sinks to which locations are uploaded. The
-- policies of row-level security are in functions/row_security.sql.

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

    -- The subject of the sink's messages: locations of trackers, or places of friends.
    about        text        NOT NULL DEFAULT 'locations',

    -- About places: the job that sends the next message. If there is nothing to send, this is null or the id of a job
    -- that no longer exists.
    job          bigint,

    -- About places: the last message covered all changes up to this transaction. See friends.changed_in.
    told_in      bigint      NOT NULL DEFAULT 0,

    -- About places: when that job was enqueued.
    noticed_at   timestamptz,

    -- No program serves the kinds file and table any more. Their rows stay until a person removes them.
    CONSTRAINT a_sink_is_of_a_known_kind CHECK (kind IN ('firestore', 'webhook', 'file', 'table')),
    CONSTRAINT a_sink_name_is_short CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'),
    CONSTRAINT a_pause_is_not_negative CHECK (pause >= '0'),
    CONSTRAINT a_sink_has_a_known_subject CHECK (about IN ('locations', 'places')),
    CONSTRAINT only_a_webhook_tells_of_places CHECK (about = 'locations' OR (kind = 'webhook' AND NOT is_default)),
    CONSTRAINT moments_have_a_date CHECK (
        least(changed_at, noticed_at) >= '0001-01-01 Z'
        AND greatest(changed_at, noticed_at) <= '9999-12-31 Z')
);

CREATE UNIQUE INDEX an_account_has_one_default_sink ON sinks (account) WHERE is_default;
ALTER TABLE sinks ENABLE ROW LEVEL SECURITY;

-- The receiver of one user's positions.
CREATE TABLE trackers (
    id             integer          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account        integer          NOT NULL REFERENCES accounts,

    -- The account's own id of the user.
    user_id        text             NOT NULL,

    -- While this is false, no fix is stored.
    is_on          boolean          NOT NULL DEFAULT false,

    -- The periods in which the tracker was on. A fix measured outside them is not stored, even if it arrives later:
    -- phones keep refused fixes and send them again.
    on_times       tstzmultirange   NOT NULL DEFAULT '{}',

    -- In metres. A fix this near to a location extends its wait time. See Sources/Tracking.
    radius         double precision NOT NULL DEFAULT 50,

    -- In metres per second. A fix with a higher speed is doubted: it becomes part of no location, and is stored only if
    -- `keeps_doubted`.
    top_speed      double precision NOT NULL DEFAULT 350,
    keeps_doubted  boolean          NOT NULL DEFAULT true,

    -- The newest fix, believed or doubted. This and all columns up to `wait_time` are null before the first fix.
    newest_at      timestamptz,
    newest_id      text             COLLATE "C",

    -- The last believed fix of that state: see settled_at.
    seen_at        timestamptz,
    seen_lat       double precision,
    seen_lng       double precision,
    seen_accuracy  double precision,
    seen_wait      double precision,

    -- The first fix of the newest location, and the location's wait time so far.
    start_at       timestamptz,
    start_id       text             COLLATE "C",
    start_lat      double precision,
    start_lng      double precision,
    start_accuracy double precision,
    wait_time      double precision,

    -- The sink for the tracker's locations. Null: they are not uploaded.
    sink           integer          REFERENCES sinks,
    newest_first   boolean          NOT NULL DEFAULT false,

    -- The only job that uploads this tracker's locations, so that they arrive in order. Null while there is none.
    job            bigint,
    uploaded_at    timestamptz,

    -- The most locations in this tracker's next call, after the sink refused a larger call. Null: as many as the sink
    -- accepts.
    piece          integer,

    -- In seconds. A longer time without a fix ends a stay.
    longest_gap    double precision NOT NULL DEFAULT 43200,

    -- The moments when tracking was turned off, or the time of the newest fix then, if that was later. Each ends a
    -- stay.
    stops          timestamptz[]    NOT NULL DEFAULT '{}',

    -- No fix after this one changes where the current location begins. The columns seen_… and start_… contain the state
    -- of the walk at this fix. If seen_at is start_at, they contain the state at the start of the location.
    settled_at     timestamptz,
    settled_id     text             COLLATE "C",

    CONSTRAINT a_user_has_one_tracker UNIQUE (account, user_id),
    CONSTRAINT a_user_id_is_short CHECK (length(user_id) BETWEEN 1 AND 200),
    CONSTRAINT a_user_id_is_in_the_form_nfc CHECK (user_id IS NFC NORMALIZED),
    CONSTRAINT a_radius_is_some_metres CHECK (radius BETWEEN 1 AND 10000),
    CONSTRAINT a_top_speed_is_possible CHECK (top_speed BETWEEN 1 AND 30000000),
    CONSTRAINT a_tracker_is_on_until_it_is_stopped CHECK (is_on = (NOT isempty(on_times) AND upper_inf(on_times))),
    CONSTRAINT a_gap_is_some_seconds CHECK (longest_gap BETWEEN 60 AND 31622400),
    CONSTRAINT moments_have_a_date CHECK (
        least(newest_at, seen_at, start_at, uploaded_at, settled_at) >= '0001-01-01 Z'
        AND greatest(newest_at, seen_at, start_at, uploaded_at, settled_at) <= '9999-12-31 Z'),
    CONSTRAINT periods_have_a_date CHECK (
        NOT lower_inf(on_times) AND lower(on_times) >= '0001-01-01 Z'
        AND coalesce(upper(on_times), '0001-01-01 Z') <= '9999-12-31 Z'
        AND '0001-01-01 Z' <= ALL (stops) AND '9999-12-31 Z' >= ALL (stops))
)
-- Each fix rewrites the row. Free space on the page keeps that a HOT update.
WITH (fillfactor = 50);

-- Finds the trackers of a sink.
CREATE INDEX trackers_by_sink ON trackers (sink) WHERE sink IS NOT NULL;

ALTER TABLE trackers ENABLE ROW LEVEL SECURITY;

-- The fixes that phones sent. A late fix is sorted in by its time, so fixes are kept as long as the locations.
CREATE TABLE fixes (
    tracker    integer          NOT NULL,
    at         timestamptz      NOT NULL,

    -- The phone's id of the fix. If there is none, it is made from the user, time and place.
    id         text             COLLATE "C" NOT NULL,
    account    integer          NOT NULL,
    lat        double precision NOT NULL,
    lng        double precision NOT NULL,

    -- In metres; null if the phone does not send it.
    accuracy   double precision,

    -- Seconds that the phone stayed there, if it counted them itself.
    wait_time  double precision NOT NULL DEFAULT 0,

    -- The speed from the fix before is impossible.
    is_doubted boolean          NOT NULL DEFAULT false,

    CONSTRAINT a_fix_comes_once PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_fix_is_on_earth CHECK (lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180),
    CONSTRAINT an_accuracy_is_not_negative CHECK (accuracy >= 0 AND accuracy < 'Infinity'),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

ALTER TABLE fixes ENABLE ROW LEVEL SECURITY;

-- Contains imported histories, and the fixes of days without a partition.
CREATE TABLE fixes_default PARTITION OF fixes DEFAULT;
ALTER TABLE fixes_default ENABLE ROW LEVEL SECURITY;

-- The places where users stayed. A location has the id, time and place of its first fix.
CREATE TABLE pending_locations (
    tracker    integer          NOT NULL,
    at         timestamptz      NOT NULL,
    id         text             COLLATE "C" NOT NULL,
    account    integer          NOT NULL,
    lat        double precision NOT NULL,
    lng        double precision NOT NULL,
    accuracy   double precision,

    -- Seconds from `at` to the end of the last fix there.
    wait_time  double precision NOT NULL,

    -- True if the tracker's sink has the location in its present state.
    uploaded   boolean          NOT NULL DEFAULT false,

    -- A late fix has shown that no stay began here, so the sink must delete the location. Then the row is deleted too.
    removed    boolean          NOT NULL DEFAULT false,
    changed_at timestamptz      NOT NULL DEFAULT clock_timestamp(),

    -- The reason why the sink refuses this location. The location is sent again only after `waypost locations retry`,
    -- or when it has changed.
    refusal    text,

    CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

-- Finds the locations that a tracker's sink does not have yet and has not refused.
CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded AND refusal IS NULL;

-- Finds the locations that sinks have refused.
CREATE INDEX pending_locations_refused ON pending_locations (tracker, at, id) WHERE refusal IS NOT NULL;

ALTER TABLE pending_locations ENABLE ROW LEVEL SECURITY;

CREATE TABLE pending_locations_default PARTITION OF pending_locations DEFAULT;
ALTER TABLE pending_locations_default ENABLE ROW LEVEL SECURITY;

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

-- The number of fixes that were not kept, by a reason of Locations.FixRefusal. A fix that a phone sends again counts
-- again.
CREATE TABLE refused_fixes (
    account integer     NOT NULL REFERENCES accounts ON DELETE CASCADE,

    -- Null: the account has no tracker for the phone's user.
    tracker integer     REFERENCES trackers ON DELETE CASCADE,
    reason  text        NOT NULL,
    count   bigint      NOT NULL,
    last_at timestamptz NOT NULL DEFAULT clock_timestamp(),

    -- The keys of the fixes that were counted last, because a phone sends a refused fix again and again.
    recent  bigint[]    NOT NULL DEFAULT '{}',

    CONSTRAINT a_reason_is_counted_once UNIQUE NULLS NOT DISTINCT (tracker, account, reason),
    CONSTRAINT a_count_is_not_zero CHECK (count > 0)
);

ALTER TABLE refused_fixes ENABLE ROW LEVEL SECURITY;

-- New rows of these tables are checked. Older rows are not: there may be millions, and they are deleted in some days.
ALTER TABLE fixes
    ADD CONSTRAINT moments_have_a_date CHECK (at BETWEEN '0001-01-01 Z' AND '9999-12-31 Z') NOT VALID;
ALTER TABLE pending_locations
    ADD CONSTRAINT moments_have_a_date CHECK (
        least(at, changed_at) >= '0001-01-01 Z'
        AND greatest(at, changed_at) <= '9999-12-31 Z') NOT VALID,
    ADD CONSTRAINT a_location_is_on_earth CHECK (lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180) NOT VALID,
    ADD CONSTRAINT an_accuracy_is_not_negative CHECK (accuracy >= 0 AND accuracy < 'Infinity') NOT VALID;
