-- Asks answered questions again while their answers stay. For each question a shadow goes along the chain. The
-- transaction that ends the shadow copies a better answer (Questions/Rematch/GeocodeStore+rematch.swift).

-- Returns true if a person chose the question's answer, pinned or not. Volatile, so that a caller that has waited for
-- the question's row also sees decisions made meanwhile.
CREATE OR REPLACE FUNCTION decided_by_a_person(question bigint) RETURNS boolean
LANGUAGE sql VOLATILE
AS $$
    SELECT EXISTS (
        SELECT
        FROM geocodes
        WHERE id = question
          AND (pinned_at IS NOT NULL
               OR EXISTS (
                   SELECT
                   FROM decisions
                   WHERE geocode = question AND (after ->> 'geocoded_at')::timestamptz = geocodes.geocoded_at)))
$$;

-- Makes a shadow of each of these questions, waiting in the job at the same place in `new_jobs`. Skips questions that
-- wait, that a person decided, or that have a shadow already.
--
-- Runs with the owner's rights: it copies the address of a question, which the caller may have no right to read.
CREATE OR REPLACE FUNCTION ask_anew(questions bigint[], new_jobs bigint[], new_chain integer, new_link integer)
RETURNS TABLE (shadow bigint, shadow_job bigint)
LANGUAGE sql
AS $$
    INSERT INTO geocodes (hash, street, city, region, postcode, country, chain, link, job, shadow_of)
    SELECT sha256(convert_to('shadow of ' || asked.id, 'UTF8')), asked.street, asked.city, asked.region, asked.postcode,
           asked.country, new_chain, new_link, given.job, asked.id
    FROM unnest(questions, new_jobs) AS given (question, job)
    CROSS JOIN LATERAL (
        SELECT id, street, city, region, postcode, country, status, account, at_latitude, shadow_of
        FROM geocodes
        WHERE geocodes.id = given.question
        LIMIT 1
    ) AS asked
    WHERE asked.status <> 'waiting' AND asked.account IS NULL AND asked.at_latitude IS NULL AND asked.shadow_of IS NULL
      AND NOT decided_by_a_person(asked.id)
    ORDER BY asked.id
    ON CONFLICT DO NOTHING
    RETURNING id, job
$$;

-- Deletes a shadow when it ends, whichever program ends it.
CREATE OR REPLACE FUNCTION drop_ended_shadow() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM geocodes WHERE id = NEW.id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER shadow_ended
AFTER UPDATE OF status ON geocodes
FOR EACH ROW
WHEN (NEW.shadow_of IS NOT NULL AND NEW.status <> 'waiting')
EXECUTE FUNCTION drop_ended_shadow();

SELECT run_as_owner(
    ARRAY['decided_by_a_person(bigint)', 'ask_anew(bigint[], bigint[], integer, integer)', 'drop_ended_shadow()'],
    'SET enable_seqscan = off SET jit = off');
