-- Open address data: where houses are. `waypost points load` fills these tables, and a lane of the set's name answers
-- from them.

-- A row for each version of a set of points, of which one is current.
CREATE TABLE point_sets (
    id          integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- Also the name of the lane.
    name        text        NOT NULL,

    -- The version that the lane answers from. The others are being loaded, or their load was interrupted.
    is_current  boolean     NOT NULL DEFAULT false,

    attribution text        NOT NULL DEFAULT '',
    licence     text        NOT NULL DEFAULT '',

    -- The codes of the countries of the points; empty if the file did not say.
    countries   text[]      NOT NULL DEFAULT '{}',

    points      bigint      NOT NULL DEFAULT 0,
    streets     bigint      NOT NULL DEFAULT 0,
    loaded_at   timestamptz,

    -- The points were deleted. The row stays, because questions may wait in the lane: it answers that it knows no place.
    dropped_at  timestamptz,

    CONSTRAINT a_current_set_is_loaded CHECK (NOT is_current OR loaded_at IS NOT NULL)
);

-- Finds the current version of a set.
CREATE UNIQUE INDEX point_sets_current ON point_sets (name) WHERE is_current;

-- A row for each street of a town and postcode, with all of its houses: a tenth of the size of a row for each house.
-- Each version of a set is a partition, point_streets_ID, which is filled before it is attached.
CREATE TABLE point_streets (
    -- See PointKey.swift. Null if the data does not contain the town, the part of the town, or the postcode.
    town_key     bigint,
    district_key bigint,
    postcode_key bigint,

    point_set    integer NOT NULL,

    -- The street's name as in a loose key: equal for its spellings.
    name         text    COLLATE "C" NOT NULL,

    -- As the data contains them; empty if it does not.
    street       text    NOT NULL,
    city         text    NOT NULL,
    district     text    NOT NULL,
    region       text    NOT NULL,
    postcode     text    NOT NULL,
    country      text    NOT NULL,

    -- The houses in the order of their numbers. The degrees are multiplied by 10,000,000.
    numbers      text[]  COLLATE "C" NOT NULL,
    latitudes    integer[] NOT NULL,
    longitudes   integer[] NOT NULL,

    -- The smallest box of degrees with all houses: (longitude, latitude).
    area         box     NOT NULL
) PARTITION BY LIST (point_set);

-- Find a street by its town, the part of the town, or its postcode; and all names of such an area, for a name with a
-- typo, without reading the rows.
CREATE INDEX point_streets_by_town ON point_streets (town_key, name, point_set);
CREATE INDEX point_streets_by_district ON point_streets (district_key, name, point_set) WHERE district_key IS NOT NULL;
CREATE INDEX point_streets_by_postcode ON point_streets (postcode_key, name, point_set);

-- Finds the streets around a coordinate.
CREATE INDEX point_streets_by_area ON point_streets USING gist (area);
