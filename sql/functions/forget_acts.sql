-- Deletes up to `most` acts that are older than `kept`, the oldest first. Returns how many.
--
-- Roles that write to the log have only the right to insert. So this function runs with the owner's rights, and refuses
-- a `kept` shorter than the setting WAYPOST_KEEP_AUDIT_LOG allows.
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

SELECT run_as_owner(ARRAY['forget_acts(interval, integer)']);
