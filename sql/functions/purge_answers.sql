-- Counts the answers that no address uses, with this provider, with this status, at least this old. A null condition
-- matches everything. Answers that a person decided are not counted.
--
-- Runs with the owner's rights: to know that no address uses an answer one must read the addresses of all accounts, and
-- an API client that may purge sees those of one.
CREATE OR REPLACE FUNCTION count_purgeable_answers(its_provider text, its_status geocode_status, age interval) RETURNS bigint
LANGUAGE sql STABLE
AS $$
    SELECT count(*)
    FROM geocodes
    WHERE status <> 'waiting' AND pinned_at IS NULL
      AND (its_provider IS NULL OR provider = its_provider)
      AND (its_status IS NULL OR status = its_status)
      AND geocoded_at <= now() - age
      AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
$$;

-- Deletes up to `most` of these answers. Returns how many.
CREATE OR REPLACE FUNCTION purge_answers(its_provider text, its_status geocode_status, age interval, most integer) RETURNS bigint
LANGUAGE sql
AS $$
    WITH purged AS (
        DELETE FROM geocodes
        WHERE id = ANY (ARRAY(
            SELECT id
            FROM geocodes
            WHERE status <> 'waiting' AND pinned_at IS NULL
              AND (its_provider IS NULL OR provider = its_provider)
              AND (its_status IS NULL OR status = its_status)
              AND geocoded_at <= now() - age
              AND NOT EXISTS (SELECT FROM addresses WHERE addresses.hash = geocodes.hash)
            ORDER BY id
            LIMIT most
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING 1
    )
    SELECT count(*) FROM purged
$$;

SELECT run_as_owner(ARRAY[
    'count_purgeable_answers(text, geocode_status, interval)', 'purge_answers(text, geocode_status, interval, integer)']);
