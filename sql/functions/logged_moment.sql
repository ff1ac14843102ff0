-- The moment of a call as the log has it: on the clock that was known when the call left. `moment` is on the clock of `known_epoch`.
--
-- A worker notices a step of the clock a little later than the first process, and reports calls from before the step afterwards. So its
-- moments may be on another clock than those of other workers at the same time, and the audit could not tell them apart.
CREATE OR REPLACE FUNCTION logged_moment(moment timestamptz, known_epoch integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    step record;
BEGIN
    FOR step IN SELECT noticed_at, size FROM clock_steps WHERE epoch <= known_epoch ORDER BY epoch DESC LOOP
        -- It left after the step was noticed.
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
