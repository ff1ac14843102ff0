-- Questions and answers: one row for each distinct address ever asked for, and the chains along which they are asked.

-- Whom to ask, in which order and on what conditions: `plan` is what Chain.swift reads.
--
-- A row never changes, so a question under way goes on as it began. Who changes a chain adds a row.
CREATE TABLE chains (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    is_current boolean     NOT NULL DEFAULT true,
    plan       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT a_chain_has_links CHECK (jsonb_array_length(plan -> 'links') > 0)
);

-- What does this name stand for now?
CREATE UNIQUE INDEX chains_current ON chains (name) WHERE is_current;

INSERT INTO chains (name, plan) VALUES
    ('default', '{"links": [{"lane": "gazetteer"}], "located": 0.75, "review": 0.4}'),
    ('reverse', '{"links": [{"lane": "gazetteer"}]}');

CREATE TYPE geocode_status AS ENUM ('waiting', 'located', 'needs_review', 'not_found', 'failed', 'forgotten');

CREATE TABLE geocodes (
    id           bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- AddressHash: spellings that mean the same place share a row, and so a call.
    hash         bytea          NOT NULL UNIQUE,

    -- The question, as the first to ask spelled it. Empty where a coordinate is asked about.
    street       text           NOT NULL,
    city         text           NOT NULL,
    region       text           NOT NULL,
    postcode     text           NOT NULL,
    country      text           NOT NULL,

    status       geocode_status NOT NULL DEFAULT 'waiting',

    -- The live job that carries the question. No foreign key: jobs belong to the queue, and end first.
    job          bigint,

    latitude     double precision,
    longitude    double precision,
    precision    text,
    placemark    jsonb,
    provider     text,

    -- Why there is no answer, for a person to read. Holds nothing of the address.
    reason       text,
    geocoded_at  timestamptz,

    -- When the answer must be forgotten and asked for again; null for one that stays.
    expires_at   timestamptz,

    -- The chain, and how far the question has come along it. The default is set in functions/default_chain.sql. No
    -- foreign key: chains are never deleted, and checking it for each of a million questions takes time.
    chain        integer        NOT NULL,
    link         smallint       NOT NULL DEFAULT 0,

    -- How the address is, or was, put to that provider: a step of QueryLadder; null for its first.
    step         text,

    -- Up to five places, the best first, each with who found it, how, and how good it is. Null until somebody has
    -- looked without settling the question.
    candidates   jsonb,

    -- The outcomes of the calls before the last one, for a person to read; null where the first call settled it.
    trail        jsonb,

    -- From 0 to 1: how likely the answer is right as what it is. That it is coarser than what was asked for is
    -- `is_weak`.
    confidence   real,

    -- The question, where it is a coordinate: what is here?
    at_latitude  double precision,
    at_longitude double precision,

    -- The row whose answer this is, where this question was never asked because another spelling of it was known.
    shared_from  bigint,

    -- The provider permits to keep its answer for a while only: when it expires it is forgotten, and asked for again
    -- when somebody wants it.
    is_lent      boolean        NOT NULL DEFAULT false,

    -- Since when the place is one that a person set. No provider's answer replaces it.
    pinned_at    timestamptz,

    -- Whose pin this is: what a contact of one account says of its own place. Null for an answer, which all accounts
    -- share. No foreign key, for which every answer would pay.
    account      integer,

    -- The answer is coarser than what was asked for, as a town is for a street.
    is_weak      boolean        NOT NULL DEFAULT false,

    -- LooseKey: the same for addresses that mean nearly the same. Null where no answer is to be shared.
    loose_key    bigint,

    -- The question is in no job, but waits for the answer to another spelling: to the row with the same loose key that
    -- waits and does not follow.
    follows      boolean        NOT NULL DEFAULT false,

    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT only_what_waits_has_a_job CHECK (job IS NULL OR status = 'waiting'),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (
        (status = 'located') = (latitude IS NOT NULL AND longitude IS NOT NULL AND precision IS NOT NULL)),
    CONSTRAINT coordinates_are_on_earth CHECK (latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180),
    CONSTRAINT precision_is_known CHECK (
        precision IN ('rooftop', 'interpolated', 'street', 'postcode', 'city', 'region', 'country')),
    CONSTRAINT what_failed_has_a_reason CHECK (status <> 'failed' OR reason IS NOT NULL),
    CONSTRAINT only_answers_expire CHECK (expires_at IS NULL OR status NOT IN ('waiting', 'forgotten')),
    CONSTRAINT what_a_person_pinned_does_not_expire CHECK (pinned_at IS NULL OR expires_at IS NULL),
    CONSTRAINT what_needs_review_has_candidates CHECK (status <> 'needs_review' OR candidates IS NOT NULL),
    CONSTRAINT confidence_is_a_share CHECK (confidence BETWEEN 0 AND 1),
    CONSTRAINT a_coordinate_is_asked_for_whole CHECK ((at_latitude IS NULL) = (at_longitude IS NULL)),
    CONSTRAINT a_pin_has_an_account CHECK (provider <> 'contact' OR account IS NOT NULL),
    CONSTRAINT who_follows_waits_in_no_job CHECK (
        NOT follows OR status = 'waiting' AND job IS NULL AND loose_key IS NOT NULL)
)
-- Each row is written twice, as a question and as an answer. The answer is longer, and most find room on the page of
-- the question: without room, the first version of each row would be left behind.
WITH (fillfactor = 40);

-- The sweep asks: what has expired?
CREATE INDEX geocodes_expiring ON geocodes (expires_at) WHERE expires_at IS NOT NULL;

-- What waits for a person? It lists all that has candidates: an index that depended on the status would be written for
-- each answer.
CREATE INDEX geocodes_with_candidates ON geocodes (id) WHERE candidates IS NOT NULL;

-- Is another spelling known, or another unit of the house?
CREATE INDEX geocodes_by_loose_key ON geocodes (loose_key) WHERE loose_key IS NOT NULL;

-- Who follows? Nearly always nobody.
CREATE INDEX geocodes_following ON geocodes (loose_key) WHERE follows;

-- The policies are in functions/row_security.sql.
ALTER TABLE geocodes ENABLE ROW LEVEL SECURITY;

-- Which questions wait and are in no job, as a list beside `geocodes`. An index cannot keep it: every question that
-- goes into a job and every answer would change one of its columns, and so write into all the indexes of the table,
-- which takes several times as long as the row itself.
--
-- A note may stand here twice, or for a question that is in a job by now: whoever takes it checks. So it needs no key.
CREATE TABLE unqueued_geocodes (
    geocode bigint NOT NULL
)
-- Notes are gone within a second or so. The table is read from its beginning, and must not grow long.
WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
