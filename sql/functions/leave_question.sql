-- Called for a question, or a request that is passed on, when no client waits for it: it goes behind other work, or is
-- not asked. If a worker holds its job, or if the answer is there, nothing changes.
CREATE OR REPLACE FUNCTION leave_question(question bigint, drops boolean) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    own bigint;
    its_hash bytea;
    its_key bigint;
    is_wanted boolean;
BEGIN
    SELECT id INTO own
    FROM jobs
    WHERE id = coalesce(
              (SELECT job FROM geocodes WHERE id = question), (SELECT job FROM relayed_replies WHERE id = question))
      AND is_waiting(jobs) AND subjects = ARRAY[question]
    FOR UPDATE SKIP LOCKED;
    IF own IS NULL THEN
        RETURN;
    END IF;
    SELECT hash, loose_key INTO its_hash, its_key FROM geocodes WHERE id = question AND job = own FOR UPDATE;
    is_wanted = EXISTS (SELECT FROM addresses WHERE hash = its_hash)
        OR EXISTS (SELECT FROM file_runs WHERE finished_at IS NULL AND its_hash = ANY (hashes));
    IF drops AND NOT is_wanted
        AND NOT (anybody_follows() AND EXISTS (SELECT FROM geocodes WHERE follows AND loose_key = its_key)) THEN
        DELETE FROM geocodes WHERE id = question;
        DELETE FROM relayed_replies WHERE id = question;
        DELETE FROM jobs WHERE id = own;
    ELSE
        UPDATE jobs SET priority = CASE WHEN is_wanted THEN 1 ELSE 0 END WHERE id = own;
    END IF;
END
$$;

SELECT run_as_owner(ARRAY['leave_question(bigint, boolean)']);
