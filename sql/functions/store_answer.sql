-- Stores the answer to a question, for a worker that is not ours. Call it in the transaction of `finish_jobs`, after it,
-- for each subject of a job for which that returned a row. Returns false, and changes nothing, if the question no longer
-- waits in that job.
--
-- The question ends here. It does not go on to the next link of its chain, so such a worker's lane should be the last
-- link. `area_confidence` is the probability, from 0 to 1, that the place is right at its own precision. `weak` means
-- that the place is coarser than the question, such as a town for a street. `names` is an object with the members of
-- `geocodes.placemark`: `thoroughfare`, `locality`, `countryName` and others. An answer with `days` is deleted after that
-- many days, and asked again when it is needed. If the question was asked again by a rematch, the old answer stays.
-- `its_reason` must not contain anything of the address.
CREATE OR REPLACE FUNCTION store_answer(
    question bigint, of_job bigint, its_provider text, its_status geocode_status,
    its_latitude double precision DEFAULT NULL, its_longitude double precision DEFAULT NULL,
    its_precision text DEFAULT NULL, area_confidence double precision DEFAULT NULL, weak boolean DEFAULT false,
    names jsonb DEFAULT NULL, its_reason text DEFAULT NULL, days integer DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    IF its_status NOT IN ('located', 'not_found', 'failed') THEN
        RAISE EXCEPTION 'the status of an answer is located, not_found or failed, and not %', its_status
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE geocodes
    SET job = NULL, follows = false, status = its_status, latitude = its_latitude, longitude = its_longitude,
        precision = its_precision, placemark = names, provider = its_provider, confidence = area_confidence,
        is_weak = weak, candidates = NULL, reason = its_reason, geocoded_at = now(),
        expires_at = now() + days * interval '1 day', is_lent = days IS NOT NULL AND its_status = 'located'
    WHERE id = question AND job = of_job AND status = 'waiting';
    RETURN FOUND;
END
$$;
