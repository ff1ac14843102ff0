-- Open address data that `waypost points load` loads. tables/points.sql explains the columns.

CREATE TABLE point_sets (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL,
    is_current  boolean     NOT NULL DEFAULT false,
    attribution text        NOT NULL DEFAULT '',
    licence     text        NOT NULL DEFAULT '',
    countries   text[]      NOT NULL DEFAULT '{}',
    points      bigint      NOT NULL DEFAULT 0,
    streets     bigint      NOT NULL DEFAULT 0,
    loaded_at   timestamptz,
    dropped_at  timestamptz,
    CONSTRAINT a_current_set_is_loaded CHECK (NOT is_current OR loaded_at IS NOT NULL)
);

CREATE UNIQUE INDEX point_sets_current ON point_sets (name) WHERE is_current;

CREATE TABLE point_streets (
    town_key     bigint,
    district_key bigint,
    postcode_key bigint,
    point_set    integer NOT NULL,
    name         text    COLLATE "C" NOT NULL,
    street       text    NOT NULL,
    city         text    NOT NULL,
    district     text    NOT NULL,
    region       text    NOT NULL,
    postcode     text    NOT NULL,
    country      text    NOT NULL,
    numbers      text[]  COLLATE "C" NOT NULL,
    latitudes    integer[] NOT NULL,
    longitudes   integer[] NOT NULL,
    area         box     NOT NULL
) PARTITION BY LIST (point_set);

CREATE INDEX point_streets_by_town ON point_streets (town_key, name, point_set);
CREATE INDEX point_streets_by_district ON point_streets (district_key, name, point_set) WHERE district_key IS NOT NULL;
CREATE INDEX point_streets_by_postcode ON point_streets (postcode_key, name, point_set);

CREATE INDEX point_streets_by_area ON point_streets USING gist (area);
