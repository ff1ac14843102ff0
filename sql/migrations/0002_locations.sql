-- Where users are: trackers, the fixes that phones send, and the locations that are made of them. The policies of row-level
-- security are in functions/row_security.sql.

-- One user whose positions are taken in.
CREATE TABLE trackers (
    id             integer          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account        integer          NOT NULL REFERENCES accounts,

    -- What the account calls the user.
    user_id        text             NOT NULL,

    -- While it is off nothing is stored.
    is_on          boolean          NOT NULL DEFAULT false,

    -- When it was on. A fix of another time is not stored, whenever it comes: phones keep what was refused, and send it again.
    on_times       tstzmultirange   NOT NULL DEFAULT '{}',

    -- A fix within so many metres of a location extends its wait time. See functions/record_fixes.sql.
    radius         double precision NOT NULL DEFAULT 50,

    -- In metres a second. A fix that is faster than that is doubted: kept and part of no location, or not kept at all.
    top_speed      double precision NOT NULL DEFAULT 350,
    keeps_doubted  boolean          NOT NULL DEFAULT true,

    -- The newest fix, whether it is believed or not. Null before the first, as are those below.
    newest_at      timestamptz,
    newest_id      text             COLLATE "C",

    -- The newest fix that is believed.
    seen_at        timestamptz,
    seen_lat       double precision,
    seen_lng       double precision,
    seen_accuracy  double precision,
    seen_wait      double precision,

    -- The newest location, and how long it lasts so far.
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
-- Rewritten with each fix: room on the page keeps that HOT.
WITH (fillfactor = 50);

ALTER TABLE trackers ENABLE ROW LEVEL SECURITY;

-- What the phones sent. A fix that comes late is put in its place among the others, so they are kept as long as the locations.
CREATE TABLE fixes (
    tracker    integer          NOT NULL,
    at         timestamptz      NOT NULL,

    -- What the phone calls it, or made from its user, time and place.
    id         text             COLLATE "C" NOT NULL,
    account    integer          NOT NULL,
    lat        double precision NOT NULL,
    lng        double precision NOT NULL,

    -- Metres; null where the phone doesn't say.
    accuracy   double precision,

    -- Seconds that the phone stayed there, where it counted them itself.
    wait_time  double precision NOT NULL DEFAULT 0,

    -- Nobody gets there so fast from the fix before.
    is_doubted boolean          NOT NULL DEFAULT false,

    CONSTRAINT a_fix_comes_once PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_fix_is_on_earth CHECK (lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180),
    CONSTRAINT an_accuracy_is_not_negative CHECK (accuracy >= 0 AND accuracy < 'Infinity'),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

ALTER TABLE fixes ENABLE ROW LEVEL SECURITY;

-- Histories, and the fixes of days that have no partition yet.
CREATE TABLE fixes_default PARTITION OF fixes DEFAULT;
ALTER TABLE fixes_default ENABLE ROW LEVEL SECURITY;

-- Where users stayed. Each location begins with a fix, from which it has its id, its time and its place.
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

    -- Whether the tracker's sink has it as it is now.
    uploaded   boolean          NOT NULL DEFAULT false,

    -- A late fix has shown that no stay began here, and the sink must delete it. The row goes when it has.
    removed    boolean          NOT NULL DEFAULT false,
    changed_at timestamptz      NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

-- What does the sink of this tracker not have yet?
CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded;

ALTER TABLE pending_locations ENABLE ROW LEVEL SECURITY;

CREATE TABLE pending_locations_default PARTITION OF pending_locations DEFAULT;
ALTER TABLE pending_locations_default ENABLE ROW LEVEL SECURITY;

-- Two more things that a token can be good for: to send positions, and to see them.
ALTER TABLE tokens
    DROP CONSTRAINT scopes_are_known,
    ADD CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin,track,locate}' AND scopes <> '{}');
