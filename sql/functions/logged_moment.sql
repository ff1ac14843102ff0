-- Converts the moment of a call to the form that the log stores: on the clock that was known when the call was sent.
-- `moment` is on the clock of `known_epoch`.
--
-- A worker notices a step of the clock a little later than the first process does, and reports earlier calls
-- afterwards. Without the conversion the log would mix the clocks of several workers at the same time, and the audit
-- could not tell them apart.
CREATE OR REPLACE FUNCTION logged_moment(moment timestamptz, known_epoch integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    step record;
BEGIN
    FOR step IN SELECT noticed_at, size FROM clock_steps WHERE epoch <= known_epoch ORDER BY epoch DESC LOOP
        -- The call was sent after the step was noticed.
        EXIT WHEN moment >= step.noticed_at;
        moment := moment - step.size;
    END LOOP;
    FOR step IN SELECT noticed_at, size FROM clock_steps WHERE epoch > known_epoch ORDER BY epoch LOOP
        EXIT WHEN moment <= step.noticed_at - step.size;
        moment := moment + step.size;
    END LOOP;
    RETURN moment;
END
$$;
