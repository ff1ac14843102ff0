-- Names with typos, and what lies nearest to a coordinate. Both extensions come with PostgreSQL, and a database's owner
-- may create them.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS cube;

-- Which names look like this one?
CREATE INDEX gazetteer_names_by_trigrams ON gazetteer_names USING gin (name gin_trgm_ops);

-- Where on the unit sphere a place lies: there the date line and the poles are places like all others.
CREATE FUNCTION on_the_sphere(latitude double precision, longitude double precision) RETURNS cube
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN cube(ARRAY[
    cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)),
    sin(radians(latitude))]);

-- Which place is nearest?
CREATE INDEX gazetteer_places_by_position ON gazetteer_places USING gist (on_the_sphere(latitude, longitude));
