-- The answers: one row for each distinct address ever asked for.

CREATE TYPE geocode_status AS ENUM ('waiting', 'located', 'not_found', 'failed');

CREATE TABLE geocodes (
    id          bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- AddressHash: spellings that mean the same place share a row, and so a call.
    hash        bytea          NOT NULL UNIQUE,

    -- The question, as whoever came first spelt it.
    street      text           NOT NULL,
    city        text           NOT NULL,
    region      text           NOT NULL,
    postcode    text           NOT NULL,
    country     text           NOT NULL,

    status      geocode_status NOT NULL DEFAULT 'waiting',

    -- The live job that carries the question. No foreign key: jobs belong to the queue, and end first.
    job         bigint,

    latitude    double precision,
    longitude   double precision,
    precision   text,
    placemark   jsonb,
    provider    text,

    -- Why there is no answer, for a person to read. Holds nothing of the address.
    reason      text,
    geocoded_at timestamptz,

    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT only_what_waits_has_a_job CHECK (job IS NULL OR status = 'waiting'),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (
        (status = 'located') = (latitude IS NOT NULL AND longitude IS NOT NULL AND precision IS NOT NULL)),
    CONSTRAINT coordinates_are_on_earth CHECK (latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180),
    CONSTRAINT precision_is_known CHECK (
        precision IN ('rooftop', 'interpolated', 'street', 'postcode', 'city', 'region', 'country')),
    CONSTRAINT what_failed_has_a_reason CHECK (status <> 'failed' OR reason IS NOT NULL)
)
-- Each row is written twice, as a question and as an answer; the answer is the longer one.
WITH (fillfactor = 70);

-- The sweep asks: what waits and is in no job?
CREATE INDEX geocodes_unqueued ON geocodes (id) WHERE status = 'waiting' AND job IS NULL;
