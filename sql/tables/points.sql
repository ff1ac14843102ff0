-- Open address data: where houses are. `waypost points load` and `waypost region load` fill these tables, and a lane of
-- the set's name answers from them.

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

    -- It was loaded from an extract of OpenStreetMap, and has areas and places. `areas` counts those with a border.
    is_region   boolean     NOT NULL DEFAULT false,
    areas       bigint      NOT NULL DEFAULT 0,

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
    area         box     NOT NULL,

    -- The rest is null or false in sets without areas. The town of point_areas in which the street is.
    area_id      integer,

    -- The same street, found by another name. Coordinates don't find it.
    is_alias     boolean NOT NULL DEFAULT false,

    -- The houses' positions lie between those of others, or their street is the nearest one.
    is_interpolated boolean NOT NULL DEFAULT false,

    -- The middle of the street.
    latitude     integer,
    longitude    integer,

    -- The ways of the street (StreetLine.swift).
    line         bytea
) PARTITION BY LIST (point_set);

-- Find a street by its town, the part of the town, or its postcode; and all names of such an area, for a name with a
-- typo, without reading the rows.
CREATE INDEX point_streets_by_town ON point_streets (town_key, name, point_set);
CREATE INDEX point_streets_by_district ON point_streets (district_key, name, point_set) WHERE district_key IS NOT NULL;
CREATE INDEX point_streets_by_postcode ON point_streets (postcode_key, name, point_set);

-- Finds the streets around a coordinate.
CREATE INDEX point_streets_by_area ON point_streets USING gist (area);

-- An area with a border: a country, a town, the area of a postcode.
CREATE TABLE point_areas (
    point_set integer  NOT NULL,
    id        integer  NOT NULL,

    -- The relation in OpenStreetMap, or the way, below zero.
    osm_id    bigint   NOT NULL,

    -- The smallest area of a lower level around it.
    parent    integer,

    -- The level of administration in OpenStreetMap, from 2 for a country; 0 for a postcode.
    level     smallint NOT NULL,

    -- An address calls this area the town.
    is_town   boolean  NOT NULL,

    name      text     NOT NULL,

    -- ISO 3166-1 alpha-2 or ISO 3166-2; empty if there is none.
    code      text     NOT NULL,

    -- A point inside.
    latitude  integer  NOT NULL,
    longitude integer  NOT NULL
) PARTITION BY LIST (point_set);

CREATE UNIQUE INDEX point_areas_by_id ON point_areas (point_set, id);

-- The leaves of a quadtree over the areas (AreaCell.swift). The leaf of a point is the last one that does not begin
-- behind it in the order of cells.
CREATE TABLE point_cells (
    point_set integer NOT NULL,
    cell      bigint  NOT NULL,
    depth     smallint NOT NULL,

    -- The areas that fill the square, and the rings of those with a border in it.
    inside    integer[] NOT NULL,
    edge      bytea   NOT NULL
) PARTITION BY LIST (point_set);

CREATE UNIQUE INDEX point_cells_in_order ON point_cells (point_set, cell);

-- Towns, villages and their parts, for addresses without a street, and as the settlement around a coordinate. A row for
-- each name.
CREATE TABLE point_places (
    point_set integer  NOT NULL,

    -- See PointKey.swift.
    town_key  bigint   NOT NULL,

    -- The town of point_areas in which it is; null outside all of them.
    area_id   integer,

    -- See RegionObjects.PlaceKind; -1 is a town of point_areas.
    kind      smallint NOT NULL,

    name      text     NOT NULL,
    city      text     NOT NULL,
    region    text     NOT NULL,
    country   text     NOT NULL,
    latitude  integer  NOT NULL,
    longitude integer  NOT NULL,

    -- The box in which a coordinate may belong to the place; null for its other names.
    area      box
) PARTITION BY LIST (point_set);

CREATE INDEX point_places_by_name ON point_places (town_key, point_set);
CREATE INDEX point_places_by_area ON point_places USING gist (area);
