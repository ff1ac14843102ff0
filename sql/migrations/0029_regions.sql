-- Regions of OpenStreetMap that `waypost region load` loads: sets of points with streets without houses, areas and
-- places. tables/points.sql explains the columns. Sets of points stay as they are.

ALTER TABLE point_sets
    ADD COLUMN is_region boolean NOT NULL DEFAULT false,
    ADD COLUMN areas     bigint  NOT NULL DEFAULT 0;

ALTER TABLE point_streets
    ADD COLUMN area_id         integer,
    ADD COLUMN is_alias        boolean NOT NULL DEFAULT false,
    ADD COLUMN is_interpolated boolean NOT NULL DEFAULT false,
    ADD COLUMN latitude        integer,
    ADD COLUMN longitude       integer,
    ADD COLUMN line            bytea;

CREATE TABLE point_areas (
    point_set integer  NOT NULL,
    id        integer  NOT NULL,
    osm_id    bigint   NOT NULL,
    parent    integer,
    level     smallint NOT NULL,
    is_town   boolean  NOT NULL,
    name      text     NOT NULL,
    code      text     NOT NULL,
    latitude  integer  NOT NULL,
    longitude integer  NOT NULL
) PARTITION BY LIST (point_set);

CREATE UNIQUE INDEX point_areas_by_id ON point_areas (point_set, id);

CREATE TABLE point_cells (
    point_set integer  NOT NULL,
    cell      bigint   NOT NULL,
    depth     smallint NOT NULL,
    inside    integer[] NOT NULL,
    edge      bytea    NOT NULL
) PARTITION BY LIST (point_set);

CREATE UNIQUE INDEX point_cells_in_order ON point_cells (point_set, cell);

CREATE TABLE point_places (
    point_set integer  NOT NULL,
    town_key  bigint   NOT NULL,
    area_id   integer,
    kind      smallint NOT NULL,
    name      text     NOT NULL,
    city      text     NOT NULL,
    region    text     NOT NULL,
    country   text     NOT NULL,
    latitude  integer  NOT NULL,
    longitude integer  NOT NULL,
    area      box
) PARTITION BY LIST (point_set);

CREATE INDEX point_places_by_name ON point_places (town_key, point_set);
CREATE INDEX point_places_by_area ON point_places USING gist (area);
