-- Questions go along a chain of providers until one knows the answer well enough, and answers say how good they are.

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

-- The gazetteer knows towns and postcodes and no streets. Where it is the only one asked, the right town is the best there
-- is, and confidence takes it for what it is: poor for a house.
INSERT INTO chains (name, plan) VALUES
    ('default', '{"links": [{"lane": "gazetteer"}], "located": 0.1, "review": 0.04}'),
    ('reverse', '{"links": [{"lane": "gazetteer"}]}');

-- The chain along which an account's addresses are asked for.
ALTER TABLE accounts ADD chain text NOT NULL DEFAULT 'default';

-- PostgreSQL can't use a new value of a type in the transaction that adds it, so this is another type.
DROP TRIGGER a_new_question_without_a_job_is_noted ON geocodes;
DROP TRIGGER a_question_that_lost_its_job_is_noted ON geocodes;
ALTER TABLE geocodes
    DROP CONSTRAINT only_what_waits_has_a_job,
    DROP CONSTRAINT exactly_what_is_located_has_a_coordinate,
    DROP CONSTRAINT what_failed_has_a_reason,
    DROP CONSTRAINT only_answers_expire,
    ALTER status DROP DEFAULT;
ALTER TYPE geocode_status RENAME TO old_geocode_status;
CREATE TYPE geocode_status AS ENUM ('waiting', 'located', 'needs_review', 'not_found', 'failed', 'forgotten');
ALTER TABLE geocodes
    ALTER status TYPE geocode_status USING status::text::geocode_status,
    ALTER status SET DEFAULT 'waiting';
DROP TYPE old_geocode_status;

ALTER TABLE geocodes
    -- The chain, and how far the question has come along it. No foreign key: chains are never deleted, and checking it
    -- for each of a million questions is not free.
    ADD chain integer NOT NULL DEFAULT 1,
    ADD link smallint NOT NULL DEFAULT 0,

    -- How the address is, or was, put to that provider: a step of QueryLadder; null for its first.
    ADD step text,

    -- Up to five places, the best first, each with who found it, how, and how good it is. Null until somebody has looked
    -- without settling the question.
    ADD candidates jsonb,

    -- What came of the calls before the last one, for a person to read; null where the first one settled it.
    ADD trail jsonb,

    -- From 0 to 1: what was asked against what came back.
    ADD confidence real,

    -- The question, where it is a coordinate: what is here?
    ADD at_latitude double precision,
    ADD at_longitude double precision,

    -- The hash of the address without its unit, where it has one.
    ADD loose_hash bytea,

    -- Whose answer this is, where the question was never asked because the same house was known.
    ADD shared_from bigint,

    -- The provider lends its answer for a while and forbids to keep it: when it expires, it is forgotten and not asked for
    -- again until somebody wants it.
    ADD is_lent boolean NOT NULL DEFAULT false,

    -- Since when a person's word stands here, which no provider's overrules.
    ADD pinned_at timestamptz,

    ADD CONSTRAINT only_what_waits_has_a_job CHECK (job IS NULL OR status = 'waiting'),
    ADD CONSTRAINT exactly_what_is_located_has_a_coordinate CHECK (
        (status = 'located') = (latitude IS NOT NULL AND longitude IS NOT NULL AND precision IS NOT NULL)),
    ADD CONSTRAINT what_failed_has_a_reason CHECK (status <> 'failed' OR reason IS NOT NULL),
    ADD CONSTRAINT only_answers_expire CHECK (expires_at IS NULL OR status NOT IN ('waiting', 'forgotten')),
    ADD CONSTRAINT what_a_person_pinned_does_not_expire CHECK (pinned_at IS NULL OR expires_at IS NULL),
    ADD CONSTRAINT what_needs_review_has_candidates CHECK (status <> 'needs_review' OR candidates IS NOT NULL),
    ADD CONSTRAINT confidence_is_a_share CHECK (confidence BETWEEN 0 AND 1),
    ADD CONSTRAINT a_coordinate_is_asked_for_whole CHECK ((at_latitude IS NULL) = (at_longitude IS NULL));

-- Is another unit of this house known?
CREATE INDEX geocodes_by_house ON geocodes (loose_hash) WHERE loose_hash IS NOT NULL;

-- What waits for a person? It lists all that has candidates: an index that depended on the status would be written for
-- each answer.
CREATE INDEX geocodes_with_candidates ON geocodes (id) WHERE candidates IS NOT NULL;

CREATE TRIGGER a_new_question_without_a_job_is_noted
AFTER INSERT ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL)
EXECUTE FUNCTION note_an_unqueued_geocode();

CREATE TRIGGER a_question_that_lost_its_job_is_noted
AFTER UPDATE OF status, job ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL)
EXECUTE FUNCTION note_an_unqueued_geocode();

ALTER TABLE lanes
    -- Why, where it was not a person who paused the lane.
    ADD paused_because text,
    -- Since when the present limits hold.
    ADD limits_changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Whom to name beside what comes out of this lane.
    ADD attribution text NOT NULL DEFAULT '';
