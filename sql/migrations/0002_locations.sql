-- The positions of users: trackers, the fixes that phones send, and the locations that are computed from the fixes. The
-- policies of row-level security are in functions/row_security.sql.

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

    -- In metres. A fix this near to a location extends its wait time. See functions/record_fixes.sql.
    radius         double precision NOT NULL DEFAULT 50,

    -- In metres per second. A fix with a higher speed is doubted: it becomes part of no location, and is stored only if
    -- `keeps_doubted`.
    top_speed      double precision NOT NULL DEFAULT 350,
    keeps_doubted  boolean          NOT NULL DEFAULT true,

    -- The newest fix, believed or doubted. This and all columns below are null before the first fix.
    newest_at      timestamptz,
    newest_id      text             COLLATE "C",

    -- The newest believed fix.
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

    CONSTRAINT a_user_has_one_tracker UNIQUE (account, user_id),
    CONSTRAINT a_user_id_is_short CHECK (length(user_id) BETWEEN 1 AND 200),
    CONSTRAINT a_radius_is_some_metres CHECK (radius BETWEEN 1 AND 10000),
    CONSTRAINT a_top_speed_is_possible CHECK (top_speed BETWEEN 1 AND 30000000),
    CONSTRAINT a_tracker_is_on_until_it_is_stopped CHECK (is_on = (NOT isempty(on_times) AND upper_inf(on_times)))
)
-- Each fix rewrites the row. Free space on the page keeps that a HOT update.
WITH (fillfactor = 50);

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

    CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

-- Finds the locations that a tracker's sink does not have yet.
CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded;

ALTER TABLE pending_locations ENABLE ROW LEVEL SECURITY;

CREATE TABLE pending_locations_default PARTITION OF pending_locations DEFAULT;
ALTER TABLE pending_locations_default ENABLE ROW LEVEL SECURITY;

-- Adds two scopes: `track` permits sending positions, `locate` permits reading them.
ALTER TABLE tokens
    DROP CONSTRAINT scopes_are_known,
    ADD CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin,track,locate}' AND scopes <> '{}');
