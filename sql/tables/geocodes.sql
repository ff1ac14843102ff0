-- Questions and answers: one row for each distinct address ever asked, and the chains along which questions go.

-- The lanes of a question, in which order and on what conditions. Chain.swift reads `plan`.
--
-- A row never changes, so a question under way continues as it began. A changed chain is a new row.
CREATE TABLE chains (
    id         integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL,
    is_current boolean     NOT NULL DEFAULT true,
    plan       jsonb       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),

    CONSTRAINT a_chain_has_links CHECK (jsonb_array_length(plan -> 'links') > 0)
);

-- Finds the current chain of a name.
CREATE UNIQUE INDEX chains_current ON chains (name) WHERE is_current;

INSERT INTO chains (name, plan) VALUES
    ('default', '{"links": [{"lane": "gazetteer"}], "located": 0.75, "review": 0.4}'),
    ('reverse', '{"links": [{"lane": "gazetteer"}]}');

CREATE TYPE geocode_status AS ENUM ('waiting', 'located', 'needs_review', 'not_found', 'failed', 'forgotten');

CREATE TABLE geocodes (
    id           bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,

    -- AddressHash: spellings of the same place share a row, and so a call.
    hash         bytea          NOT NULL UNIQUE,

    -- The question as it was first spelled. Empty if the question is a coordinate.
    street       text           NOT NULL,
    city         text           NOT NULL,
    region       text           NOT NULL,
    postcode     text           NOT NULL,
    country      text           NOT NULL,

    status       geocode_status NOT NULL DEFAULT 'waiting',

    -- The live job of the question. No foreign key: jobs belong to the queue, and end first.
    job          bigint,

    latitude     double precision,
    longitude    double precision,
    precision    text,
    placemark    jsonb,
    provider     text,

    -- The reason for a missing answer or a doubtful pin, for a person to read. Contains nothing of the address.
    reason       text,
    geocoded_at  timestamptz,

    -- The time at which the answer must be forgotten and asked again; null for an answer that stays.
    expires_at   timestamptz,

    -- The chain, and the present link in it. The default is set in functions/default_chain.sql. No foreign key: chains
    -- are never deleted, and the check for each of a million questions takes time.
    chain        integer        NOT NULL,
    link         smallint       NOT NULL DEFAULT 0,

    -- How the address is, or was, put to that provider: a step of QueryLadder; null for the first step.
    step         text,

    -- Up to five places, the best first, each with its provider, step and confidence. Null until a call has found
    -- places that do not end the question.
    candidates   jsonb,

    -- The outcomes of the calls before the last one, for a person to read; null if the first call ended the question.
    trail        jsonb,

    -- From 0 to 1: the probability that the answer is right at its own precision. `is_weak` tells if it is coarser than
    -- the question. Everywhere else this is the `area_confidence`, and `confidence` is computed from both.
    confidence   real,

    -- The question, if it is a coordinate.
    at_latitude  double precision,
    at_longitude double precision,

    -- The row that this answer was copied from, if another spelling of the address was known and no call was made.
    shared_from  bigint,

    -- The provider permits to keep its answer for a limited time only. When the answer expires, it is forgotten, and
    -- asked again when needed.
    is_lent      boolean        NOT NULL DEFAULT false,

    -- The time since which a person has set the place. No provider's answer replaces it.
    pinned_at    timestamptz,

    -- The account of a pin: one account's contact set its own place. Null for an answer, which all accounts share. No
    -- foreign key, because every answer would pay for it.
    account      integer,

    -- The answer is coarser than the question, such as a town for a street.
    is_weak      boolean        NOT NULL DEFAULT false,

    -- LooseKey: the same for addresses that mean nearly the same. Null if no answer is to be shared.
    loose_key    bigint,

    -- The question has no job but waits for the answer to another spelling: the waiting row with the same loose key
    -- that does not follow.
    follows      boolean        NOT NULL DEFAULT false,

    -- The question that this row asks again. Such a row is a shadow: a copy of the question's address. No search finds
    -- it, because its hash belongs to no address and it has no loose key. It only waits, and is deleted when it ends.
    -- See functions/rematch.sql.
    shadow_of    bigint,

    -- The time at which a provisional answer is asked again: a provider of the chain did not look, and `reason` names
    -- it. The place stays meanwhile. Null if all providers looked.
    ask_again_at timestamptz,

    CONSTRAINT a_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT only_what_waits_has_a_job CHECK (job IS NULL OR status = 'waiting'),
    CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (
        (status = 'located') = (latitude IS NOT NULL AND longitude IS NOT NULL AND precision IS NOT NULL)),
    CONSTRAINT only_what_is_located_is_weak CHECK (NOT is_weak OR status = 'located'),
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
        NOT follows OR status = 'waiting' AND job IS NULL AND loose_key IS NOT NULL),
    CONSTRAINT moments_have_a_date CHECK (
        least(geocoded_at, expires_at, pinned_at) >= '0001-01-01 Z'
        AND greatest(geocoded_at, expires_at, pinned_at) <= '9999-12-31 Z')
)
-- Each row is written twice, as a question and as an answer. The answer is longer, and usually fits on the page of the
-- question. Without free space the first version of each row would stay behind as a dead row.
WITH (fillfactor = 40);

-- The sweep finds expired answers.
CREATE INDEX geocodes_expiring ON geocodes (expires_at) WHERE expires_at IS NOT NULL;

-- Finds provisional answers whose time is over.
CREATE INDEX geocodes_provisional ON geocodes (ask_again_at) WHERE ask_again_at IS NOT NULL;

-- Finds questions that wait for a person. It lists all rows with candidates: an index that depended on the status would
-- be written for each answer.
CREATE INDEX geocodes_with_candidates ON geocodes (id) WHERE candidates IS NOT NULL;

-- Finds another spelling of the address, or another unit of the house.
CREATE INDEX geocodes_by_loose_key ON geocodes (loose_key) WHERE loose_key IS NOT NULL;

-- Finds the questions that follow. There are nearly always none.
CREATE INDEX geocodes_following ON geocodes (loose_key) WHERE follows;

-- Finds the shadow of a question, and counts the shadows. A question has at most one.
CREATE UNIQUE INDEX geocodes_shadows ON geocodes (shadow_of) WHERE shadow_of IS NOT NULL;

-- The policies are in functions/row_security.sql.
ALTER TABLE geocodes ENABLE ROW LEVEL SECURITY;

-- The waiting questions without a job, as a list of its own. An index on `geocodes` can't replace it: every question
-- that gets a job and every answer would change an indexed column, and so write into all indexes of the table. That
-- takes several times as long as the row itself.
--
-- A row may be here twice, or its question may have a job since then. The reader checks, so the table needs no key.
CREATE TABLE unqueued_geocodes (
    geocode bigint NOT NULL
)
-- Rows are deleted within about a second. The table is read from its beginning and must not grow long.
WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- A person's decision on a question, with the answer before it, so that the decision can be undone. A row contains only
-- the answer, not the address. It is deleted with its question (functions/forget_decisions.sql), or when the answer may
-- no longer be kept.
CREATE TABLE decisions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    geocode    bigint      NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),

    -- The columns of `geocodes` that a decision writes, before and after it.
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL
);

-- Finds the last decision on a question.
CREATE INDEX decisions_by_geocode ON decisions (geocode, id);

-- Finds the decisions that are old enough to delete.
CREATE INDEX decisions_by_time ON decisions (decided_at);

-- Requests that the gateway passes on to a Nominatim server as they are, and its replies, which all accounts share.
CREATE TABLE relayed_replies (
    -- From the numbers of questions, because the jobs of a lane have both as subjects.
    id         bigint      PRIMARY KEY DEFAULT nextval('geocodes_id_seq'),
    hash       bytea       NOT NULL UNIQUE,

    -- The path and the parameters, sorted: `search?format=json&q=Vaduz`.
    request    text        NOT NULL,
    job        bigint,

    -- Null while the request waits, and if the server refused it.
    reply      bytea,

    -- Null while the request waits.
    expires_at timestamptz,
    CONSTRAINT a_relay_hash_is_a_sha256 CHECK (octet_length(hash) = 32),
    CONSTRAINT a_reply_expires CHECK (reply IS NULL OR expires_at IS NOT NULL)
);
CREATE INDEX relayed_replies_expiring ON relayed_replies (expires_at) WHERE expires_at IS NOT NULL;
