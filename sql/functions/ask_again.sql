-- Makes questions wait again, each at its link of a chain and without a job; the sweep queues them. Only questions
-- whose answers were forgotten, or that were not found or failed: an existing answer stays. Returns how many questions
-- it changed.
--
-- Runs with the owner's rights, so that the API's role can ask again without the right to write the columns of an
-- answer.
CREATE OR REPLACE FUNCTION ask_again(questions bigint[], new_chain integer, links integer[]) RETURNS bigint
LANGUAGE sql
AS $$
    WITH opened AS (
        UPDATE geocodes
        SET status = 'waiting', chain = new_chain, link = again.new_link, step = NULL, candidates = NULL, trail = NULL,
            latitude = NULL, longitude = NULL, precision = NULL, placemark = NULL, provider = NULL, reason = NULL,
            confidence = NULL, is_weak = false, geocoded_at = NULL, expires_at = NULL, is_lent = false, shared_from = NULL,
            follows = false, ask_again_at = NULL
        FROM unnest(questions, links) AS again (question, new_link)
        WHERE geocodes.id = ANY (questions) AND geocodes.id = again.question
          AND status IN ('forgotten', 'not_found', 'failed') AND pinned_at IS NULL AND account IS NULL
        RETURNING 1
    )
    SELECT count(*) FROM opened
$$;

SELECT run_as_owner(
    ARRAY['ask_again(bigint[], integer, integer[])'], 'SET enable_seqscan = off SET jit = off');
