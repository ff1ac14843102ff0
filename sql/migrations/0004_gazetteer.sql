-- The offline gazetteer: GeoNames places and postcodes (CC BY 4.0), loaded from the binary.

CREATE TABLE gazetteer_places (
    id          integer          PRIMARY KEY,
    name        text             NOT NULL,
    country     text             NOT NULL,
    region_code text             NOT NULL,
    region      text             NOT NULL,

    -- `region`, folded for comparison.
    region_key  text             NOT NULL,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    population  integer          NOT NULL
);

-- Every name of every place, folded for comparison.
CREATE TABLE gazetteer_names (
    place integer NOT NULL,
    name  text    NOT NULL
);

-- Which places are called so?
CREATE INDEX gazetteer_names_by_name ON gazetteer_names (name) INCLUDE (place);

CREATE TABLE gazetteer_postcodes (
    country   text             NOT NULL,

    -- Folded, without spaces and hyphens.
    postcode  text             NOT NULL,
    place     text             NOT NULL,

    -- `place`, folded for comparison.
    place_key text             NOT NULL,
    region    text             NOT NULL,
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL
);

-- Where is this postcode?
CREATE INDEX gazetteer_postcodes_by_postcode ON gazetteer_postcodes (country, postcode);

-- Which edition of each data set is loaded; no row before its first load.
CREATE TABLE gazetteer_editions (
    dataset   text        PRIMARY KEY,
    edition   text        NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT now()
);
