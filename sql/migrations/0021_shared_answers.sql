-- One call for one address, however it is spelled.

DROP INDEX geocodes_by_house;
ALTER TABLE geocodes
    DROP loose_hash,

    -- What addresses have in common that mean nearly the same (LooseKey); null where no answer is to be shared.
    ADD loose_key bigint,

    -- It waits in no job for the answer to another spelling: to whatever waits under the same loose key and follows nobody.
    ADD follows boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT who_follows_waits_in_no_job CHECK (
        NOT follows OR status = 'waiting' AND job IS NULL AND loose_key IS NOT NULL);

-- Is another spelling known, or another unit of the house?
CREATE INDEX geocodes_by_loose_key ON geocodes (loose_key) WHERE loose_key IS NOT NULL;

-- Who follows? Nearly always nobody.
CREATE INDEX geocodes_following ON geocodes (loose_key) WHERE follows;

DROP TRIGGER a_new_question_without_a_job_is_noted ON geocodes;
CREATE TRIGGER a_new_question_without_a_job_is_noted
AFTER INSERT ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL AND NOT NEW.follows)
EXECUTE FUNCTION note_an_unqueued_geocode();

DROP TRIGGER a_question_that_lost_its_job_is_noted ON geocodes;
CREATE TRIGGER a_question_that_lost_its_job_is_noted
AFTER UPDATE OF status, job, follows ON geocodes
FOR EACH ROW
WHEN (NEW.status = 'waiting' AND NEW.job IS NULL AND NOT NEW.follows)
EXECUTE FUNCTION note_an_unqueued_geocode();

-- Whether a chain's calls cost something, be it time, so that a question had better wait for the answer to another
-- spelling. In a lane that takes many addresses at once, without limits or a price, asking is cheaper than waiting.
CREATE FUNCTION is_spared(plan jsonb) RETURNS boolean
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT
        FROM jsonb_array_elements(plan->'links') AS link
        JOIN lanes ON lanes.name = link->>'lane'
        WHERE batch = 1 OR price_per_1000_calls > 0
           OR EXISTS (SELECT FROM token_buckets WHERE token_buckets.lane = lanes.id));
END;

-- Whether any question follows another. Before the table's first ANALYZE the planner would take half of its rows for
-- followers and read it from the beginning, to its end where there is none.
CREATE FUNCTION anybody_follows() RETURNS boolean
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM geocodes WHERE follows);
END
$$;
