-- Deletes up to `most` of the acts that are older than `kept`, the oldest first. Returns how many.
--
-- Those who act may add to the log, and nothing else. So this has the owner's rights, and refuses what no setting asks for: see
-- WAYPOST_KEEP_AUDIT_LOG.
CREATE OR REPLACE FUNCTION forget_acts(kept interval, most integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    number bigint;
BEGIN
    IF kept < interval '30 days' THEN
        RAISE EXCEPTION 'acts are kept for at least 30 days' USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM audit_log
    WHERE id = ANY (ARRAY(SELECT id FROM audit_log WHERE at < now() - kept ORDER BY at LIMIT most));
    GET DIAGNOSTICS number = ROW_COUNT;
    RETURN number;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_acts(interval, integer) FROM PUBLIC;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION forget_acts(interval, integer) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END
$$;
