-- The positions of users: trackers, the fixes that phones send, and the locations that are computed from the fixes. The
-- policies of row-level security are in functions/row_security.sql.

CREATE TABLE trackers (
    id             integer          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account        integer          NOT NULL REFERENCES accounts,
    user_id        text             NOT NULL,
    is_on          boolean          NOT NULL DEFAULT false,
    on_times       tstzmultirange   NOT NULL DEFAULT '{}',
    radius         double precision NOT NULL DEFAULT 50,
    top_speed      double precision NOT NULL DEFAULT 350,
    keeps_doubted  boolean          NOT NULL DEFAULT true,
    newest_at      timestamptz,
    newest_id      text             COLLATE "C",
    seen_at        timestamptz,
    seen_lat       double precision,
    seen_lng       double precision,
    seen_accuracy  double precision,
    seen_wait      double precision,
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
WITH (fillfactor = 50);

ALTER TABLE trackers ENABLE ROW LEVEL SECURITY;

CREATE TABLE fixes (
    tracker    integer          NOT NULL,
    at         timestamptz      NOT NULL,
    id         text             COLLATE "C" NOT NULL,
    account    integer          NOT NULL,
    lat        double precision NOT NULL,
    lng        double precision NOT NULL,
    accuracy   double precision,
    wait_time  double precision NOT NULL DEFAULT 0,
    is_doubted boolean          NOT NULL DEFAULT false,
    CONSTRAINT a_fix_comes_once PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_fix_is_on_earth CHECK (lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180),
    CONSTRAINT an_accuracy_is_not_negative CHECK (accuracy >= 0 AND accuracy < 'Infinity'),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

ALTER TABLE fixes ENABLE ROW LEVEL SECURITY;

CREATE TABLE fixes_default PARTITION OF fixes DEFAULT;
ALTER TABLE fixes_default ENABLE ROW LEVEL SECURITY;

CREATE TABLE pending_locations (
    tracker    integer          NOT NULL,
    at         timestamptz      NOT NULL,
    id         text             COLLATE "C" NOT NULL,
    account    integer          NOT NULL,
    lat        double precision NOT NULL,
    lng        double precision NOT NULL,
    accuracy   double precision,
    wait_time  double precision NOT NULL,
    uploaded   boolean          NOT NULL DEFAULT false,
    removed    boolean          NOT NULL DEFAULT false,
    changed_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT a_location_begins_with_a_fix PRIMARY KEY (tracker, at, id),
    CONSTRAINT a_wait_is_not_negative CHECK (wait_time >= 0 AND wait_time < 'Infinity')
)
PARTITION BY RANGE (at);

CREATE INDEX pending_locations_due ON pending_locations (tracker, at, id) WHERE NOT uploaded;

ALTER TABLE pending_locations ENABLE ROW LEVEL SECURITY;

CREATE TABLE pending_locations_default PARTITION OF pending_locations DEFAULT;
ALTER TABLE pending_locations_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE tokens
    DROP CONSTRAINT scopes_are_known,
    ADD CONSTRAINT scopes_are_known CHECK (scopes <@ '{read,write,admin,track,locate}' AND scopes <> '{}');
