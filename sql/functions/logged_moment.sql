-- Converts the moment of a call to the form that the log stores: on the clock that was known when the call was sent.
-- `moment` is on the clock of `known_epoch`.
--
-- A worker notices a step of the clock a little later than the first process does, and reports earlier calls
-- afterwards. Without the conversion the log would mix the clocks of several workers at the same time, and the audit
-- could not tell them apart.
--
-- Each epoch has its own rate of the clock. At the beginning of an epoch, the clock of the epoch before showed
-- `noticed_at - size`.
CREATE OR REPLACE FUNCTION logged_moment(moment timestamptz, known_epoch integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    step record;
BEGIN
    FOR step IN
        SELECT *, (1 + rate) / (1 + coalesce((SELECT rate FROM clock_steps WHERE epoch = this.epoch - 1), 0)) AS faster
        FROM clock_steps AS this WHERE epoch <= known_epoch ORDER BY epoch DESC
    LOOP
        -- The call was sent after the step was noticed.
        EXIT WHEN moment >= step.noticed_at;
        moment := step.noticed_at - step.size - (step.noticed_at - moment) / step.faster;
    END LOOP;
    FOR step IN
        SELECT *, (1 + rate) / (1 + coalesce((SELECT rate FROM clock_steps WHERE epoch = this.epoch - 1), 0)) AS faster
        FROM clock_steps AS this WHERE epoch > known_epoch ORDER BY epoch
    LOOP
        EXIT WHEN moment <= step.noticed_at - step.size;
        moment := step.noticed_at + (moment - (step.noticed_at - step.size)) * step.faster;
    END LOOP;
    RETURN moment;
END
$$;
